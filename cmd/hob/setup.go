package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/atomicfile"
	"hob/internal/client"
	"hob/internal/config"
	"hob/internal/daemon"
	"hob/internal/display"
	"hob/internal/doctor"
	"hob/internal/exit"
	"hob/internal/retry"
	"hob/internal/store"
	"hob/internal/surface/cli"
	"hob/internal/surface/telegram/chat"
)

// noneWord is the answer that hob shall work without a model, or without Telegram or a service.
const noneWord = "none"

// setup is one run of `hob setup`. Each step asks, does at once what was answered, and adds a check: what was done stays, also
// when a later step is left with Ctrl-C.
type setup struct {
	a      *program
	silent bool // nobody is asked: flags and defaults are the answers
	checks []doctor.Check

	ollama, model, zone, tokenFile, service string // answers; "" asks
}

func setupCommand(a *program) *cobra.Command {
	var yes bool
	var asJSON func() bool
	u := &setup{a: a}
	cmd := a.withOwnResult(&cobra.Command{
		Use: "setup", Short: "set hob up: the model, Telegram, the service", Args: cobra.NoArgs,
		Long: "setup asks how hob reaches a model, which one, about the time zone, Telegram and the service, and tries each out. Enter takes\n" +
			"the default in brackets. Each answer counts at once: after Ctrl-C what was set stays, and hob setup begins again. Each\n" +
			"answer is a flag, too; --yes takes the defaults for the others, and --json prints what was found. hob downloads and\n" +
			"runs no installer: it shows the command.",
		Example: "  hob setup\n  hob setup --model none --service none --yes\n" +
			"  hob setup --model qwen3:4b --token-file ~/telegram_token --service user --yes",
	}, func(ctx context.Context, _ []string) (result, error) {
		u.silent = yes || asJSON() || !a.terminal().IsInteractive()
		if u.silent && !yes {
			return result{}, exit.Errorf(exit.Usage, "nobody can be asked here: --yes takes the defaults for what no flag says")
		}
		if !slices.Contains([]string{"", "user", "system", noneWord}, u.service) {
			return result{}, exit.Errorf(exit.Usage, "--service %s: it is user, system or none", u.service)
		}
		return u.run(ctx)
	})
	asJSON = func() bool { on, _ := cmd.Flags().GetBool("json"); return on }
	cmd.Flags().StringVar(&u.ollama, "ollama", "", "address of the Ollama that answers, such as http://192.168.1.10:11434")
	cmd.Flags().StringVar(&u.zone, "zone", "", "time zone, such as Europe/Berlin")
	cmd.Flags().StringVar(&u.tokenFile, "token-file", "", "file with the token of the Telegram bot, for you alone to read; none is without Telegram")
	cmd.Flags().StringVar(&u.service, "service", "", "user, system or none: what runs hob all the time")
	cmd.Flags().BoolVar(&yes, "yes", false, "ask nothing: take the defaults")
	return cmd
}

// setupReport is what `hob setup --json` prints.
type setupReport struct {
	OK     bool           `json:"ok"` // no check failed
	Checks []doctor.Check `json:"checks"`
}

func (u *setup) run(ctx context.Context) (result, error) {
	u.model, u.a.ModelName = u.a.ModelName, ""
	ctx, leave := client.UntilInterrupted(ctx)
	defer leave()
	var err error
	for _, step := range []func(context.Context) error{u.readConfig, u.findOllama, u.chooseModel, u.checkZone, u.connectTelegram, u.installService, u.pair} {
		if err = step(ctx); err != nil {
			break
		}
	}
	switch {
	case errors.Is(err, errSetupEnds):
	case ctx.Err() != nil, errors.Is(err, cli.ErrInterrupted), errors.Is(err, io.EOF):
		return result{}, exit.Errorf(exit.Denied, "stopped; what was set stays, and hob setup begins again")
	case err != nil:
		return result{}, err
	}
	ok := !slices.ContainsFunc(u.checks, func(c doctor.Check) bool { return c.State == doctor.Broken })
	d := doctor.Diagnosis{OK: ok, Groups: []doctor.Group{{Name: "hob is set up so", Checks: u.checks}}}
	return result{value: setupReport{ok, u.checks}, text: "\n" + u.a.diagnosisText(d, true), failure: failUnless(ok)}, nil
}

// errSetupEnds says that no later step makes sense. The check that says why was added.
var errSetupEnds = errors.New("setup ends")

func (u *setup) found(state doctor.State, name, do, format string, args ...any) {
	u.checks = append(u.checks, doctor.Check{Name: name, State: state, Found: fmt.Sprintf(format, args...), Do: do})
}

// say prints a line to the person who is asked.
func (u *setup) say(format string, args ...any) {
	if !u.silent {
		fmt.Fprintln(u.a.Stderr, u.a.terminal().Wrap(display.Clean(fmt.Sprintf(format, args...))))
	}
}

// ask asks a question and returns the answer, or the default for an empty one. What a flag says is not asked.
func (u *setup) ask(ctx context.Context, flag, question, otherwise string) (string, error) {
	if flag != "" || u.silent {
		return cmp.Or(flag, otherwise), nil
	}
	answer, err := u.a.terminal().Prompt().Ask(ctx, fmt.Sprintf("%s [%s]", question, otherwise)+" ")
	return cmp.Or(answer, otherwise), err
}

// set writes a value of the configuration.
func (u *setup) set(ctx context.Context, key, value string) error {
	path, err := u.a.ConfigPath()
	if err == nil {
		err = u.a.configEditor(ctx).Set(path, key, value)
	}
	return err
}

// load reads the configuration as it is now.
func (u *setup) load() (*app.Environment, error) { return u.a.Load() }

// readConfig looks whether there is a configuration that can be written to.
func (u *setup) readConfig(context.Context) error {
	const name = "configuration"
	path, err := u.a.ConfigPath()
	if err != nil {
		return err
	}
	if u.a.ConfigFile != "" { // which need not be there yet
		if _, absent := os.Stat(path); os.IsNotExist(absent) {
			if err := (config.Editor{}).Replace(path, "", ""); err != nil {
				u.found(doctor.Broken, name, "", "%v", err)
				return errSetupEnds
			}
		}
	}
	if _, err := u.load(); err != nil {
		u.found(doctor.Broken, name, "mend it: hob config edit; hob config check says when it is right", "%v", err)
		return errSetupEnds
	}
	u.found(doctor.OK, name, "", "%s", path)
	return nil
}

// findOllama looks for the server of the model, and asks for another address where none answers.
func (u *setup) findOllama(ctx context.Context) error {
	const name = "Ollama"
	if u.model == noneWord {
		return nil
	}
	if u.ollama != "" {
		if _, err := config.HostURL(u.ollama); err != nil {
			return exit.Errorf(exit.Usage, "--ollama: %v", err)
		}
		if err := u.set(ctx, "ollama.host", u.ollama); err != nil {
			u.found(doctor.Broken, name, "", "%v", err)
			return nil
		}
	}
	const again = "try again"
	otherwise := again
	if u.silent {
		otherwise = noneWord
	}
	for tried := false; ; tried = true {
		s, err := u.load()
		if err != nil {
			return err
		}
		version, err := s.OllamaClient.Version(ctx)
		if err == nil {
			u.found(doctor.OK, name, "", "%s at %s", version, strings.Join(s.Hosts, ", "))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if tried {
			otherwise = noneWord
			u.say("%v.", err)
		} else {
			u.say("%v.\nhob installs nothing. Install Ollama in another window, then press Enter:\n\n    curl -fsSL https://ollama.com/install.sh | sh\n\n"+
				"or, in a checkout of hob: make ollama. Or type the address of an Ollama elsewhere. Without a model hob does chores in plain words: none.", err)
		}
		answer, asked := u.ask(ctx, "", "Address of Ollama", otherwise)
		switch {
		case asked != nil:
			return asked
		case answer == noneWord:
			u.model = noneWord
			u.found(doctor.Weak, name, "hob setup, once it answers", "%v", err)
			return nil
		case answer != again:
			if _, bad := config.HostURL(answer); bad != nil {
				u.say("%v", bad)
			} else if err := u.set(ctx, "ollama.host", answer); err != nil {
				u.say("%v", err)
			}
		}
	}
}

// chooseModel asks which model hob shall use, and pulls it where it is not there.
func (u *setup) chooseModel(ctx context.Context) error {
	const name = "model"
	if u.model == noneWord {
		u.found(doctor.OK, name, "", "none: chores work in plain words, and stories with --no-model")
		return nil
	}
	s, err := u.load()
	if err != nil {
		return err
	}
	e := app.NewModel(s)
	installed, err := s.OllamaClient.Models(ctx)
	if err != nil {
		u.found(doctor.Broken, name, "", "%v", err)
		return nil
	}
	proposed := e.Proposed(ctx).Name
	otherwise, names := cmp.Or(s.Ollama.Model, proposed), []string{}
	for _, m := range installed {
		names = append(names, m.Name)
	}
	if s.Ollama.Model == "" && len(names) > 0 && !slices.Contains(names, proposed) {
		otherwise = names[0]
	}
	u.say("Ollama has %s. For this machine hob proposes %s.", cmp.Or(strings.Join(names, ", "), "no model yet"), proposed)
	model, err := u.ask(ctx, u.model, "Which model? (none: without)", otherwise)
	switch {
	case err != nil:
		return err
	case model == noneWord:
		u.model = noneWord
		return u.chooseModel(ctx)
	}
	if !slices.ContainsFunc(names, func(n string) bool { return n == model || n == model+":latest" }) {
		u.say("%s: %s", model, e.PlanPull(ctx, model).Describe())
		yes, err := u.ask(ctx, "", "Download it now?", "yes")
		switch {
		case err != nil:
			return err
		case !strings.HasPrefix(strings.ToLower(yes), "y"):
			u.found(doctor.Weak, name, "hob model pull "+model, "%s is not there", model)
			return nil
		}
		if err := u.a.pull(ctx, s, model); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			u.found(doctor.Broken, name, "hob model pull "+model, "%v", err)
			return nil
		}
	}
	if err := app.NewModel(s).UseModel(ctx, model); err != nil {
		u.found(doctor.Broken, name, "hob model lists others", "%v", err)
		return nil
	}
	if s, err = u.load(); err != nil {
		return err
	}
	if _, err := app.NewModel(s).Ready(ctx); err != nil {
		u.found(doctor.Broken, name, "hob model lists others", "%v", err)
		return nil
	}
	u.found(doctor.OK, name, "", "%s", model)
	return nil
}

// checkZone asks for the time zone of the person, and keeps it where it is not the one of this machine.
func (u *setup) checkZone(ctx context.Context) error {
	const name = "time zone"
	now := time.Now()
	here := cmp.Or(app.MachineZone(u.a.Env("TZ")), now.Format("MST"))
	zone, err := u.ask(ctx, u.zone, fmt.Sprintf("It is %s here. Your time zone?", now.Format("15:04")), here)
	if err != nil {
		return err
	}
	at, err := time.LoadLocation(zone)
	switch {
	case zone == here:
		u.found(doctor.OK, name, "", "%s, of this machine", here)
	case err != nil && u.zone != "":
		return exit.Errorf(exit.Usage, "--zone %s: there is no such time zone; they have names such as Europe/Berlin", zone)
	case err != nil:
		u.say("There is no time zone %q; they have names such as Europe/Berlin.", zone)
		return u.checkZone(ctx)
	default:
		if err := u.set(ctx, "time.zone", zone); err != nil {
			return err
		}
		u.found(doctor.OK, name, "", "%s: it is %s there", zone, now.In(at).Format("15:04"))
	}
	return nil
}

// connectTelegram asks for the token of a bot, tries it, and writes it into a file for this person alone.
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
		u.found(doctor.Broken, name, "", "%v", bad)
		return nil
	case has != "":
		u.checks = append(u.checks, doctor.CheckBot(ctx, s, has))
		return nil
	case u.silent || u.tokenFile == noneWord:
		u.found(doctor.OK, name, "", "off: there is no token")
		return nil
	}
	u.say("\nTo talk to hob from your phone, say /newbot to @BotFather on Telegram, and paste the token that it shows. It stays unseen.")
	for {
		token, err := u.a.terminal().Prompt().Secret(ctx, "Token (Enter: without Telegram) ")
		if err != nil {
			return err
		}
		if token = strings.TrimSpace(token); token == "" {
			u.found(doctor.OK, name, "", "off: there is no token")
			return nil
		}
		config, err := u.a.ConfigPath()
		if err != nil {
			return err
		}
		path := filepath.Join(filepath.Dir(config), "telegram_token")
		if err := writeSecret(path, token); err != nil {
			u.found(doctor.Broken, name, "", "%v", err)
			return nil
		}
		before := len(u.checks)
		if err := u.useToken(ctx, s, path); err != nil {
			return err
		}
		if u.checks[before].State != doctor.Broken {
			return nil
		}
		u.say("%s. Once more, or Enter to go on without Telegram.", u.checks[before].Found)
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
	return atomicfile.Replace(path, 0o600, func(f *os.File) error {
		_, err := io.WriteString(f, text+"\n")
		return err
	})
}

// useToken tries the token in a file, and has the configuration name the file where Telegram knows it.
func (u *setup) useToken(ctx context.Context, s *app.Environment, path string) error {
	old := s.BotTokenFile
	s.BotTokenFile.Path = path
	token, err := s.BotToken()
	s.BotTokenFile = old
	if err != nil {
		u.found(doctor.Broken, "Telegram", "", "%v", err)
		return nil
	}
	check := doctor.CheckBot(ctx, s, token)
	check.Found = strings.ReplaceAll(check.Found, token, "the token") // no configuration names it yet
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if check.State != doctor.Broken {
		if err := u.set(ctx, "telegram.token_file", path); err != nil {
			check = doctor.Check{Name: "Telegram", State: doctor.Broken, Found: err.Error()}
		}
	}
	u.checks = append(u.checks, check)
	return nil
}

// pair lets the owner in with a real message. Where no daemon reads the messages, this process does meanwhile.
func (u *setup) pair(ctx context.Context) error {
	s, err := u.load()
	if err != nil {
		return err
	}
	works := slices.ContainsFunc(u.checks, func(c doctor.Check) bool { return c.Name == "Telegram" && c.State == doctor.OK })
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
		u.found(doctor.OK, "people", "", "%d may talk to hob over Telegram", people)
		return nil
	case u.silent:
		u.found(doctor.Weak, "people", "hob pair lets you in", "nobody may talk to hob over Telegram yet")
		return nil
	}
	end := func() {}
	if client.Serving(ctx, s) == "" {
		end = u.serveMeanwhile(ctx, s)
	}
	defer end()
	u.say("")
	if err := u.a.pair(ctx, s, "owner", false); err != nil {
		u.found(doctor.Broken, "people", "hob pair lets you in", "%v", err)
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	u.found(doctor.OK, "people", "", "you are in: a message of yours has come")
	return nil
}

// How long setup waits for the bot of its own daemon, and how often it checks for it.
const (
	botTime = 10 * time.Second
	botPoll = 50 * time.Millisecond
)

// serveMeanwhile runs the daemon in this process until end is called. It returns when the daemon reads what the bot is sent, has ended,
// or takes too long.
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
	for explainUnread(within, s) != "" && retry.Wait(within, botPoll) == nil { // the condition waits
	}
	return func() { stop(); <-done }
}
