//go:build linux

package probe

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Attempt is one run of the probe: what a sandbox is to run, in the folder [Canaries.Workspace], and the limits that it
// is to have. A limit of 0 is the sandbox's own.
type Attempt struct {
	Name  string
	Args  []string // of the program [Name]
	Stdin []byte
	Limits
}

// Limits are those of a trial.
type Limits struct {
	Processes int   `json:"processes"`
	Memory    int64 `json:"memory"`
	FileSize  int64 `json:"file_size"`
	Output    int64 `json:"output"`
}

// Seen is how an attempt ended, in the sandbox's words.
type Seen struct {
	Attempt  string
	Stdout   []byte
	Signal   string
	TimedOut bool
	Flooded  bool
	Over     string
	Err      error // it never began
}

// Canaries are live targets. They are laid out by [Start] and belong to one goroutine.
type Canaries struct {
	dir     string
	targets targets
	mark    []byte
	stray   int
	before  map[string]state
	sockets []socket
}

const markSize = 32

// Start lays out canaries in a new folder in dir, which must not be in a place that commands may see.
func Start(dir string) (*Canaries, error) {
	home, err := os.MkdirTemp(dir, "hob-canary-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the sandbox's self-test: %w", err)
	}
	c := &Canaries{dir: home, stray: -1, mark: []byte(rand.Text() + rand.Text())[:markSize]}
	for _, step := range []func() error{c.layFiles, c.laySockets, c.laySelf} {
		if err := step(); err != nil {
			_ = c.Close()
			return nil, fmt.Errorf("lay out the sandbox's self-test in %s: %w", dir, err)
		}
	}
	return c, nil
}

// Workspace is the folder that is to be a trial's workspace and working folder.
func (c *Canaries) Workspace() string { return filepath.Join(c.dir, "work") }

// Close takes the canaries away.
func (c *Canaries) Close() error {
	for _, s := range c.sockets {
		_ = unix.Close(s.fd)
	}
	if c.stray >= 0 {
		_ = unix.Close(c.stray)
	}
	c.sockets, c.stray = nil, -1
	return os.RemoveAll(c.dir)
}

// Quick is the trial that costs little and harms nothing.
func (c *Canaries) Quick() Attempt { return c.withInput(Attempt{Name: "quick"}) }

// All are the trials there are, the quick one first.
func (c *Canaries) All() []Attempt {
	const mib = 1 << 20
	all := []Attempt{
		c.Quick(),
		{Name: "slow"},
		{Name: "detach"},
		{Name: "fork", Limits: Limits{Processes: 48}},
		{Name: "memory", Limits: Limits{Memory: 256 * mib}},
		{Name: "memory of many", Limits: Limits{Memory: 256 * mib}},
		{Name: "shared memory", Limits: Limits{Memory: 256 * mib}},
		{Name: "memfd", Limits: Limits{Memory: 256 * mib}},
		{Name: "file size", Limits: Limits{FileSize: mib}},
		{Name: "flood", Limits: Limits{Output: mib}},
	}
	for i := range all {
		all[i] = c.withInput(all[i])
	}
	return all
}

// withInput fills in the probe's input.
func (c *Canaries) withInput(t Attempt) Attempt {
	targets := c.targets
	targets.Limits, targets.Patience = t.Limits, 3000
	stdin, err := json.Marshal(targets)
	if err != nil {
		panic(err) // strings and numbers
	}
	t.Args, t.Stdin = []string{t.Name}, stdin
	return t
}

// layFiles makes the workspace, the secret, and a file for each attack that would change one.
func (c *Canaries) layFiles() error {
	out, secret := filepath.Join(c.dir, "out"), filepath.Join(c.dir, "secret", "id_"+rand.Text())
	for _, d := range []string{c.Workspace(), out, filepath.Dir(secret)} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	text := []byte("hob canary " + rand.Text() + "\n")
	if err := os.WriteFile(secret, text, 0o600); err != nil {
		return err
	}
	c.targets.Secret, c.targets.SecretSum, c.targets.Out = secret, sum(text), out
	if h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, secret, 0); err == nil {
		c.targets.Handle, c.targets.HandleType = h.Bytes(), h.Type()
	}
	for _, a := range attacks() {
		if !a.onFile {
			continue
		}
		if err := os.WriteFile(filepath.Join(out, a.name), []byte("as it was\n"), 0o600); err != nil {
			return err
		}
	}
	var err error
	c.before, err = c.look()
	return err
}

// laySelf describes hob, as a victim.
func (c *Canaries) laySelf() error {
	t := &c.targets
	t.PID, t.Mark, t.MarkSum = os.Getpid(), uintptr(unsafe.Pointer(unsafe.SliceData(c.mark))), sum(c.mark)
	if env, err := os.ReadFile("/proc/self/environ"); err == nil {
		t.EnvironSum = sum(env)
	}
	if line, err := os.ReadFile("/proc/self/cmdline"); err == nil {
		t.CmdlineSum = sum(line)
	}
	t.Namespace = inode("/proc/self/ns/pid")
	// The descriptor is left open on exec on purpose, for as long as the canaries live: what it shows is no secret.
	fd, err := unix.Open(t.Secret, unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	c.stray, t.Stray = fd, fd
	return nil
}

// state is all of a file that an attack could change: when it was last touched says most.
type state struct {
	mode             uint32
	size, nlink      int64
	modified, change unix.Timespec
	text, attributes string
}

// look returns the state of everything in the folder of files, by name.
func (c *Canaries) look() (map[string]state, error) {
	entries, err := os.ReadDir(c.targets.Out)
	if err != nil {
		return nil, err
	}
	all := make(map[string]state, len(entries))
	for _, e := range entries {
		p := filepath.Join(c.targets.Out, e.Name())
		var st unix.Stat_t
		if err := unix.Lstat(p, &st); err != nil {
			continue // it is missing then, which changed reports
		}
		s := state{mode: st.Mode, size: st.Size, nlink: int64(st.Nlink), modified: st.Mtim, change: st.Ctim}
		if e.Type().IsRegular() {
			text, _ := os.ReadFile(p)
			s.text = string(text)
			var names [256]byte
			n, _ := unix.Llistxattr(p, names[:])
			s.attributes = strings.ToValidUTF8(string(names[:max(n, 0)]), "?")
		}
		all[e.Name()] = s
	}
	return all, nil
}

// changed returns what became of the files, by the name of the attack.
func (c *Canaries) changed() map[string]string {
	found := map[string]string{}
	after, err := c.look()
	if err != nil {
		for name := range c.before {
			found[name] = "the canaries are gone"
		}
		return found
	}
	for name, was := range c.before {
		is, ok := after[name]
		switch {
		case !ok:
			found[name] = "the file is gone"
		case is.text != was.text || is.size != was.size:
			found[name] = "the file's content changed"
		case is != was:
			found[name] = "the file's mode, times or attributes changed"
		}
	}
	for name := range after {
		if _, ok := c.before[name]; !ok {
			found[strings.TrimSuffix(name, newSuffix)] = "something new was made"
		}
	}
	return found
}

// newSuffix ends the names of what attacks make beside the canaries.
const newSuffix = " (new)"

func sum(p []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(p))
}

// inode is the inode's number of the file that path leads to; 0 when it is not known.
func inode(path string) uint64 {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return 0
	}
	return st.Ino
}
