package blobs

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hob/internal/event"
	"hob/internal/tools/files/tree"
)

// origin is what is kept beside a result.
type origin struct {
	Label event.Label `json:"label"`
	Sum   string      `json:"sha256"` // of the text
}

// temp makes a temporary file with that content, on the disk when it returns. After an error it is to be removed.
func (s *Store) temp(d *tree.Dir, content []byte) (name string, err error) {
	name, file, err := d.Temp()
	if err != nil {
		return name, err
	}
	defer file.Close()
	if err := s.save(file, content); err != nil {
		return name, err
	}
	return name, file.Sync()
}

// read returns the text of a result, and where it comes from, if that is known.
func (s *Store) read(chat event.Chat, number string) (text string, from *event.Label, err error) {
	d, err := s.openChat(chat)
	if err != nil {
		return "", nil, err
	}
	defer d.Close()
	raw, err := d.ReadFile(number + ".txt")
	if err != nil {
		return "", nil, err
	}
	var said origin
	if beside, err := d.ReadFile(number + ".from"); err == nil && json.Unmarshal(beside, &said) == nil && said.Sum == tree.SumOf(raw) {
		from = &said.Label
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD"), from, nil
}

// sweep removes what is said of results that are not there.
func (x *index) sweep(d *tree.Dir, names []string) {
	for _, name := range names {
		number, ok := strings.CutSuffix(name, ".from")
		if ok && outHandle().MatchString("out:"+number) && !slices.Contains(names, number+".txt") {
			_ = d.Root.Remove(name)
		}
	}
}

func originOf(number int64) string { return strconv.FormatInt(number, 10) + ".from" }
