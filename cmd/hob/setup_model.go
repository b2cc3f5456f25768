package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hob/internal/app"
	"hob/internal/config"
	"hob/internal/doctor"
	"hob/internal/exit"
	"hob/internal/lists"
	"hob/internal/llm/ollama"
	"hob/internal/surface/cli"
)

// findOllama looks for the model's server. If none answers, it asks for another address.
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
			u.failed(name, "", err)
			return nil
		}
	}
	again := u.words.Text("Ollama.again")
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
			u.found(doctor.OK, name, "", "Ollama.found", version, strings.Join(s.Hosts, ", "))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if tried {
			otherwise = noneWord
			u.say(err.Error() + ".")
		} else {
			u.say(err.Error() + ".\n" + u.words.Text("Ollama.install", "curl -fsSL https://ollama.com/install.sh | sh"))
		}
		answer, asked := u.ask(ctx, "", u.words.Text("Ollama.address"), otherwise)
		switch {
		case asked != nil:
			return asked
		case answer == noneWord:
			u.model = noneWord
			u.found(doctor.Weak, name, "Ollama.later", "plain", err.Error())
			return nil
		case answer != again:
			if _, bad := config.HostURL(answer); bad != nil {
				u.say(bad.Error())
			} else if err := u.set(ctx, "ollama.host", answer); err != nil {
				u.say(err.Error())
			}
		}
	}
}

// chooseModel asks which model to use, and pulls it if the server lacks it.
func (u *setup) chooseModel(ctx context.Context) error {
	const name = "model"
	if u.model == noneWord {
		u.found(doctor.OK, name, "", "model.none")
		return nil
	}
	s, err := u.load()
	if err != nil {
		return err
	}
	e := app.NewModel(s)
	installed, err := s.OllamaClient.Models(ctx)
	if err != nil {
		u.failed(name, "", err)
		return nil
	}
	proposed := e.Proposed(ctx).Name
	otherwise, names := cmp.Or(s.Ollama.Model, proposed), lists.Map(installed, func(m ollama.Installed) string { return m.Name })
	if s.Ollama.Model == "" && len(names) > 0 && !slices.Contains(names, proposed) {
		otherwise = names[0]
	}
	u.say(u.words.Text("model.has", cmp.Or(strings.Join(names, ", "), u.words.Text("model.has.none")), proposed))
	model, err := u.ask(ctx, u.model, u.words.Text("model.which"), otherwise)
	switch {
	case err != nil:
		return err
	case model == noneWord:
		u.model = noneWord
		return u.chooseModel(ctx)
	}
	if !slices.ContainsFunc(names, func(n string) bool { return n == model || n == model+":latest" }) {
		u.say(model + ": " + e.PlanPull(ctx, model).Describe())
		yes, err := u.ask(ctx, "", u.words.Text("model.download"), u.words.Text("model.yes"))
		switch {
		case err != nil:
			return err
		case !cli.IsYes(u.a.terminal().Language(), yes):
			u.found(doctor.Weak, name, "hob model pull "+model, "model.absent", model)
			return nil
		}
		if err := u.a.pull(ctx, s, model); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			u.failed(name, "hob model pull "+model, err)
			return nil
		}
	}
	if err := s.UseModel(ctx, app.NewModel(s), model); err != nil {
		u.failed(name, "model.others", err)
		return nil
	}
	if s, err = u.load(); err != nil {
		return err
	}
	if _, err := app.NewModel(s).Ready(ctx); err != nil {
		u.failed(name, "model.others", err)
		return nil
	}
	u.found(doctor.OK, name, "", "plain", model)
	return nil
}
