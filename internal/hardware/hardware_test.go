package hardware

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

const gib = 1 << 30

func TestParseMeminfo(t *testing.T) {
	text, err := os.ReadFile("testdata/meminfo")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseMeminfo(string(text))
	if want := (Memory{Total: 8017440 << 10, Free: 4810420 << 10}); got != want || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "MemFree: 1 kB", "MemTotal: many kB", "MemTotal: -5 kB", "MemTotal: 99999999999999999999 kB"} {
		if got, err := ParseMeminfo(bad); err == nil {
			t.Errorf("%q is taken for %+v", bad, got)
		}
	}
}

func TestParseNVIDIA(t *testing.T) {
	text, err := os.ReadFile("testdata/nvidia-smi.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := []Card{
		{"NVIDIA GeForce RTX 3060", Memory{12288 << 20, 11909 << 20}},
		{"Tesla P40, passive", Memory{23040 << 20, 0}},
	}
	if diff := cmp.Diff(want, ParseNVIDIA(string(text))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The speed of a card's memory is known by its name, and that of several is the slowest one's.
func TestCardRate(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  float64
	}{
		{nil, 0}, {[]string{"NVIDIA GeForce RTX 3090"}, 936e9}, {[]string{"Tesla P40", "NVIDIA GeForce RTX 3090"}, 346e9},
		{[]string{"NVIDIA GeForce RTX 3090", "AMD card0"}, 0}, {[]string{"#"}, 0},
	} {
		var cards []Card
		for _, name := range c.names {
			cards = append(cards, Card{Name: name})
		}
		if got := CardRate(cards); got != c.want {
			t.Errorf("%q: %v, not %v", c.names, got, c.want)
		}
	}
	for name, rate := range cardRates() {
		if rate < 100e9 || rate > 10e12 || strings.TrimSpace(name) != name {
			t.Errorf("%q reads %v bytes a second", name, rate)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("NVIDIA GeForce RTX 3060, 12288, 11909\nMemTotal: 5 kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMeminfo(text)
		if err == nil && (m.Total == 0 || m.Free > m.Total) {
			t.Errorf("%q: %+v", text, m)
		}
		for _, c := range ParseNVIDIA(text) {
			if c.Total == 0 || c.Free > c.Total {
				t.Errorf("%q: %+v", text, c)
			}
		}
	})
}

func TestRead(t *testing.T) {
	data := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	info := data("MemTotal:       16384000 kB\nMemAvailable:   4096000 kB\n")
	system := Memory{16384000 << 10, 4096000 << 10}
	amd, driver := "sys/class/drm/card0/device/mem_info_vram_", "proc/driver/nvidia/version"
	rtx := Card{"RTX", Memory{8 * gib, 7 * gib}}
	for _, c := range []struct {
		name   string
		root   fstest.MapFS
		driver string // what nvidia-smi prints; "": there is none
		want   Machine
		source string
	}{
		{"memory", fstest.MapFS{"proc/meminfo": info}, "", Machine{System: system}, "memory of the system"},
		{"a container", fstest.MapFS{"proc/meminfo": info, "sys/fs/cgroup/memory.max": data("4294967296\n"), "sys/fs/cgroup/memory.current": data("1073741824\n")}, "",
			Machine{System: Memory{4 * gib, 3 * gib}, Container: true}, "memory that the container may use"},
		{"a container without limit", fstest.MapFS{"proc/meminfo": info, "sys/fs/cgroup/memory.max": data("max\n")}, "", Machine{System: system}, "memory of the system"},
		{"an old container", fstest.MapFS{"proc/meminfo": info, "sys/fs/cgroup/memory/memory.limit_in_bytes": data("9223372036854771712\n")}, "",
			Machine{System: system}, "memory of the system"},
		{"a card", fstest.MapFS{"proc/meminfo": info, amd + "total": data("17163091968\n"), amd + "used": data("163091968\n"),
			"sys/class/drm/card0-HDMI-A-1/device/mem_info_vram_total": data("17163091968\n")}, "",
			Machine{System: system, Cards: []Card{{"AMD card0", Memory{17163091968, 17e9}}}}, "memory of the graphics card"},
		{"two cards", fstest.MapFS{"proc/meminfo": info, amd + "total": data("8589934592\n"), driver: data("NVRM")}, "RTX, 8192, 7168\n",
			Machine{System: system, Cards: []Card{{"AMD card0", Memory{8 * gib, 8 * gib}}, rtx}}, "memory of the graphics cards"},
		{"built-in graphics", fstest.MapFS{"proc/meminfo": info, amd + "total": data("536870912\n")}, "", Machine{System: system}, "memory of the system"},
		{"a small card", fstest.MapFS{"proc/meminfo": info, driver: data("NVRM")}, "GT 710, 1024, 1000\n", Machine{System: system, Hidden: true},
			"memory of the system; there is an NVIDIA card, but nvidia-smi does not say how much memory it has"},
		{"no nvidia-smi", fstest.MapFS{"proc/meminfo": info, driver: data("NVRM")}, "", Machine{System: system, Hidden: true},
			"memory of the system; there is an NVIDIA card, but nvidia-smi does not say how much memory it has"},
		{"nvidia-smi without a driver is not asked", fstest.MapFS{"proc/meminfo": info}, "RTX, 8192, 7168\n", Machine{System: system}, "memory of the system"},
	} {
		run := func(_ context.Context, argv []string) (string, error) {
			if c.driver == "" || argv[0] != "nvidia-smi" {
				return "", errors.New("there is no such program")
			}
			return c.driver, nil
		}
		got, err := Probe{Root: c.root, Run: run}.Read(t.Context())
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
		if got.Source() != c.source {
			t.Errorf("%s: the source is %q, not %q", c.name, got.Source(), c.source)
		}
	}
	got, err := Probe{Root: fstest.MapFS{amd + "total": data("8589934592\n")}}.Read(t.Context())
	if err == nil || got.Usable().Total != 8*gib {
		t.Errorf("a card where the system's memory is unknown: %+v, %v", got, err)
	}
}

func TestUsable(t *testing.T) {
	system, card := Memory{16 * gib, 4 * gib}, Card{"a", Memory{8 * gib, 7 * gib}}
	if got := (Machine{System: system}).Usable(); got != system {
		t.Errorf("without a card %+v", got)
	}
	if got, want := (Machine{System: system, Cards: []Card{card, card}}).Usable(), (Memory{16 * gib, 14 * gib}); got != want {
		t.Errorf("with two cards %+v, not %+v", got, want)
	}
}

// The clock of this test goes on by a millisecond whenever it is read, so one core reads the same number
// of bytes each time: it looks at the clock after each MiB, and stops at 300 ms. The measuring reads it
// twice more.
func TestBandwidth(t *testing.T) {
	var ticks atomic.Int64
	now := func() time.Time { return time.Unix(0, ticks.Add(int64(time.Millisecond))) }
	got, err := Probe{Now: now}.Bandwidth(t.Context(), 1, 64<<20)
	read, took := 300<<20, 301*time.Millisecond
	if want := (Bandwidth{BytesPerSecond: float64(read) / took.Seconds(), Cores: 1}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	gone, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	if got, err := (Probe{Now: now}).Bandwidth(gone, 2, 0); !errors.Is(err, stopped) {
		t.Errorf("a measurement that was stopped: %+v, %v", got, err)
	}
}

// With the real clock something is read, by no more cores than there are for it.
func TestBandwidthOfThisMachine(t *testing.T) {
	got, err := Probe{Now: time.Now}.Bandwidth(t.Context(), 99, 64<<20)
	if err != nil || got.BytesPerSecond <= 0 || got.Cores != maxCores {
		t.Errorf("%+v, %v", got, err)
	}
	t.Logf("%.1f GB/s", got.BytesPerSecond/1e9)
}

func TestSumOf(t *testing.T) {
	words := make([]uint64, 19)
	want := uint64(0)
	for i := range words {
		words[i] = 1 << i
		want += words[i]
	}
	if got := sumOf(words); got != want {
		t.Errorf("%b, not %b", got, want)
	}
}

func TestRoom(t *testing.T) {
	free := func(path string) (uint64, error) {
		switch path {
		case "/data":
			return 7, nil
		case "/data/closed":
			return 0, fs.ErrPermission
		case "/broken/a":
			return 0, fs.ErrInvalid
		}
		return 0, &fs.PathError{Op: "statfs", Path: path, Err: fs.ErrNotExist}
	}
	for path, want := range map[string]uint64{"/data": 7, "/data/a/b": 7, "/data/closed": 7} {
		if got, err := (Probe{Free: free}).Room(path); got != want || err != nil {
			t.Errorf("%s: %d, %v", path, got, err)
		}
	}
	for _, path := range []string{"/", "/other/a", "/broken/a"} {
		if got, err := (Probe{Free: free}).Room(path); err == nil {
			t.Errorf("%s: %d", path, got)
		}
	}
	if got, err := (Probe{Free: FreeSpace}).Room(t.TempDir() + "/not/there"); got == 0 || err != nil {
		t.Errorf("this machine has %d bytes: %v", got, err)
	}
}
