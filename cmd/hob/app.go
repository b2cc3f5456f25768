package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"

	"hob/internal/config"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/llm/ollama"
	"hob/internal/policy"
	"hob/internal/secret"
	"hob/internal/store"
	"hob/internal/surface/cli"
	local "hob/internal/surface/http"
	"hob/internal/tools"
	"hob/internal/tools/fetch"
	"hob/internal/tools/files"
	"hob/internal/tools/recall"
)

// app is what the commands share: where they read and write, and how they get at the configuration and the state.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
	configFlag     string
	modelFlag      string
	exit           *wayOut     // nil until a configuration was read
	keyboard       *cli.Prompt // that of an open prompt; nil elsewhere
	wait           modelWait   // for a model that is away, as far as the command line says
}

// modelWait is how long this command waits for a model that is away.
func (a *app) modelWait() modelWait {
	p := a.wait
	p.person = !p.program && isTerminal(a.stdin) && isTerminal(a.stdout)
	return p
}

// prompt is what asks the person at the terminal. Where a prompt is open it is that one: what was begun to be read from a
// keyboard cannot be given back to another.
func (a *app) prompt() *cli.Prompt {
	if a.keyboard != nil {
		return a.keyboard
	}
	return cli.NewPrompt(a.stdin, a.stderr, nil)
}

// setting is the configuration in force, and where it came from.
type setting struct {
	config.Config
	path      string // of the configuration file, which need not exist
	hosts     []string
	folders   []config.Folder // beside the workspace, for the file tools
	state     string          // folder
	workspace string          // folder
	ollama    *ollama.Client  // for no model yet, see [ollama.Client.For]
	discreet  *secret.Keeper  // what nobody may be told
	exit      *wayOut         // all that dials dials through it
	prompt    bool            // a person is at the prompt
	bot       tokenFile       // of the bot on Telegram
	key       tokenFile       // of the local API
	stderr    io.Writer       // where a person is warned
}

// load reads the configuration. What it can live with it says on stderr.
func (a *app) load() (*setting, error) {
	path, err := a.configPath()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); os.IsNotExist(err) && (a.configFlag != "" || a.env("HOB_CONFIG") != "") {
		fmt.Fprintf(a.stderr, "hob: there is no file %s: the defaults are in force\n", path)
	}
	return a.read(path, path)
}

// stateOnly is a setting that knows where the state is, and nothing else.
func (a *app) stateOnly() (*setting, error) {
	home, _ := os.UserHomeDir()
	state, err := config.StateDir(a.env, home)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	return &setting{state: state}, nil
}

// beside is load for a command that speaks to a daemon where one runs: a mistake that came into the configuration since keeps
// nobody from that. It works with the configuration that the daemon works with.
func (a *app) beside(ctx context.Context) (*setting, error) {
	s, err := a.load()
	if err == nil || exit.StatusOf(err) != exit.Usage {
		return s, err
	}
	known, failure := a.stateOnly()
	if failure != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, statusFor)
	defer cancel()
	if st, silent := local.NewClient(known.socket()).Status(within); silent != nil || st.Serves != service {
		return nil, err
	}
	path, failure := a.configPath()
	if failure != nil {
		return nil, err
	}
	if s, failure = a.read(known.lastGood(), path); failure != nil {
		return nil, err
	}
	fmt.Fprintf(a.stderr, "hob: %v: %s works with the configuration before that, and so does this command\n", err, service)
	return s, nil
}

// read is load for the file from, which stands for the configuration at path.
func (a *app) read(from, path string) (*setting, error) {
	home, _ := os.UserHomeDir() // without one, the paths that need it say so
	cfg, warnings, err := config.Load(from)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	for _, w := range warnings {
		fmt.Fprintf(a.stderr, "hob: %s\n", w)
	}
	s := &setting{Config: cfg, path: path, stderr: a.stderr}
	if a.modelFlag != "" {
		s.Ollama.Model = a.modelFlag
	}
	if s.hosts, err = cfg.Ollama.Hosts(a.env("OLLAMA_HOST")); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	if s.state, err = config.StateDir(a.env, home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	if err := s.findTokens(a.env, home); err != nil {
		return nil, err
	}
	if s.discreet, err = s.secrets(a.env); err != nil {
		return nil, err
	}
	a.stderr = s.discreet.Writer(a.stderr)
	if a.exit == nil {
		a.exit = newWayOut(s.journal())
	}
	s.exit = a.exit
	if err := s.connect(); err != nil {
		return nil, err
	}
	if s.workspace, err = cfg.Workspace.WorkspaceDir(s.state, home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	for i, host := range cfg.Policy.Hosts {
		if s.Policy.Hosts[i], err = policy.NormalHost(host); err != nil {
			return nil, exit.Errorf(exit.Usage, "[policy] hosts: %v", err)
		}
	}
	if s.folders, err = cfg.Files.Open(home); err != nil {
		return nil, exit.Errorf(exit.Usage, "%v", err)
	}
	return s, s.apart()
}

// apart makes sure that no folder of the agent's holds what is hob's own.
func (s *setting) apart() error {
	open := append([]config.Folder{{Path: s.workspace, Key: "[workspace] dir"}}, s.folders...)
	for _, f := range open {
		for what, path := range map[string]string{
			"journal": s.state, "configuration": filepath.Dir(s.path), "skills": s.ownSkills(), "kept skills": s.keptSkills(), "tales": s.ownTales(),
		} { // what is in a skill, a model does: one that it could write would be its own owner
			ours := what == "skills" || what == "kept skills" || what == "tales"
			if within(path, f.Path) || (ours || f.Path != s.workspace) && within(f.Path, path) {
				return exit.Errorf(exit.Usage, "%s: %s holds hob's own %s (%s), or lies in it, which the agent must not reach: choose another folder",
					f.Key, f.Path, what, path)
			}
		}
	}
	return nil
}

// within reports whether path is dir or lies below it, links followed as far as they exist.
func within(path, dir string) bool {
	rel, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolved follows the links in the part of path that exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(resolved(parent), filepath.Base(path))
	}
	return path
}

func (s *setting) journal() string  { return filepath.Join(s.state, "journal.db") }
func (s *setting) lockFile() string { return filepath.Join(s.state, "lock") }
func (s *setting) history() string  { return filepath.Join(s.state, "history") }
func (s *setting) outputs() string  { return filepath.Join(s.state, "outputs") }       // what tools said at length
func (s *setting) trials() string   { return filepath.Join(s.state, "profiles.toml") } // what trials of models found

// makeState makes the state folder, for nobody else to look into: what is made in it, such as the workspace, would make
// it as open as itself.
func (s *setting) makeState() error {
	return s.unwritable(os.MkdirAll(s.state, 0o700))
}

// openJournal opens the journal beside a hob that may run. Where nothing can be written it can be read all the same; what cannot
// be read there it says on stderr.
func (s *setting) openJournal(ctx context.Context) (*store.DB, error) {
	db, err := store.OpenToRead(ctx, s.journal(), time.Now)
	if err == nil && db.Lacks() != "" {
		fmt.Fprintf(s.stderr, "hob: %s\n", db.Lacks())
	}
	return db, s.unwritable(err)
}

// files opens the workspace and the folders of the configuration. share is how many bytes of one result the model is
// shown, and commands what runs in the workspace.
func (s *setting) files(share func() int, outputs *files.Outputs, said memory, commands files.Commands) (*files.Tool, error) {
	if err := s.makeState(); err != nil {
		return nil, err
	}
	cfg := files.Config{
		Dir: s.workspace, ReadOnly: s.Workspace.ReadOnly, Share: share, Outputs: outputs, Keeper: said, Origins: said, Commands: commands,
		// Whatever folder the owner makes the workspace, hob's own configuration and memory stay out of reach.
		Deny: []string{s.path, s.journal(), s.lockFile(), s.history(), s.outputs(), s.trials(), s.socket(), s.canary(), s.lastGood(), s.state},
	}
	cfg.Deny = append(cfg.Deny, s.serverSecrets()...)
	for _, t := range []tokenFile{s.bot, s.key} {
		if t.path != "" {
			cfg.Deny = append(cfg.Deny, t.path)
		}
	}
	for _, f := range s.folders {
		cfg.Grants = append(cfg.Grants, files.Grant{Dir: f.Path, Write: f.Write})
	}
	files, err := files.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return files, nil
}

// kit is the default tools.
type kit struct {
	*tools.Registry // of no skill
	files           *files.Tool
	set             *skillset // nil: there are no skills
}

// tools builds the default tools. share is how many bytes of one result the model is shown; model reads pages apart from any
// conversation.
func (s *setting) tools(share func() int, outputs *files.Outputs, said memory, sh *shell, model llm.Model) (kit, error) {
	files, err := s.files(share, outputs, said, sh.walls)
	if err != nil {
		return kit{}, err
	}
	dialer, err := s.exit.Fetch(s.Fetch.Allow, "[fetch] allow")
	if err != nil {
		return kit{}, exit.Errorf(exit.Usage, "%v", err)
	}
	pages := fetch.New(fetch.Config{
		Timeout: s.Fetch.Timeout, MaxResponseSize: s.Fetch.MaxResponseSize, UserAgent: s.Fetch.UserAgent,
		Share: share, Dialer: dialer, PDF: sh.readPDF(s),
	})
	all := append(files.Tools(), pages.Tools()...)
	all = append(all, files.SendTool(), fetch.NewAskPage(pages, reader(model)), recall.New(said))
	commands, err := sh.tools(s, files)
	if err != nil {
		return kit{}, err
	}
	registry, err := tools.NewRegistry(append(all, commands...)...)
	return kit{Registry: registry, files: files}, err
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// color reports whether stdout shows colours.
func (a *app) color() bool {
	return isTerminal(a.stdout) && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
}

// size is the size of the terminal that stdout is, or that of a common one.
func (a *app) size() (width, height int) {
	if f, ok := a.stdout.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w, h
		}
	}
	return 80, 24
}
