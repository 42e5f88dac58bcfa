module github.com/berth-sim/berth/conformance/protocol

go 1.26.8
