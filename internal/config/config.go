// Package config reads config.toml over defaults.
//
// A configuration is a value: [Default] builds one, [Load] lays a file over it, [Show] prints it. There is no global
// one, and nothing here reads the environment or the clock: callers pass what they know.
//
// # The file
//
// TOML, one table a subject. Every key is listed in config.toml.example with its default. Keys are matched exactly.
// A value of the wrong type or out of range is an error that names the file, the line and the key; [Load] reports all
// of them at once. An unknown key never keeps hob from starting: it is a [Warning] for Load and an error for [Check],
// because a file written for a newer hob must not stop an older one.
//
// Durations are texts such as "30s", "2m" or "1h30m"; a bare number is refused, because nobody can see its unit. Sizes
// are a number of bytes, or texts such as "5MB" (5,000,000) and "5MiB" (5,242,880).
//
// No key holds a secret, and none may: a key that needs one names the file that holds it.
//
// # Changing it
//
// Only [SetModel] writes, and only the one value; comments and everything else stay as they are, byte for byte.
package config

import (
	"time"

	"hob/internal/llm/price"
)

// Config is a whole configuration. Its values are valid: [Load] saw to that.
type Config struct {
	Ollama    Ollama
	Workspace Workspace
	Files     Folders
	Agent     Agent
	Fetch     Fetch
	Shell     Shell
	Policy    Policy
	Telegram  Telegram
	Voice     Voice
	API       API
	Serve     Serve
	Journal   Journal
	Skills    Skills
	Web       Web
	Game      Game
	Prices    price.Table // of models that run here, for who counts electricity
	MCP       []MCPServer // sorted by name
}

// Ollama says which model answers and how it is asked.
type Ollama struct {
	Host             []string      // as written; empty means OLLAMA_HOST or this machine, see Hosts
	Model            string        // empty means choose, see ChooseModel
	NumCtx           int           // tokens of context; 0 means choose
	NumPredict       int           // tokens a reply may have at most; 0 means choose
	KeepAlive        time.Duration // how long the server keeps the model loaded; negative means for ever
	Think            string        // off, on, low, medium or high
	Temperature      float64       // 0 to 2
	FirstByteTimeout time.Duration // how long a reply may take to begin; loading the model is part of it
	IdleTimeout      time.Duration // how long a reply may pause
	AllowRemote      bool          // also models that run on somebody else's machine
	Shift            *bool         // nil means the server's default
}

// Workspace is the only place where the agent writes, but for what Folders names.
type Workspace struct {
	Dir      string // empty means <state>/workspace, see WorkspaceDir
	ReadOnly bool
}

// Folders is what a person has opened to the file tools outside of the workspace: folders, absolute or with ~ for home, see
// Open.
type Folders struct {
	Read  []string // to be looked at
	Write []string // to be changed too
}

// Agent bounds one turn.
type Agent struct {
	MaxSteps        int // model replies
	MaxCalls        int // tool calls
	MaxTime         time.Duration
	MaxOutputTokens int // generated in the whole turn
}

// Fetch bounds what is read from the web.
type Fetch struct {
	Timeout         time.Duration
	MaxResponseSize int64 // bytes, after decompression
	UserAgent       string
	Allow           []string // host:port on the local network that may be fetched nevertheless; lower case
}

// Game is how stories are played.
type Game struct {
	Model   bool // a model understands and tells; without one plain commands and choices play
	Batches int  // replies with calls that a turn may have before it is told; 0: what the campaign says, else 5
}

// Shell is the shell tool.
type Shell struct {
	Enabled          bool
	Timeout          time.Duration // for one command
	JobTimeout       time.Duration // for one in the background
	KeepJobs         bool          // those live on when their turn ends
	Memory           int64         // bytes that a command and all that it starts may have
	Processes        int           // how many it may start
	Read             []string      // absolute paths outside of the workspace that commands may read
	Network          []string      // host:port that commands may reach, each after a question; lower case
	Tier             string        // "" means the strongest sandbox of this machine, else T1 to T4: this alone
	AllowUnsandboxed bool          // also where there is none
}

// Policy is what may be asked for, and what asks.
type Policy struct {
	Hosts          []string // that pages may be fetched from without a question; lower case
	Tools          []string // the only tools that there are; empty means all
	TurnsPerMinute int      // of one person, over Telegram and the local API
	MaxText        int      // characters of one message
	Secrets        []string // files whose content hob tells nobody, absolute paths
}

// Default returns the configuration of an empty file. The agent's bounds are those that let a small model finish a
// household chore and stop a runaway within minutes.
func Default() Config {
	return Config{
		Ollama: Ollama{
			KeepAlive:        30 * time.Minute,
			Think:            "off",
			Temperature:      0.3,
			FirstByteTimeout: 5 * time.Minute,
			IdleTimeout:      2 * time.Minute,
		},
		Agent:  Agent{MaxSteps: 25, MaxCalls: 50, MaxTime: 10 * time.Minute, MaxOutputTokens: 16000},
		Fetch:  Fetch{Timeout: 30 * time.Second, MaxResponseSize: 5_000_000, UserAgent: "hob"},
		Shell:  Shell{Enabled: true, Timeout: time.Minute, JobTimeout: time.Hour, Memory: 2 << 30, Processes: 256},
		Policy: Policy{TurnsPerMinute: 20, MaxText: 20_000},

		Telegram: Telegram{APIBase: "https://api.telegram.org", MaxFile: 16_000_000},
		Serve:    Serve{Drain: 15 * time.Second},
		Journal:  Journal{DeliveryDays: 90, Copies: 2},
		Game:     Game{Model: true},
		Prices:   price.Table{Currency: "EUR"},
	}
}
