package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// newTerminal is openTerminal for who closes both ends.
func newTerminal() (terminal, device *os.File, err error) {
	terminal, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	var n uint32
	raw, err := terminal.SyscallConn() // Fd would make reads of it block for ever, whatever closes it
	if err == nil {
		other := raw.Control(func(p uintptr) {
			fd := int(p)
			n, err = unix.IoctlGetUint32(fd, unix.TIOCGPTN)
			err = errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0),
				unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: terminalHeight, Col: terminalWidth}))
		})
		err = errors.Join(err, other)
	}
	if err == nil {
		device, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		terminal.Close()
		return nil, nil, err
	}
	return terminal, device, nil
}
