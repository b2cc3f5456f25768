//go:build linux

package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
)

// Who has a part keeps another process from having all, and the other way round.
func TestSharedLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "lock")
		a, b := &sharedLock{path: path}, &sharedLock{path: path}
		try := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		try(a.take(t.Context()))
		try(b.take(t.Context()))
		back, err := a.takeAll(t.Context())
		if !errors.Is(err, errOthersWrite) {
			t.Error(err)
		}
		back()
		b.drop()
		back, err = a.takeAll(t.Context()) // its own part is no hindrance
		try(err)
		had := make(chan error)
		go func() { had <- b.take(t.Context()) }()
		synctest.Wait()
		ended, end := context.WithCancel(t.Context())
		end()
		if err := b.take(ended); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		a.more()
		a.drop()
		back()
		try(<-had)
		if _, err := b.takeAll(ended); !errors.Is(err, context.Canceled) { // a has a part again
			t.Error(err)
		}
		b.back()
		a.drop()
		back, err = b.takeAll(t.Context())
		try(err)
		b.drop() // what it had a part for has ended meanwhile
		back()
		back, err = a.takeAll(t.Context())
		try(err)
		back()
	})
}

// A try for all of the lock loses the parts. Until they are had again nobody goes on.
func TestSharedLock_PartsAreHadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "lock")
		a, b, c := &sharedLock{path: path}, &sharedLock{path: path}, &sharedLock{path: path}
		for _, l := range []*sharedLock{a, b} {
			if err := l.take(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		back, err := a.takeAll(t.Context())
		if !errors.Is(err, errOthersWrite) {
			t.Fatal(err)
		}
		b.drop()
		all, err := c.takeAll(t.Context()) // a has nothing just now
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { back(); close(done) }()
		synctest.Wait()
		select {
		case <-done:
			t.Error("it goes on beside who has all")
		default:
		}
		all()
		<-done
		if _, err := c.takeAll(t.Context()); !errors.Is(err, errOthersWrite) {
			t.Error(err)
		}
		c.back()
	})
}

// What is no file of one's own is no lock.
func TestSharedLock_FollowsNothing(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := errors.Join(os.WriteFile(target, []byte("x"), 0o600), os.Symlink(target, filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "folder"} {
		l := &sharedLock{path: filepath.Join(dir, name)}
		if err := l.take(t.Context()); err == nil {
			t.Errorf("%s is a lock", name)
		}
		back, err := l.takeAll(t.Context())
		if err == nil {
			t.Errorf("%s is a lock", name)
		}
		back()
	}
}
