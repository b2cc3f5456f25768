package daemon

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/surface/telegram"
)

// fleeting is a bot that breaks off as soon as it runs, as often as it has lives left.
type fleeting struct {
	lives int
	runs  chan<- int
}

func (b *fleeting) Run(ctx context.Context) error {
	b.runs <- b.lives
	if b.lives > 0 {
		return errors.New("the memory is gone")
	}
	<-ctx.Done()
	return nil
}

func (b *fleeting) State() telegram.State { return telegram.State{} }

func (b *fleeting) Wake(event.Chat) {}

func (b *fleeting) Delivered(context.Context, event.Chat, int64, int) event.SendState {
	return ""
}

// A bot that breaks off is begun again, later and later, and one that cannot be made is made later.
func TestTalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, out := newLog(&strings.Builder{}, false)
		d := &daemon{log: log, out: out, troubles: map[string]string{}}
		runs := make(chan int, 10)
		made := 0
		c := &instance{bot: &fleeting{2, runs}, again: func() (Bot, error) {
			if made++; made == 2 {
				return nil, errors.New("it cannot be made")
			}
			return &fleeting{max(0, 2-made), runs}, nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		began := time.Now()
		go func() { defer close(done); d.talk(ctx, c) }()
		for _, want := range []struct {
			lives int
			after time.Duration
		}{{2, 0}, {1, time.Minute}, {0, time.Minute + 2*time.Minute + 4*time.Minute}} {
			if lives, took := <-runs, time.Since(began); lives != want.lives || took != want.after {
				t.Errorf("one with %d left runs after %v, want %+v", lives, took, want)
			}
			synctest.Wait()
			if c.polled().IsZero() != (want.lives > 0) {
				t.Errorf("with %d left the asking began at %v", want.lives, c.polled())
			}
		}
		if c.talker().(*fleeting).lives != 0 || d.troubled("Telegram") != "it cannot be made" {
			t.Errorf("%+v, %q", c.talker(), d.troubled("Telegram"))
		}
		cancel()
		<-done
	})
}

// Who asks over TCP and who asks on the socket come in one after the other: between them a chat has one turn at a time.
func TestTheAPIsShareTheirEntry(t *testing.T) {
	d := &daemon{sessions: newSessionSwitch()}
	if cfg := d.local(&instance{app: &app.App{}}); cfg.Entry == nil {
		t.Error("each makes one of its own")
	}
}
