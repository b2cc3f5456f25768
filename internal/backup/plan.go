package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hob/internal/atomicfile"
	"hob/internal/exit"
	"hob/internal/store"
)

// plan is what is left to do of a restore when all is unpacked: renames. It lies at [store.RestorePath] while it is carried out.
type plan struct {
	Sum      string   `json:"sum"` // of the backup
	Manifest Manifest `json:"manifest"`
	Paths    Paths    `json:"paths"`
	ByHand   []Secret `json:"by_hand,omitempty"`
	Journal  Journal  `json:"journal"`
	Files    int      `json:"files"`
	Moved    int      `json:"moved"`
	Staged   []string `json:"staged"` // folders to remove at the end
	Steps    []move   `json:"steps"`
}

// move puts something into its place.
type move struct {
	Staged string `json:"staged,omitempty"` // "": nothing takes the place of what goes
	Target string `json:"target"`
	Aside  string `json:"aside,omitempty"` // where what is there goes; "": nothing is there
}

// readPlan returns the plan of a restore that was cut short, nil if none was.
func readPlan(journal string) (*plan, error) {
	raw, err := os.ReadFile(store.RestorePath(journal))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is left to restore: %w", err)
	}
	var p plan
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, fmt.Errorf("read what is left to restore in %s: %w", store.RestorePath(journal), err)
	}
	return &p, nil
}

// write makes the plan durable. From then on the restore will be finished, by this process or by the next.
func (p *plan) write(journal string) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write what is left to restore: %w", err)
	}
	fresh := filepath.Join(p.Staged[0], "plan") // where it is removed, if it comes to nothing
	if err := atomicfile.ReplaceText(fresh, 0o600, string(raw)); err != nil {
		return err
	}
	if err := os.Rename(fresh, store.RestorePath(journal)); err != nil {
		return fmt.Errorf("write what is left to restore: %w", err)
	}
	return syncDisk(filepath.Dir(journal))
}

// run carries out what is left of the plan, and forgets it then. A step that was done is not done again.
func (p *plan) run(journal string, rename func(from, to string) error) error {
	for _, m := range p.Steps {
		if err := m.run(rename); err != nil {
			return exit.Errorf(exit.Failed, "put %s in its place: %v; mend that, and restore again with the same file, which goes on from there", m.Target, err)
		}
	}
	for _, dir := range p.Staged {
		if err := syncDisk(filepath.Dir(dir)); err != nil {
			return err
		}
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove what was unpacked: %w", err)
		}
	}
	if err := os.Remove(store.RestorePath(journal)); err != nil {
		return fmt.Errorf("end the restore: %w", err)
	}
	return syncDisk(filepath.Dir(journal))
}

func (m move) run(rename func(from, to string) error) error {
	if m.Staged != "" && !exists(m.Staged) {
		return nil // it is in its place
	}
	if m.Aside != "" && !exists(m.Aside) && exists(m.Target) {
		if err := rename(m.Target, m.Aside); err != nil {
			return err
		}
	}
	if m.Staged == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.Target), 0o700); err != nil {
		return err
	}
	return rename(m.Staged, m.Target)
}

// rename puts from in the place of to, which may be an empty folder, too.
func rename(from, to string) error {
	if err := unix.Rename(from, to); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// aside lists what was in the way.
func (p *plan) aside() (all []Aside) {
	for _, m := range p.Steps {
		if m.Aside != "" {
			all = append(all, Aside{m.Target, m.Aside})
		}
	}
	return all
}
