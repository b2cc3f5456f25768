package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "lock")
	held, err := Lock(path, "hob serve")
	if err != nil {
		t.Fatal(err)
	}
	me := fmt.Sprintf("hob serve (pid %d)", os.Getpid())
	_, err = Lock(path, "hob ask")
	var other *LockedError
	if !errors.As(err, &other) || !errors.Is(err, ErrLocked) || err.Error() != "lock "+path+": held by "+me {
		t.Fatalf("a second Lock = %v", err)
	}
	if diff := cmp.Diff(&LockedError{Path: path, By: me}, other); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := errors.Join(held.Release(), held.Release()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); len(text) > 0 || err != nil {
		t.Errorf("after Release the file says %q, %v", text, err)
	}
	again, err := Lock(path, "x")
	if err != nil {
		t.Fatal(err)
	}
	defer again.Release()
	if _, err := Lock(path, ""); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("held by x (pid %d)", os.Getpid())) {
		t.Errorf("what the last holder wrote shows through: %v", err)
	}
}

// A lock ends with its process; what the file says then means nothing.
func TestLockOfAKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	p := start(t, "lock", path, nil)
	who := "child of a test (pid " + strings.TrimPrefix(p.line(), "holding ") + ")"
	var other *LockedError
	if _, err := Lock(path, "test"); !errors.As(err, &other) || other.By != who {
		t.Fatalf("Lock beside a holder = %v, want held by %q", err, who)
	}
	p.kill()
	if text, err := os.ReadFile(path); strings.TrimSpace(string(text)) != who || err != nil {
		t.Fatalf("the killed holder left %q, %v", text, err)
	}
	held, err := Lock(path, "t")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	if text, err := os.ReadFile(path); string(text) != fmt.Sprintf("t (pid %d)\n", os.Getpid()) || err != nil {
		t.Errorf("the next holder wrote %q, %v", text, err)
	}
}

func TestWaitLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	synctest.Test(t, func(t *testing.T) {
		first, err := Lock(path, "first")
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		got := make(chan *FileLock)
		go func() {
			held, err := WaitLock(t.Context(), path, "third", func(holder string) { told = append(told, holder) })
			if err != nil {
				t.Error(err)
			}
			got <- held
		}()
		wait := func() { <-time.After(time.Second); synctest.Wait() }
		wait()
		if err := first.Release(); err != nil { // before the third looks again, the second has it
			t.Fatal(err)
		}
		second, err := Lock(path, "second")
		if err != nil {
			t.Fatal(err)
		}
		wait()
		select {
		case <-got:
			t.Fatal("two have the lock")
		default:
		}
		second.Release()
		third := <-got
		defer third.Release()
		pid := fmt.Sprintf(" (pid %d)", os.Getpid())
		if diff := cmp.Diff([]string{"first" + pid, "second" + pid}, told); diff != "" {
			t.Errorf("onWait was told (-want +got)\n%s", diff)
		}
	})
}

func TestWaitLockEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	synctest.Test(t, func(t *testing.T) {
		held, err := Lock(path, "holder")
		if err != nil {
			t.Fatal(err)
		}
		defer held.Release()
		why := errors.New("somebody pressed Ctrl-C")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(why) })
		if _, err := WaitLock(ctx, path, "waiter", nil); !errors.Is(err, why) || !strings.Contains(err.Error(), "held by holder") {
			t.Errorf("WaitLock = %v", err)
		}
	})
}

// Somebody removed the file under a holder: the next one must not lock what nobody else sees.
func TestLockFileRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	folder, err := openFolder(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	f, err := openLock(folder, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, now := range []string{"removed", "replaced"} {
		if mine, err := tryLock(f, folder, path, "late"); mine || err != nil {
			t.Errorf("a lock on a file that was %s: %t, %v", now, mine, err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLockWithoutAFile(t *testing.T) {
	if _, err := Lock(t.TempDir(), "test"); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("Lock of a directory = %v", err)
	}
}
