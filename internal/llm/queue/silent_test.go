package queue_test

import (
	"testing"
	"time"
)

// Who waits for a request that does not begin to be answered is told so once, and goes on beside it where there is another
// device.
func TestARequestThatIsNotAnswered(t *testing.T) {
	for _, spare := range []bool{false, true} {
		in(t, func(h *house) {
			h.queue.Spare(func() bool { return spare })
			h.ask("ana", 1)
			<-time.After(10 * time.Second)
			h.ask("bob", 2)
			<-time.After(49 * time.Second)
			h.runs("ana")
			<-time.After(time.Minute)
			if spare {
				h.runs("ana", "bob")
				h.end("bob", 0)
				h.saw("bob", "waiting: 1 before you", "reply: done")
				h.end("ana", 0)
				return
			}
			h.runs("ana")
			h.end("ana", 0)
			h.end("bob", 0)
			h.saw("bob", "waiting: 1 before you", "waiting: 1 before you, and the model has not begun to answer for 60 s", "reply: done")
		})
	}
}

// One that is answered is no such request, however long it takes.
func TestARequestThatIsAnsweredSlowly(t *testing.T) {
	in(t, func(h *house) {
		h.queue.Spare(func() bool { return true })
		h.ask("ana", 1)
		h.text("ana", "so")
		h.ask("bob", 2)
		<-time.After(time.Hour)
		h.runs("ana")
		h.end("ana", 0)
		h.end("bob", 0)
		h.saw("bob", "waiting: 1 before you", "reply: done")
	})
}

// More than one run while another device answers beside the one that does not; who waits is told about both.
func TestWaitBesideASpareDevice(t *testing.T) {
	in(t, func(h *house) {
		h.queue.Spare(func() bool { return true })
		h.ask("eve", 1)
		h.end("eve", 10*time.Second)
		h.ask("ana", 2)
		<-time.After(time.Minute)
		h.ask("bob", 3)
		h.runs("ana", "bob")
		h.ask("cleo", 4)
		h.end("bob", 0)
		h.end("cleo", 0)
		h.end("ana", 0)
		h.saw("cleo", "waiting: 2 before you, and the model has not begun to answer for 60 s", "reply: done")
	})
}
