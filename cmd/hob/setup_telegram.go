package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/app"
	"hob/internal/atomicfile"
	"hob/internal/client"
	"hob/internal/daemon"
	"hob/internal/doctor"
	"hob/internal/retry"
	"hob/internal/store"
	"hob/internal/surface/telegram/chat"
)

// connectTelegram asks for a bot token, tries it, and saves it in a file that only this person can
// read.
func (u *setup) connectTelegram(ctx context.Context) error {
	const name = "Telegram"
	s, err := u.load()
	if err != nil {
		return err
	}
	has, bad := s.BotToken()
	switch {
	case u.tokenFile != "" && u.tokenFile != noneWord:
		path, err := filepath.Abs(u.tokenFile)
		if err != nil {
			return err
		}
		return u.useToken(ctx, s, path)
	case bad != nil:
		u.failed(name, "", bad)
		return nil
	case has != "":
		u.add(doctor.CheckBot(ctx, s, has))
		return nil
	case u.silent || u.tokenFile == noneWord:
		u.found(doctor.OK, name, "", "Telegram.off")
		return nil
	}
	u.say("\n" + u.words.Text("Telegram.how"))
	for {
		token, err := u.a.terminal().Prompt().Secret(ctx, u.words.Text("Telegram.token"))
		if err != nil {
			return err
		}
		if token = strings.TrimSpace(token); token == "" {
			u.found(doctor.OK, name, "", "Telegram.off")
			return nil
		}
		config, err := u.a.ConfigPath()
		if err != nil {
			return err
		}
		path := filepath.Join(filepath.Dir(config), "telegram_token")
		if err := writeSecret(path, token); err != nil {
			u.failed(name, "", err)
			return nil
		}
		before := len(u.checks)
		if err := u.useToken(ctx, s, path); err != nil {
			return err
		}
		check := u.checks[before].own
		if check.State != doctor.Broken {
			return nil
		}
		u.say(u.words.Text("Telegram.again", check.Found))
		u.checks = u.checks[:before]
		if err := errors.Join(os.Remove(path), u.set(ctx, "telegram.token_file", s.Telegram.TokenFile)); err != nil {
			return err
		}
	}
}

// writeSecret writes a file that only this person can read.
func writeSecret(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	return atomicfile.ReplaceText(path, 0o600, text+"\n")
}

// useToken tries the token in a file. If Telegram accepts it, the configuration gets the path of
// the file.
func (u *setup) useToken(ctx context.Context, s *app.Environment, path string) error {
	old := s.BotTokenFile
	s.BotTokenFile.Path = path
	token, err := s.BotToken()
	s.BotTokenFile = old
	if err != nil {
		u.failed("Telegram", "", err)
		return nil
	}
	check := doctor.CheckBot(ctx, s, token)
	check.Found = strings.ReplaceAll(check.Found, token, "the token") // the redactor does not know this token yet
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if check.State != doctor.Broken {
		if err := u.set(ctx, "telegram.token_file", path); err != nil {
			check = doctor.Check{Name: "Telegram", State: doctor.Broken, Found: err.Error()}
		}
	}
	u.add(check)
	return nil
}

// add adds a check of the bot, which is in English in every language.
func (u *setup) add(c doctor.Check) { u.checks = append(u.checks, setupCheck{c, c}) }

// pair admits the owner by a real message. If no daemon reads messages, this process does so
// meanwhile.
func (u *setup) pair(ctx context.Context) error {
	s, err := u.load()
	if err != nil {
		return err
	}
	works := slices.ContainsFunc(u.checks, func(c setupCheck) bool { return c.english.Name == "Telegram" && c.own.State == doctor.OK })
	if token, _ := s.BotToken(); token == "" || !works {
		return nil
	}
	people, err := app.ReadJournal(ctx, s, func(db *store.DB) (int, error) {
		all, err := db.People().People(ctx, chat.Platform)
		return len(all), err
	})
	switch {
	case err != nil:
		return err
	case people > 0:
		u.found(doctor.OK, "people", "", "people.some", strconv.Itoa(people))
		return nil
	case u.silent:
		u.found(doctor.Weak, "people", "people.pair", "people.nobody")
		return nil
	}
	end := func() {}
	if client.Serving(ctx, s) == "" {
		end = u.serveMeanwhile(ctx, s)
	}
	defer end()
	u.say("")
	if err := u.a.pair(ctx, s, "owner"); err != nil {
		u.failed("people", "people.pair", err)
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	u.found(doctor.OK, "people", "", "people.in")
	return nil
}

// How long setup waits for the bot of its own daemon, and how often it checks for it.
const (
	botTime = 10 * time.Second
	botPoll = 50 * time.Millisecond
)

// serveMeanwhile runs the daemon in this process until end is called. It returns once the bot's
// messages are read, the daemon has ended, or botTime is over.
func (u *setup) serveMeanwhile(ctx context.Context, s *app.Environment) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	within, cancel := context.WithTimeout(ctx, botTime)
	defer cancel()
	quiet, done := *u.a.Loader, make(chan struct{})
	quiet.Stderr = io.Discard
	go func() {
		defer close(done)
		defer cancel()
		_ = daemon.Serve(ctx, daemon.Config{Loader: &quiet, Stdout: io.Discard, Terminal: func() bool { return true }})
	}()
	for explainUnread(within, s) != "" && retry.Wait(within, botPoll) == nil { // Wait does the waiting
	}
	return func() { stop(); <-done }
}
