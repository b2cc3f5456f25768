//go:build linux

package sandbox

import "os"

// feed writes a command's standard input. What the command does not want to read is not missed: it has closed its end
// then, or is gone. Closing the pipe ends a feed that waits.
func (p *Process) feed(pipe *os.File, all []byte) {
	if len(all) > 0 {
		_, _ = pipe.Write(all)
	}
	if in, ok := p.input.(*input); ok {
		close(in.fed)
		return
	}
	pipe.Close()
}

// input is the standard input of a command that is fed while it runs. The end of the command closes the pipe.
type input struct {
	pipe *os.File
	fed  chan struct{} // closed when what stood in the command was written: that comes first
}

func (in *input) Write(p []byte) (int, error) {
	<-in.fed
	return in.pipe.Write(p)
}

func (in *input) Close() error { return in.pipe.Close() }
