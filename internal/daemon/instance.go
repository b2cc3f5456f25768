package daemon

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/skills/gamemaster"
	"hob/internal/surface/telegram/chat"
)

// instance is what works under one configuration.
type instance struct {
	env    *app.Environment
	app    *app.App
	model  *app.ModelWatch
	bot    Bot    // nil: there is none; once the instance has begun, see talker
	silent string // why there is no bot
	copied bool   // the configuration is the last good one, because that of now has a mistake
	again  func() (Bot, error)

	cancel context.CancelFunc
	all    sync.WaitGroup // what runs

	mu    sync.Mutex
	begun time.Time // when the bot last began to run; zero: it does not
}

// assemble builds a instance that does nothing yet. Of the one before it, which is nil at the start, the shell goes on if its
// configuration is the same.
func (d *daemon) assemble(ctx context.Context, s *app.Environment, before *instance) (*instance, error) {
	e := app.NewModel(s)
	c := &instance{env: s, model: app.NewModelWatch(e.CheckAvailable, func(p string) { d.trouble("Ollama", p) })}
	on := app.Deps{
		Journal: d.journal, Log: d.log, ModelWatch: c.model, Patience: func(*llm.Error, bool) time.Duration { return app.Forever }, DeliveryState: c.delivered, LongRunning: true,
	}
	if before != nil && reflect.DeepEqual(before.env.Shell, s.Shell) && before.env.Workspace == s.Workspace {
		on.Shell = before.app.Shell
	}
	if before != nil && before.env.Limits() == s.Limits() {
		on.Limiter = before.app.Limiter
	}
	h, err := d.loader.Build(ctx, s, e, on)
	if err != nil {
		return nil, err
	}
	c.app = h
	token, err := s.BotToken()
	switch {
	case err != nil && before != nil:
		return nil, err
	case err != nil:
		c.silent = err.Error()
	case token == "":
		c.silent = "there is no token: [telegram] token_file names the file that holds it"
	default:
		c.again = func() (Bot, error) {
			return d.connect(s, h, token, d.log, func(p string) { d.trouble("Telegram", p) }, func() { d.notify(d.status()) })
		}
		if c.bot, err = c.again(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// begin lets a instance work: it is what works from now on.
func (d *daemon) begin(ctx context.Context, c *instance) {
	ctx, c.cancel = context.WithCancel(ctx)
	d.mu.Lock()
	d.instance = c
	maps.DeleteFunc(d.troubles, func(subject, _ string) bool { return subject != theConfiguration }) // those of the instance before
	d.mu.Unlock()
	d.out.keep(c.env.Redactor)
	if c.bot == nil && !d.person {
		d.log.Info("Telegram is off", "why", c.silent)
	}
	c.all.Go(func() {
		if c.env.Shell.Enabled {
			c.app.Shell.Sandbox.Tier(ctx) // before anything else is started: a control group is delegated to who is alone in it
		}
		d.sessions.open(c.app.Sessions)
		chats := d.resume(ctx, c)
		c.all.Go(func() {
			c.app.GameMaster.Rounds(ctx, chats, func(ctx context.Context, due gamemaster.Due) error {
				err := c.app.ContinueStory(ctx, due)
				d.wake(due.Chat)
				return err
			})
		})
		if c.bot != nil {
			c.all.Go(func() { d.talk(ctx, c) })
		}
		c.model.Run(ctx)
	})
}

// resume takes up the turns that were cut short, and returns the chats that there are.
func (d *daemon) resume(ctx context.Context, c *instance) (all []event.Chat) {
	chats, err := d.journal.Chats(ctx)
	if err != nil && ctx.Err() == nil {
		d.log.Error("look for turns that were cut short", "err", err)
	}
	for _, chat := range chats {
		all = append(all, chat.Chat)
		if len(chat.Open) == 0 {
			continue
		}
		if _, err := c.app.Resume(ctx, chat.Chat); err != nil && ctx.Err() == nil {
			d.log.Error("resume a turn", "chat", chat.Chat, "err", err)
		}
	}
	return all
}

// How long it is until a bot that broke off begins again, and how that grows.
const (
	talkAgain     = time.Minute
	talkAgainMost = 15 * time.Minute
)

// talk runs the bot. One that breaks off is begun again, later and later.
func (d *daemon) talk(ctx context.Context, c *instance) {
	for wait, b := talkAgain, c.bot; ; wait = min(2*wait, talkAgainMost) {
		if b != nil {
			began := time.Now()
			c.talks(began)
			err := b.Run(ctx)
			c.talks(time.Time{})
			if ctx.Err() != nil {
				return
			}
			d.trouble("Telegram", fmt.Sprintf("it broke off, and begins again later: %v", err))
			if time.Since(began) > talkAgainMost {
				wait = talkAgain
			}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		next, err := c.again()
		if b = next; err != nil {
			d.trouble("Telegram", err.Error())
			b = nil
			continue
		}
		c.mu.Lock()
		c.bot = b
		c.mu.Unlock()
	}
}

func (c *instance) talks(begun time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = begun
}

// polled is when the asking for messages last moved, or began; zero where nobody asks.
func (c *instance) polled() time.Time {
	c.mu.Lock()
	b, begun := c.bot, c.begun
	c.mu.Unlock()
	if begun.IsZero() {
		return time.Time{}
	}
	if at := b.State().Polled; at.After(begun) {
		return at
	}
	return begun
}

// delivered says what became of a file that was handed to somebody on Telegram, if the bot works.
func (c *instance) delivered(ctx context.Context, to event.Chat, seq int64, n int) event.SendState {
	c.mu.Lock()
	b, begun := c.bot, c.begun
	c.mu.Unlock()
	if b == nil || begun.IsZero() || !strings.HasPrefix(string(to), chat.Platform+"/") {
		return ""
	}
	return b.Delivered(ctx, to, seq, n)
}

// name is what the bot is called on Telegram, "" as long as that is not known.
func (c *instance) name() string {
	if b := c.talker(); b != nil {
		return b.State().Name
	}
	return ""
}

// talker is the bot of now, nil where there is none.
func (c *instance) talker() Bot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bot
}

// leave ends what works, and reports whether it has ended in time. Turns are cut short, to be resumed; jobs go on. The servers
// of other people's tools end after the turns that call them.
func (c *instance) leave() bool {
	if c.cancel != nil {
		c.cancel()
		if !inTime(partWait, c.all.Wait) {
			return false
		}
	}
	return inTime(closeWait, c.app.Sessions.Close) && inTime(closeWait, c.app.SkillSources.Close)
}

// inTime does something and reports whether it ended in time. What did not is left alone: the process ends soon.
func inTime(limit time.Duration, do func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// theConfiguration is the subject of what is wrong with it.
const theConfiguration = "the configuration"

// trouble says what keeps a subject from working, when that changes; "" is nothing.
func (d *daemon) trouble(subject, problem string) {
	if !d.note(subject, problem) {
		return
	}
	if problem == "" {
		d.log.Info(subject + " works again")
		return
	}
	d.log.Warn(subject+" does not work", "why", problem)
}

// note keeps what keeps a subject from working, and reports whether that was another before.
func (d *daemon) note(subject, problem string) bool {
	d.mu.Lock()
	changed := d.troubles[subject] != problem
	if d.troubles[subject] = problem; problem == "" {
		delete(d.troubles, subject)
	}
	d.mu.Unlock()
	if changed {
		d.notify(d.status())
	}
	return changed
}

// status is what systemctl status shows.
func (d *daemon) status() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	words := []string{"serving"}
	troubles := maps.Clone(d.troubles)
	if d.instance != nil && d.instance.silent != "" {
		words = append(words, "Telegram is off: "+d.instance.silent)
	}
	if d.instance != nil && troubles["Telegram"] == "" {
		if b := d.instance.talker(); b != nil && b.State().Problem != "" { // one that may go by, which alarms nobody
			troubles["Telegram"] = b.State().Problem
		}
	}
	for _, subject := range slices.Sorted(maps.Keys(troubles)) {
		words = append(words, subject+": "+troubles[subject])
	}
	return "STATUS=" + d.out.discreet(strings.ReplaceAll(strings.Join(words, "; "), "\n", " "))
}
