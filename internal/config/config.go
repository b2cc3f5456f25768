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

// Config is a whole configuration. [Load] has checked its values.
type Config struct {
	Ollama    Ollama      `toml:"ollama"`
	Workspace Workspace   `toml:"workspace"`
	Files     Folders     `toml:"files"`
	Agent     Agent       `toml:"agent"`
	Fetch     Fetch       `toml:"fetch"`
	Game      Game        `toml:"game"`
	Shell     Shell       `toml:"shell"`
	Policy    Policy      `toml:"policy"`
	Telegram  Telegram    `toml:"telegram"`
	Voice     Voice       `toml:"voice"`
	API       API         `toml:"api"`
	Page      Page        `toml:"page"`
	Serve     Serve       `toml:"serve"`
	Journal   Journal     `toml:"journal"`
	Skills    Skills      `toml:"skills"`
	Web       Web         `toml:"web"`
	Intents   Intents     `toml:"intents"`
	Time      Time        `toml:"time"`
	Notify    Notify      `toml:"notify"`
	Prices    price.Table `toml:"prices"` // of models that run here, for who counts electricity
	MCP       []MCPServer // sorted by name
}

// Addresses are addresses of servers. In the file a single one may stand without the brackets of a list.
type Addresses []string

// Ollama says which model answers and how it is asked.
type Ollama struct {
	Host             Addresses     `toml:"host"`                                         // as written; empty means OLLAMA_HOST or this machine, see Hosts
	Model            string        `toml:"model" kind:"model"`                           // empty means choose, see package catalog
	NumCtx           int           `toml:"num_ctx" min:"1024" max:"16777216" auto:"0"`   // tokens of context; 0 means choose
	NumPredict       int           `toml:"num_predict" min:"16" max:"16777216" auto:"0"` // tokens a reply may have at most; 0 means choose
	KeepAlive        time.Duration `toml:"keep_alive" kind:"keep_alive"`                 // how long the server keeps the model loaded; negative means for ever
	Think            string        `toml:"think" kind:"think"`                           // off, on, low, medium or high
	Temperature      float64       `toml:"temperature" min:"0" max:"2"`                  // 0 to 2
	FirstByteTimeout time.Duration `toml:"first_byte_timeout"`                           // how long a reply may take to begin, for each 8 KiB of the conversation; loading the model is part of it
	IdleTimeout      time.Duration `toml:"idle_timeout"`                                 // how long a reply may pause
	AllowRemote      bool          `toml:"allow_remote"`                                 // also models that run on somebody else's machine
	Shift            *bool         `toml:"shift"`                                        // nil means the server's default
}

// Workspace is the only place where the agent writes, except for what Folders names.
type Workspace struct {
	Dir      string `toml:"dir" kind:"folder"` // empty means <state>/workspace, see WorkspaceDir
	ReadOnly bool   `toml:"read_only"`
}

// Folders is what a person has opened to the file tools outside of the workspace: folders, absolute or with ~ for home, see
// Open.
type Folders struct {
	Read      []string `toml:"read" kind:"folders"`        // to be looked at
	Write     []string `toml:"write" kind:"folders"`       // to be changed too
	Calendars []string `toml:"calendars" kind:"calendars"` // patterns of .ics files, in the workspace or in one of these folders
}

// Agent bounds one turn.
type Agent struct {
	MaxSteps        int           `toml:"max_steps" min:"1" max:"100"`  // model replies
	MaxCalls        int           `toml:"max_calls" min:"1" max:"1000"` // tool calls
	MaxTime         time.Duration `toml:"max_time"`
	MaxOutputTokens int           `toml:"max_output_tokens" min:"1" max:"10000000"` // generated in the whole turn
}

// Fetch bounds what is read from the web.
type Fetch struct {
	Timeout         time.Duration `toml:"timeout"`
	MaxResponseSize int64         `toml:"max_response_size"` // bytes, after decompression
	UserAgent       string        `toml:"user_agent" kind:"user_agent"`
	Allow           []string      `toml:"allow" kind:"host_ports"` // host:port on the local network that may be fetched nevertheless; lower case
}

// Intents is what hob understands without a model.
type Intents struct {
	Mode string `toml:"mode" kind:"intents"` // certain, always or off
}

// Game is how stories are played.
type Game struct {
	Model   bool `toml:"model"`                             // a model reads the messages and narrates; without one only plain commands and choices work
	Batches int  `toml:"batches" min:"1" max:"10" auto:"0"` // replies with calls before a turn is narrated; 0: as the campaign says, else 5
}

// Shell is the shell tool.
type Shell struct {
	Enabled          bool          `toml:"enabled"`
	Timeout          time.Duration `toml:"timeout"`                       // for one command
	ProcessTimeout   time.Duration `toml:"job_timeout"`                   // for one in the background
	KeepProcesses    bool          `toml:"keep_jobs"`                     // those live on when their turn ends
	Memory           int64         `toml:"memory"`                        // bytes that a command and all that it starts may have
	Processes        int           `toml:"processes" min:"8" max:"65536"` // how many it may start
	Read             []string      `toml:"read" kind:"paths"`             // absolute paths outside of the workspace that commands may read
	Network          []string      `toml:"network" kind:"host_ports"`     // host:port that commands may reach, each after a question; lower case
	Tier             string        `toml:"tier" kind:"tier"`              // "" means the strongest sandbox of this machine, else T1 to T4: this alone
	AllowUnsandboxed bool          `toml:"allow_unsandboxed"`             // also where there is none
}

// Policy is what may be asked for, and what asks.
type Policy struct {
	Hosts          []string `toml:"hosts" kind:"hosts"`                   // that pages may be fetched from without a question; lower case
	Tools          []string `toml:"tools" kind:"tools"`                   // the only tools that there are; empty means all
	TurnsPerMinute int      `toml:"turns_per_minute" min:"1" max:"10000"` // of one person, over Telegram and the local API
	MaxText        int      `toml:"max_text" min:"100" max:"1000000"`     // characters of one message
	Secrets        []string `toml:"secrets" kind:"paths"`                 // absolute paths of files whose content is never shown or sent
}

// Telegram is how hob talks to Telegram.
type Telegram struct {
	TokenFile string `toml:"token_file" kind:"folder"` // absolute or with ~ for home, see [InHome]; empty means the credential that systemd hands over
	APIBase   string `toml:"api_base" kind:"api_base"` // URL of the Bot API server, without a slash at the end
	MaxFile   int64  `toml:"max_file"`                 // bytes of a file that is received
}

// Voice is what writes down what is said in a recording.
type Voice struct {
	Command []string `toml:"command" kind:"command"` // a program and its arguments; {file} among them is the recording
	Model   string   `toml:"model" kind:"model"`     // of Ollama; empty means none
}

// API is the local API beside its socket.
type API struct {
	Listen    string   `toml:"listen" kind:"listen"`      // "host:port" of this machine alone; empty means nowhere
	TokenFile string   `toml:"token_file" kind:"folder"`  // absolute or with ~ for home, see [InHome]
	Hosts     []string `toml:"hosts" kind:"host_headers"` // further names in the Host header of requests; lower case
}

// Page is hob in a browser.
type Page struct {
	Listen  string   `toml:"listen" kind:"page_listen"`   // "host:port"; empty means that it is off until hob page opens it on this machine
	TLS     string   `toml:"tls" kind:"page_tls"`         // own: with certificates of hob's own; empty means plain HTTP, on this machine alone
	Host    string   `toml:"host" kind:"page_host"`       // the name in the certificate and in the address; lower case
	URL     string   `toml:"url" kind:"page_url"`         // the address that people open, where a proxy stands in front; without a slash at the end
	Proxies []string `toml:"proxies" kind:"page_proxies"` // addresses and networks whose X-Forwarded headers count
}

// Serve is the daemon.
type Serve struct {
	Drain time.Duration `toml:"drain"` // how long running tools may go on after the signal to end
}

// Journal is what hob serve removes from the journal. What was said and done stays.
type Journal struct {
	DeliveryDays int `toml:"delivery_days" min:"30" max:"36500"` // how long it is remembered what came from Telegram and was sent there
	Copies       int `toml:"copies" min:"1" max:"100"`           // that are kept of those from before a new version brought the journal up to date
}

// Skills is which skills there are, and which of them speak for you.
type Skills struct {
	Trust []string `toml:"trust" kind:"skills"` // names of SKILL.md skills whose words count as the owner's own
	Off   []string `toml:"off" kind:"skills"`   // names of skills that are left out, wherever they come from
}

// Web is how hob searches the web.
type Web struct {
	Search string `toml:"search" kind:"search"` // URL of a SearXNG server, without a slash at the end; empty means hob does not search
}

// Time is where the household lives.
type Time struct {
	Zone  string `toml:"zone" kind:"zone"`   // IANA name of a time zone; empty means that of this machine
	Place string `toml:"place" kind:"place"` // latitude and longitude, for the sun; empty means unknown
}

// Notify is how people are called who are not looking.
type Notify struct {
	Quiet    string `toml:"quiet" kind:"quiet"`                   // hours such as 22:00-07:00; empty means none
	PerHour  int    `toml:"per_hour" min:"1" max:"1000" auto:"0"` // messages with reminders that a chat gets in an hour; 0 means no limit
	Desktop  bool   `toml:"desktop"`                              // reminders are shown on the desktop of this user, too
	Ntfy     string `toml:"ntfy" kind:"ntfy"`                     // URL of a topic of an ntfy server; empty means none
	NtfyText bool   `toml:"ntfy_text"`                            // it gets the words of a reminder, too
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
		Files:  Folders{Calendars: []string{"*.ics", "calendar/*.ics"}},
		Agent:  Agent{MaxSteps: 25, MaxCalls: 50, MaxTime: 10 * time.Minute, MaxOutputTokens: 16000},
		Fetch:  Fetch{Timeout: 30 * time.Second, MaxResponseSize: 5_000_000, UserAgent: "hob"},
		Shell:  Shell{Enabled: true, Timeout: time.Minute, ProcessTimeout: time.Hour, Memory: 2 << 30, Processes: 256},
		Policy: Policy{TurnsPerMinute: 20, MaxText: 20_000},

		Telegram: Telegram{APIBase: "https://api.telegram.org", MaxFile: 16_000_000},
		Serve:    Serve{Drain: 15 * time.Second},
		Journal:  Journal{DeliveryDays: 90, Copies: 2},
		Intents:  Intents{Mode: "certain"},
		Notify:   Notify{PerHour: 60},
		Game:     Game{Model: true},
		Prices:   price.Table{Currency: "EUR"},
	}
}
