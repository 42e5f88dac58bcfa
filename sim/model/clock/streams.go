package clock

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Streams derives independent random streams from one seed. A stream depends on
// the seed and its own name only, so a new consumer never shifts another one.
type Streams struct{ seed uint64 }

// NewStreams returns the streams of a seed.
func NewStreams(seed uint64) Streams { return Streams{seed} }

// Source is the stream of that name ("arrivals/web"), from its beginning: each
// purpose takes it once and keeps it.
func (s Streams) Source(name string) rand.Source {
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], s.seed)
	sum := sha256.Sum256(append(seed[:], name...))
	return rand.NewPCG(binary.LittleEndian.Uint64(sum[:8]), binary.LittleEndian.Uint64(sum[8:16]))
}

// Rand is Source with the methods of math/rand/v2.
func (s Streams) Rand(name string) *rand.Rand { return rand.New(s.Source(name)) }
