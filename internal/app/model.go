package app

import (
	"context"
	"path/filepath"

	"hob/internal/commands"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/model"
	"hob/internal/session"
	"hob/internal/store"
)

// NewModel returns the configured model. It makes no request yet.
func NewModel(s *Environment) *model.Model { return NewScriptedModel(s, nil) }

// NewScriptedModel returns a model whose replies come from script, without a server.
func NewScriptedModel(s *Environment, script llm.Model) *model.Model {
	return model.New(model.Config{
		Ollama: s.Ollama, Hosts: s.Hosts, Client: s.OllamaClient, Hardware: s.Hardware, Dirs: s.ModelDirs, Script: script,
		Profiles: []string{s.MeasuredProfilesPath(), filepath.Join(filepath.Dir(s.ConfigPath), "profiles.toml")},
		Stored: func(ctx context.Context, read func(model.KV)) error {
			return s.WithJournal(ctx, func(db *store.DB) error {
				read(db.Settings())
				return nil
			})
		},
	})
}

// Connect makes the client for the configured Ollama hosts.
func (s *Environment) Connect() error {
	dialer, err := s.Egress.Ollama(s.Hosts)
	if err != nil {
		return exit.Errorf(exit.Usage, "[ollama] host: %v", err)
	}
	var start func(context.Context) error
	if s.LocalOllama != nil && !s.looksOnly {
		start = s.LocalOllama.Start
	}
	c, err := ollama.New(ollama.Config{
		Start: start, Hosts: s.Hosts, Dial: dialer.DialContext, KeepAlive: s.Ollama.KeepAlive, Shift: s.Ollama.Shift,
		FirstByte: s.Ollama.FirstByteTimeout, Idle: s.Ollama.IdleTimeout, AllowRemote: s.Ollama.AllowRemote,
	})
	if err != nil {
		return exit.Errorf(exit.Usage, "%v", err)
	}
	s.OllamaClient = c
	return nil
}

// TurnSettings returns what sessions ask before each turn.
func (s *Environment) TurnSettings(m *model.Model) func(context.Context) session.Settings {
	return func(ctx context.Context) session.Settings {
		set := m.Settings(ctx)
		return session.Settings{
			Profile: set.Profile, Options: set.Options, Window: set.Window, Budget: s.Budget(), Sees: set.Sees, ShortList: set.ShortList,
		}
	}
}

// ListModels returns the models on the server.
func ListModels(ctx context.Context, m *model.Model) ([]commands.Model, error) {
	all, err := m.List(ctx)
	list := make([]commands.Model, 0, len(all))
	for _, one := range all {
		list = append(list, commands.Model{
			Name: one.Name, Size: one.Size, Family: one.Family, Parameters: one.Parameters, Quantization: one.Quantization, Remote: one.Remote,
			Used: one.Used, TokensPerSecond: one.TokensPerSecond,
		})
	}
	return list, err
}

// UseModel writes a model into the configuration file. The model must be able to call tools.
func (s *Environment) UseModel(ctx context.Context, m *model.Model, name string) error {
	if err := m.CheckTools(ctx, name); err != nil {
		return err
	}
	if err := s.ConfigEditor(ctx, s.ConfigPath).SetModel(s.ConfigPath, name); err != nil {
		return exit.Errorf(exit.Failed, "%v", err)
	}
	return nil
}
