package atomicfile_test

import (
	"errors"
	"io/fs"
	"sync"
	"testing"

	"hob/internal/atomicfile"
)

// Of several who want the lock of a folder, one has it at a time, and its end lets the next one in.
func TestLockFolder(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	inside, most := make(chan struct{}, 8), make(chan int, 8)
	for range 8 {
		all.Go(func() {
			unlock, err := atomicfile.LockFolder(dir)
			if err != nil {
				t.Error(err)
				return
			}
			inside <- struct{}{}
			most <- len(inside)
			<-inside
			unlock()
		})
	}
	all.Wait()
	close(most)
	for n := range most {
		if n != 1 {
			t.Errorf("%d hold the lock at once", n)
		}
	}
	if _, err := atomicfile.LockFolder(dir + "/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
