// Command kube is the real kube-scheduler of a release, deterministic and driven attempt by attempt. It decides the cases
// that the conformance harness sends it over its standard input and output.
package main

import (
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/berth-sim/berth/conformance/protocol"
)

func main() {
	klog.SetLogger(logr.Discard())
	if err := rpc.RegisterName(protocol.Name, service{}); err != nil {
		fmt.Fprintln(os.Stderr, "kube:", err)
		os.Exit(1)
	}
	rpc.ServeConn(standard{os.Stdin, os.Stdout})
}

// standard are the standard input and output as one connection.
type standard struct {
	io.ReadCloser
	io.WriteCloser
}

// Close closes both.
func (s standard) Close() error { return errors.Join(s.ReadCloser.Close(), s.WriteCloser.Close()) }
