package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/event"
)

// origin is what is kept beside a result.
type origin struct {
	Label event.Label `json:"label"`
	Sum   string      `json:"sha256"` // of the text
}

// temp makes a temporary file with that content, on the disk when it returns. After an error it is to be removed.
func (o *Outputs) temp(d *folder, content []byte) (name string, err error) {
	name, file, err := d.temp()
	if err != nil {
		return name, err
	}
	defer file.Close()
	if err := o.save(file, content); err != nil {
		return name, err
	}
	return name, file.Sync()
}

// read returns the text of a result, and where it comes from, if that is known.
func (o *Outputs) read(chat event.Chat, number string) (text string, from *event.Label, err error) {
	d, err := o.openChat(chat)
	if err != nil {
		return "", nil, err
	}
	defer d.close()
	raw, err := d.readWhole(number + ".txt")
	if err != nil {
		return "", nil, err
	}
	var said origin
	if beside, err := d.readWhole(number + ".from"); err == nil && json.Unmarshal(beside, &said) == nil && said.Sum == sumOf(raw) {
		from = &said.Label
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD"), from, nil
}

// readWhole returns the content of a file in d, of at most 16 MiB.
func (d *folder) readWhole(name string) ([]byte, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s, not a file", kindOf(before.Mode()))
	}
	file, err := d.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if after, err := file.Stat(); err != nil {
		return nil, err
	} else if !os.SameFile(before, after) {
		return nil, errors.New("it was replaced meanwhile")
	}
	return io.ReadAll(io.LimitReader(file, maxFile))
}

// sweep removes what is said of results that are not there.
func (s *shelf) sweep(d *folder, names []string) {
	for _, name := range names {
		number, ok := strings.CutSuffix(name, ".from")
		if ok && outHandle.MatchString("out:"+number) && !slices.Contains(names, number+".txt") {
			_ = d.root.Remove(name)
		}
	}
}

func originOf(number int64) string { return strconv.FormatInt(number, 10) + ".from" }
