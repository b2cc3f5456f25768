package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"hob/internal/app"
	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/model"
	"hob/internal/retry"
	"hob/internal/skills/gamemaster"
	"hob/internal/surface/telegram/chat"
)

// instance is the application and the bot under one configuration.
type instance struct {
	env          *app.Environment
	clock        func() time.Time // of the household
	app          *app.App
	model        *model.Watch
	bot          Bot                 // nil: none; after start use currentBot
	botOff       string              // why there is no bot
	tokenBroken  bool                // why: a token is configured and cannot be used
	fromLastGood bool                // the configuration in force is the last good one, because the current one has a mistake
	newBot       func() (Bot, error) // makes the next bot after one has failed

	cancel  context.CancelFunc
	running sync.WaitGroup // the goroutines of this instance

	mu         sync.Mutex
	botStarted time.Time // zero: the bot does not run
}

// buildInstance builds an instance that does nothing yet. It takes over the shell and the limiter
// of the previous instance, if their configuration is the same; before is nil at the start.
func (d *daemon) buildInstance(ctx context.Context, s *app.Environment, before *instance) (*instance, error) {
	e := app.NewModel(s)
	i := &instance{env: s, clock: s.Clock(), model: model.NewWatch(e.CheckAvailable, func(p string) { d.reportProblem("Ollama", p) })}
	on := app.Deps{
		Journal: d.journal, Log: d.log, ModelWatch: i.model, Patience: func(*llm.Error, bool) time.Duration { return app.Forever }, DeliveryState: i.deliveryState, LongRunning: true, Notified: d.wakeChat,
		Pages: d.page,
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
	i.app = h
	token, err := s.BotToken()
	switch {
	case err != nil && before != nil:
		return nil, err
	case err != nil:
		i.botOff, i.tokenBroken = err.Error(), true
	case token == "":
		i.botOff = "there is no token: [telegram] token_file names the file that holds it"
	default:
		i.newBot = func() (Bot, error) {
			return d.connectBot(s, h, token, d.log, func(p string) { d.reportProblem("Telegram", p) }, func() { d.notify(d.systemdStatus()) })
		}
		if i.bot, err = i.newBot(); err != nil {
			return nil, err
		}
	}
	return i, nil
}

// start makes an instance the current one and runs it.
func (d *daemon) start(ctx context.Context, i *instance) {
	ctx, i.cancel = context.WithCancel(ctx)
	d.mu.Lock()
	d.instance = i
	maps.DeleteFunc(d.problems, func(subject, _ string) bool { return !outlives(subject) }) // the problems of the previous instance
	d.mu.Unlock()
	d.logOutput.setSecrets(i.env.Redactor)
	if off := i.app.SentencesOff; off != nil {
		d.reportProblem(sentencesSubject, fmt.Sprintf("hob goes on without it: %v", off))
	}
	for _, unknown := range i.env.UnknownNames(ctx, i.app.SkillSources) {
		d.log.Warn("a name is unknown", "why", unknown)
	}
	if i.bot == nil && !d.interactive {
		level := slog.LevelInfo
		if i.tokenBroken {
			level = slog.LevelWarn
		}
		d.log.Log(ctx, level, "Telegram is off", "why", i.botOff)
	}
	i.running.Go(func() {
		if i.env.Shell.Enabled {
			i.app.Shell.Sandbox.Tier(ctx) // first: systemd delegates a control group only to a process that is alone in it
		}
		d.sessions.open(i.app.Sessions)
		chats := d.resumeTurns(ctx, i)
		i.running.Go(func() {
			i.app.GameMaster.Rounds(ctx, chats, func(ctx context.Context, due gamemaster.Due) error {
				err := i.app.ContinueStory(ctx, due)
				d.wakeChat(due.Chat)
				return err
			})
		})
		i.running.Go(func() { i.app.Scheduler.Run(ctx) })
		if i.bot != nil {
			i.running.Go(func() { d.runBot(ctx, i) })
		}
		i.model.Run(ctx)
	})
}

// resumeTurns resumes interrupted turns, and returns all chats.
func (d *daemon) resumeTurns(ctx context.Context, i *instance) (all []event.Chat) {
	chats, err := d.journal.Chats(ctx)
	if err != nil && ctx.Err() == nil {
		d.log.Error("look for turns that were cut short", "err", err)
	}
	for _, chat := range chats {
		all = append(all, chat.Chat)
		if len(chat.Open) == 0 {
			continue
		}
		// Loading the chat resumes its turn.
		if _, err := i.app.IsBusy(ctx, chat.Chat); err != nil && ctx.Err() == nil {
			d.log.Error("resume a turn", "chat", chat.Chat, "err", err)
		}
	}
	return all
}

// Delays before a failed bot starts again.
const (
	botRetry    = time.Minute
	maxBotRetry = 15 * time.Minute
)

// runBot runs the bot, and starts another after a failure, with growing delays.
func (d *daemon) runBot(ctx context.Context, i *instance) {
	for wait, b := botRetry, i.bot; ; wait = min(2*wait, maxBotRetry) {
		if b != nil {
			began := time.Now()
			i.setBotStarted(began)
			err := b.Run(ctx)
			i.setBotStarted(time.Time{})
			if ctx.Err() != nil {
				return
			}
			d.reportProblem("Telegram", fmt.Sprintf("it broke off, and begins again later: %v", err))
			if time.Since(began) > maxBotRetry {
				wait = botRetry
			}
		}
		if retry.Wait(ctx, wait) != nil {
			return
		}
		next, err := i.newBot()
		if b = next; err != nil {
			d.reportProblem("Telegram", err.Error())
			b = nil
			continue
		}
		i.mu.Lock()
		i.bot = b
		i.mu.Unlock()
	}
}

func (i *instance) setBotStarted(begun time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.botStarted = begun
}

// lastPoll returns when the bot last polled Telegram, or when it started. It returns zero if no bot
// runs.
func (i *instance) lastPoll() time.Time {
	i.mu.Lock()
	b, begun := i.bot, i.botStarted
	i.mu.Unlock()
	if begun.IsZero() {
		return time.Time{}
	}
	if at := b.State().Polled; at.After(begun) {
		return at
	}
	return begun
}

// deliveryState returns the state of a file that was sent on Telegram, or "" if no bot runs.
func (i *instance) deliveryState(ctx context.Context, to event.Chat, seq int64, n int) event.SendState {
	i.mu.Lock()
	b, begun := i.bot, i.botStarted
	i.mu.Unlock()
	if b == nil || begun.IsZero() || !strings.HasPrefix(string(to), chat.Platform+"/") {
		return ""
	}
	return b.Delivered(ctx, to, seq, n)
}

// botName returns the bot's name on Telegram, or "" until that is known.
func (i *instance) botName() string {
	if b := i.currentBot(); b != nil {
		return b.State().Name
	}
	return ""
}

// currentBot returns the bot, or nil.
func (i *instance) currentBot() Bot {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.bot
}

// stop ends the instance and reports whether it ended in time. Turns are interrupted, to be
// resumed; processes in the background go on. The MCP servers end after the turns that call them.
func (i *instance) stop() bool {
	if i.cancel != nil {
		i.cancel()
		if !endsWithin(botTimeout, i.running.Wait) {
			return false
		}
	}
	return endsWithin(closeTimeout, i.app.Sessions.Close) && endsWithin(closeTimeout, i.app.SkillSources.Close)
}

// endsWithin calls do and reports whether it returned in time. A call that did not is left running:
// the process ends soon.
func endsWithin(limit time.Duration, do func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	return retry.Within(done, limit)
}

// The subjects of problems that status and doctor show, beside Telegram and Ollama.
const (
	configSubject    = "the configuration"
	apiSubject       = "[api] listen"
	pageSubject      = "The page"
	sentencesSubject = app.OwnSentences
)

// outlives reports whether a problem lasts when another instance begins.
func outlives(subject string) bool {
	return slices.Contains([]string{configSubject, apiSubject, pageSubject}, subject)
}

// ownProblems returns the problems but those of Telegram and Ollama, a sentence for each.
func (d *daemon) ownProblems() (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, subject := range slices.Sorted(maps.Keys(d.problems)) {
		if outlives(subject) || subject == sentencesSubject {
			all = append(all, d.logOutput.redact(subject+": "+d.problems[subject]))
		}
	}
	return all
}

// reportProblem logs the problem of a subject when it changes. "" means that the subject works.
func (d *daemon) reportProblem(subject, problem string) {
	if !d.setProblem(subject, problem) {
		return
	}
	if problem == "" {
		d.log.Info(subject + " works again")
		return
	}
	d.log.Warn(subject+" does not work", "why", problem)
}

// setProblem stores the problem of a subject, and reports whether it has changed.
func (d *daemon) setProblem(subject, problem string) bool {
	d.mu.Lock()
	changed := d.problems[subject] != problem
	if d.problems[subject] = problem; problem == "" {
		delete(d.problems, subject)
	}
	d.mu.Unlock()
	if changed {
		d.notify(d.systemdStatus())
	}
	return changed
}

// systemdStatus returns the line that systemctl status shows.
func (d *daemon) systemdStatus() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	words := []string{"serving"}
	troubles := maps.Clone(d.problems)
	if d.instance != nil && d.instance.botOff != "" {
		words = append(words, "Telegram is off: "+d.instance.botOff)
	}
	if d.instance != nil && troubles["Telegram"] == "" {
		if b := d.instance.currentBot(); b != nil && b.State().Problem != "" { // a problem that may pass, which is not logged
			troubles["Telegram"] = b.State().Problem
		}
	}
	for _, subject := range slices.Sorted(maps.Keys(troubles)) {
		words = append(words, subject+": "+troubles[subject])
	}
	return "STATUS=" + d.logOutput.redact(strings.ReplaceAll(strings.Join(words, "; "), "\n", " "))
}
