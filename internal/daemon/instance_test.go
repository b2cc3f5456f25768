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

// failingBot is a bot that fails as soon as it runs, as often as it has lives left.
type failingBot struct {
	lives int
	runs  chan<- int
}

func (b *failingBot) Run(ctx context.Context) error {
	b.runs <- b.lives
	if b.lives > 0 {
		return errors.New("the memory is gone")
	}
	<-ctx.Done()
	return nil
}

func (b *failingBot) State() telegram.State { return telegram.State{} }

func (b *failingBot) Wake(event.Chat) {}

func (b *failingBot) Delivered(context.Context, event.Chat, int64, int) event.SendState {
	return ""
}

// A bot that fails starts again with growing delays, also after one that could not be made.
func TestRunBot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, out := newLog(&strings.Builder{}, false, false)
		d := &daemon{log: log, logOutput: out, problems: map[string]string{}}
		runs := make(chan int, 10)
		made := 0
		i := &instance{bot: &failingBot{2, runs}, newBot: func() (Bot, error) {
			if made++; made == 2 {
				return nil, errors.New("it cannot be made")
			}
			return &failingBot{max(0, 2-made), runs}, nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		began := time.Now()
		go func() { defer close(done); d.runBot(ctx, i) }()
		for _, want := range []struct {
			lives int
			after time.Duration
		}{{2, 0}, {1, time.Minute}, {0, time.Minute + 2*time.Minute + 4*time.Minute}} {
			if lives, took := <-runs, time.Since(began); lives != want.lives || took != want.after {
				t.Errorf("one with %d left runs after %v, want %+v", lives, took, want)
			}
			synctest.Wait()
			if i.lastPoll().IsZero() != (want.lives > 0) {
				t.Errorf("with %d left the asking began at %v", want.lives, i.lastPoll())
			}
		}
		if i.currentBot().(*failingBot).lives != 0 || d.problemOf("Telegram") != "it cannot be made" {
			t.Errorf("%+v, %q", i.currentBot(), d.problemOf("Telegram"))
		}
		cancel()
		<-done
	})
}

// Requests over TCP and on the socket share one entry: a chat has one turn at a time.
func TestTheAPIsShareTheirEntry(t *testing.T) {
	d := &daemon{sessions: newSessionSwitch()}
	if cfg := d.apiConfig(&instance{app: &app.App{}}); cfg.Entry == nil {
		t.Error("each makes one of its own")
	}
}
