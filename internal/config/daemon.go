package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Telegram is how hob talks to Telegram.
type Telegram struct {
	TokenFile string // absolute or with ~ for home, see [InHome]; empty means the credential that systemd hands over
	APIBase   string // URL of the Bot API server, without a slash at the end
	MaxFile   int64  // bytes of a file that is received
}

// Voice is what writes down what is said in a recording.
type Voice struct {
	Command []string // a program and its arguments; {file} among them is the recording
	Model   string   // of Ollama; empty means none
}

// API is the local API beside its socket.
type API struct {
	Listen    string   // "host:port" of this machine alone; empty means nowhere
	TokenFile string   // absolute or with ~ for home, see [InHome]
	Hosts     []string // further names in the Host header of requests; lower case
}

// Serve is the daemon.
type Serve struct {
	Drain time.Duration // how long running tools may go on when it is told to end
}

// Journal is what hob serve removes from the journal. What was said and done stays.
type Journal struct {
	DeliveryDays int // how long it is remembered what came from Telegram and was sent there
	Copies       int // that are kept of those from before a new version brought the journal up to date
}

func daemonKeys() []key {
	return []key{
		textKey("telegram", "token_file", checkDir, func(c *Config) *string { return &c.Telegram.TokenFile }),
		baseKey("telegram", "api_base", "https://api.telegram.org", func(c *Config) *string { return &c.Telegram.APIBase }),
		sizeKey("telegram", "max_file", func(c *Config) *int64 { return &c.Telegram.MaxFile }),
		commandKey("voice", "command", func(c *Config) *[]string { return &c.Voice.Command }),
		textKey("voice", "model", checkModel, func(c *Config) *string { return &c.Voice.Model }),
		listenKey("api", "listen", func(c *Config) *string { return &c.API.Listen }),
		textKey("api", "token_file", checkDir, func(c *Config) *string { return &c.API.TokenFile }),
		namesKey("api", "hosts", checkHostHeader, func(c *Config) *[]string { return &c.API.Hosts }),
		durationKey("serve", "drain", func(c *Config) *duration { return &c.Serve.Drain }),
		intKey("journal", "delivery_days", 30, 36500, func(c *Config) *int { return &c.Journal.DeliveryDays }),
		intKey("journal", "copies", 1, 100, func(c *Config) *int { return &c.Journal.Copies }),
	}
}

// InHome returns the path with ~ at its beginning taken for home, which may be empty.
func InHome(path, home string) (string, error) {
	rest, is := strings.CutPrefix(path, "~")
	switch {
	case !is:
		return filepath.Clean(path), nil
	case home == "":
		return "", fmt.Errorf("%s is in the home folder, and there is none: write an absolute path", path)
	}
	return filepath.Join(home, rest), nil
}

// baseKey is the address of a server, such as example, kept without a slash at its end.
func baseKey(table, name, example string, at func(*Config) *string) key {
	return key{table, name, func(c *Config, v any) error {
		s, err := text(v)
		if err != nil {
			return err
		}
		u, err := url.Parse(s)
		if err == nil && u.User != nil {
			return fmt.Errorf("must be an address such as %q, without a name or a password", example)
		}
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
			return fmt.Errorf("must be an address such as %q, not %q", example, s)
		}
		*at(c) = strings.TrimRight(s, "/")
		return nil
	}, func(c Config) string { return quote(*at(&c)) }}
}

// commandKey is a program and its arguments.
func commandKey(table, name string, at func(*Config) *[]string) key {
	return key{table, name, func(c *Config, v any) error {
		list, err := texts(v)
		if err != nil {
			return err
		}
		if len(list) > 0 && strings.TrimSpace(list[0]) == "" {
			return errors.New("must begin with the name of a program")
		}
		for _, s := range list {
			if strings.ContainsRune(s, 0) {
				return errors.New("must be the words of a command; one holds a NUL character")
			}
		}
		*at(c) = orNil(list)
		return nil
	}, func(c Config) string { return quoteList(*at(&c)) }}
}

// listenKey is where to listen on this machine, for nobody else.
func listenKey(table, name string, at func(*Config) *string) key {
	return key{table, name, func(c *Config, v any) error {
		s, err := text(v)
		if err != nil {
			return err
		}
		s = strings.ToLower(s)
		host, port, err := net.SplitHostPort(s)
		n, bad := strconv.ParseUint(port, 10, 16)
		ip, none := netip.ParseAddr(host)
		if s != "" && (err != nil || bad != nil || n == 0 || host != "localhost" && (none != nil || !ip.IsLoopback())) {
			return fmt.Errorf(`must be an address of this machine alone, such as "127.0.0.1:8787", not %q`, s)
		}
		*at(c) = s
		return nil
	}, func(c Config) string { return quote(*at(&c)) }}
}

// checkHostHeader takes what stands in the Host header of a request.
func checkHostHeader(s string) error {
	host := s
	if strings.Contains(s, ":") {
		name, port, err := net.SplitHostPort(s)
		if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 {
			name = ""
		}
		host = name
	}
	if _, err := netip.ParseAddr(host); err != nil && !isHostName(host) {
		return fmt.Errorf(`must hold names of hosts, such as "hob.lan:8787", not %q`, s)
	}
	return nil
}
