package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/client"
	"hob/internal/config"
	"hob/internal/display"
	"hob/internal/doctor"
	"hob/internal/exit"
	"hob/internal/phrases"
	"hob/internal/surface/cli"
)

// noneWord is the answer for no model, no Telegram or no service.
const noneWord = "none"

// setup is one run of `hob setup`. Each step asks, acts on the answer at once and adds a check. A
// completed step stays when the person leaves a later one with Ctrl-C.
type setup struct {
	a      *program
	silent bool // ask nothing: flags and defaults are the answers
	words  phrases.Words
	checks []setupCheck

	ollama, model, zone, tokenFile, service string // answers from flags; "" asks
}

//go:embed words
var wordFiles embed.FS

// wordsIn returns the texts of hob setup in a language such as "de".
func wordsIn(lang string) phrases.Words { return phrases.In(wordFiles, lang) }

func setupCommand(a *program) *cobra.Command {
	var yes bool
	u := &setup{a: a}
	cmd := a.withOwnResult(&cobra.Command{
		Use: "setup", Short: "set hob up: the model, Telegram, the service", Args: cobra.NoArgs,
	}, func(ctx context.Context, _ []string) (result, error) {
		u.words = wordsIn(a.terminal().Language())
		u.silent = yes || a.json || !a.terminal().IsInteractive()
		if u.silent && !yes {
			return result{}, exit.Errorf(exit.Usage, "nobody can be asked here: --yes takes the defaults for what no flag says")
		}
		if !slices.Contains([]string{"", "user", "system", noneWord}, u.service) {
			return result{}, exit.Errorf(exit.Usage, "--service %s: it is user, system or none", u.service)
		}
		return u.run(ctx)
	})
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
		return result{}, exit.Errorf(exit.Denied, "%s", u.words.Text("left"))
	case err != nil:
		return result{}, err
	}
	report := setupReport{OK: true}
	shown := doctor.Group{Name: u.words.Text("title")}
	for _, c := range u.checks {
		report.OK = report.OK && c.own.State != doctor.Broken
		report.Checks, shown.Checks = append(report.Checks, c.english), append(shown.Checks, c.own)
	}
	text := "\n" + u.a.diagnosisText(u.words, doctor.Diagnosis{OK: report.OK, Groups: []doctor.Group{shown}}, true)
	return result{value: report, text: text, failure: failUnless(report.OK)}, nil
}

// setupCheck is one check in English for programs, and in the person's language.
type setupCheck struct{ english, own doctor.Check }

// errSetupEnds stops the setup. The step that returns it has added the check that says why.
var errSetupEnds = errors.New("setup ends")

// found adds a check. name, found and, if there is one, do are keys of words. Other text in do is
// used as it is.
func (u *setup) found(state doctor.State, name, do, found string, args ...string) {
	in := func(w phrases.Words) doctor.Check {
		todo, ok := w.Find(do)
		if !ok {
			todo = do
		}
		return doctor.Check{Name: w.Text(name), State: state, Found: w.Text(found, args...), Do: todo}
	}
	u.checks = append(u.checks, setupCheck{in(wordsIn("")), in(u.words)})
}

// failed adds a failed check that shows err.
func (u *setup) failed(name, do string, err error) {
	u.found(doctor.Broken, name, do, "plain", err.Error())
}

// say prints a line, unless setup is silent.
func (u *setup) say(text string) {
	if !u.silent {
		fmt.Fprintln(u.a.Stderr, u.a.terminal().Wrap(display.Clean(text)))
	}
}

// ask returns the flag if it is set; otherwise it asks, and an empty answer means the default.
func (u *setup) ask(ctx context.Context, flag, question, otherwise string) (string, error) {
	if flag != "" || u.silent {
		return cmp.Or(flag, otherwise), nil
	}
	answer, err := u.a.terminal().Prompt().Ask(ctx, fmt.Sprintf("%s [%s]", question, otherwise)+" ")
	return cmp.Or(answer, otherwise), err
}

// set writes a value into the configuration file.
func (u *setup) set(ctx context.Context, key, value string) error {
	path, err := u.a.ConfigPath()
	if err == nil {
		err = u.a.configEditor(ctx).Set(path, key, value)
	}
	return err
}

// load reads the configuration as it is now.
func (u *setup) load() (*app.Environment, error) { return u.a.Load() }

// readConfig checks that the configuration can be read. It creates the file that --config names.
func (u *setup) readConfig(context.Context) error {
	const name = "configuration"
	path, err := u.a.ConfigPath()
	if err != nil {
		return err
	}
	if u.a.ConfigFile != "" { // --config may name a new file
		if _, absent := os.Stat(path); os.IsNotExist(absent) {
			if err := (config.Editor{}).Replace(path, "", ""); err != nil {
				u.failed(name, "", err)
				return errSetupEnds
			}
		}
	}
	if _, err := u.load(); err != nil {
		u.failed(name, "configuration.mend", err)
		return errSetupEnds
	}
	u.found(doctor.OK, name, "", "plain", path)
	return nil
}

// checkZone asks for the person's time zone and saves it if it changes.
func (u *setup) checkZone(ctx context.Context) error {
	const name = "time.zone"
	s, err := u.load()
	if err != nil {
		return err
	}
	here := cmp.Or(app.MachineZone(u.a.Env("TZ")), time.Now().Format("MST"))
	before, now := cmp.Or(s.Time.Zone, here), time.Now()
	if at, err := time.LoadLocation(before); err == nil {
		now = now.In(at)
	}
	zone, err := u.ask(ctx, u.zone, u.words.Text("time.zone.ask", now.Format("15:04")), before)
	if err != nil {
		return err
	}
	typed := zone
	zone, at := app.FindZone(typed)
	switch {
	case zone == before && s.Time.Zone == "":
		u.found(doctor.OK, name, "", "time.zone.here", here)
	case zone == before:
		u.found(doctor.OK, name, "", "time.zone.there", zone, now.Format("15:04"))
	case at == nil && u.zone != "":
		return exit.Errorf(exit.Usage, "--zone %s: there is no such time zone; they have names such as Europe/Berlin", typed)
	case at == nil:
		u.say(u.words.Text("time.zone.wrong", strconv.Quote(typed)))
		return u.checkZone(ctx)
	default:
		if err := u.set(ctx, "time.zone", zone); err != nil {
			return err
		}
		u.found(doctor.OK, name, "", "time.zone.there", zone, now.In(at).Format("15:04"))
	}
	return nil
}
