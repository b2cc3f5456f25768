package config

import (
	"errors"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

type duration = time.Duration

// allowed is an extra value that a number may have.
type allowed func(int64) bool

func orZero(n int64) bool { return n == 0 }

func textKey(table, name string, check func(string) error, at func(*Config) *string) key {
	return key{table, name, func(c *Config, v any) error {
		s, err := text(v)
		if err == nil {
			err = check(s)
		}
		if err == nil {
			*at(c) = s
		}
		return err
	}, func(c Config) string { return quote(*at(&c)) }}
}

func boolKey(table, name string, at func(*Config) *bool) key {
	return key{table, name, func(c *Config, v any) error {
		b, ok := v.(bool)
		if !ok {
			return fmt.Errorf("must be true or false, not %s", kind(v))
		}
		*at(c) = b
		return nil
	}, func(c Config) string { return strconv.FormatBool(*at(&c)) }}
}

// maybeKey is a boolean that may be left open, written as "".
func maybeKey(table, name string, at func(*Config) **bool) key {
	return key{table, name, func(c *Config, v any) error {
		switch v := v.(type) {
		case bool:
			*at(c) = &v
			return nil
		case string:
			if v == "" {
				*at(c) = nil
				return nil
			}
		}
		return fmt.Errorf(`must be true or false, or "" for the server's default, not %s`, kind(v))
	}, func(c Config) string {
		if b := *at(&c); b != nil {
			return strconv.FormatBool(*b)
		}
		return `""`
	}}
}

func intKey(table, name string, low, high int64, at func(*Config) *int, also ...allowed) key {
	return key{table, name, func(c *Config, v any) error {
		n, ok := v.(int64)
		if !ok {
			return fmt.Errorf("must be a whole number, not %s", kind(v))
		}
		extra := slices.ContainsFunc(also, func(ok allowed) bool { return ok(n) })
		switch {
		case extra, low <= n && n <= high:
			*at(c) = int(n)
			return nil
		case len(also) > 0:
			return fmt.Errorf("must be from %d to %d, or 0 to let hob choose, not %d", low, high, n)
		}
		return fmt.Errorf("must be from %d to %d, not %d", low, high, n)
	}, func(c Config) string { return strconv.Itoa(*at(&c)) }}
}

func floatKey(table, name string, low, high float64, at func(*Config) *float64) key {
	return key{table, name, func(c *Config, v any) error {
		f, ok := v.(float64)
		if n, isInt := v.(int64); isInt {
			f, ok = float64(n), true
		}
		if !ok {
			return fmt.Errorf("must be a number, not %s", kind(v))
		}
		if !(low <= f && f <= high) { // written so that NaN fails
			return fmt.Errorf("must be from %v to %v, not %v", low, high, f)
		}
		*at(c) = f
		return nil
	}, func(c Config) string {
		s := strconv.FormatFloat(*at(&c), 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}}
}

func durationKey(table, name string, at func(*Config) *duration) key {
	return key{table, name, func(c *Config, v any) error {
		d, err := parseDuration(v)
		if err == nil && d <= 0 {
			err = fmt.Errorf("must be longer than nothing, not %q", v)
		}
		if err == nil {
			*at(c) = d
		}
		return err
	}, func(c Config) string { return quote(formatDuration(*at(&c))) }}
}

// keepAliveKey also takes "0", which unloads the model after each reply, and "-1", which never does.
func keepAliveKey(table, name string, at func(*Config) *duration) key {
	return key{table, name, func(c *Config, v any) error {
		if v == "-1" {
			*at(c) = -1
			return nil
		}
		d, err := parseDuration(v)
		if err == nil && d < 0 {
			err = fmt.Errorf(`must not be negative, but for "-1", which keeps the model loaded for ever, not %q`, v)
		}
		if err == nil {
			*at(c) = d
		}
		return err
	}, func(c Config) string { return quote(formatDuration(*at(&c))) }}
}

func sizeKey(table, name string, at func(*Config) *int64) key {
	return key{table, name, func(c *Config, v any) error {
		n, err := parseSize(v)
		if err == nil {
			*at(c) = n
		}
		return err
	}, func(c Config) string { return formatSize(*at(&c)) }}
}

func allowKey(table, name string, at func(*Config) *[]string) key {
	return key{table, name, func(c *Config, v any) error {
		list, err := texts(v)
		if err != nil {
			return err
		}
		entries := make([]string, 0, len(list))
		for _, s := range list {
			entry, err := parseHostPort(s)
			if err != nil {
				return err
			}
			entries = append(entries, entry)
		}
		*at(c) = orNil(entries)
		return nil
	}, func(c Config) string { return quoteList(*at(&c)) }}
}

func hostKey(table, name string, at func(*Config) *[]string) key {
	return key{table, name, func(c *Config, v any) error {
		list, ok := []string(nil), false
		if s, isText := v.(string); isText {
			if s != "" {
				list = []string{s}
			}
			ok = true
		}
		var err error
		if !ok {
			if list, err = texts(v); err != nil {
				return errors.New(`must be an address such as "http://127.0.0.1:11434", or a list of such`)
			}
		}
		for _, s := range list {
			if _, err := HostURL(s); err != nil {
				return err
			}
		}
		*at(c) = orNil(list)
		return nil
	}, func(c Config) string {
		switch list := *at(&c); len(list) {
		case 0:
			return `""`
		case 1:
			return quote(list[0])
		default:
			return quoteList(list)
		}
	}}
}

func text(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("must be a text in quotes, not %s", kind(v))
	}
	return s, nil
}

func texts(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("must be a list of texts, not %s", kind(v))
	}
	out := make([]string, len(list))
	for i, e := range list {
		if out[i], ok = e.(string); !ok {
			return nil, fmt.Errorf("must be a list of texts, and element %d is %s", i+1, kind(e))
		}
	}
	return out, nil
}

// orNil makes an empty list nil, so that equal configurations compare equal.
func orNil(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

func checkThink(s string) error {
	if slices.Contains([]string{"off", "on", "low", "medium", "high"}, s) {
		return nil
	}
	return fmt.Errorf("must be off, on, low, medium or high, not %q", s)
}

// checkModel refuses what can be no model's name; empty means choose.
func checkModel(s string) error {
	ok := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-:/", r)
	}
	if len(s) > 350 || strings.ContainsFunc(s, func(r rune) bool { return !ok(r) }) || strings.HasPrefix(s, "-") {
		return fmt.Errorf(`must be a model's name such as "qwen3:4b", not %q`, s)
	}
	return nil
}

func checkDir(s string) error {
	switch {
	case s == "", s == "~", strings.HasPrefix(s, "~/"), filepath.IsAbs(s):
		if strings.ContainsRune(s, 0) {
			return errors.New("must be the path of a folder; it holds a NUL character")
		}
		return nil
	}
	return fmt.Errorf(`must be an absolute path, or one that begins with "~/", not %q`, s)
}

func checkUserAgent(s string) error {
	if s == "" || len(s) > 256 || strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }) {
		return errors.New("must be 1 to 256 printable ASCII characters")
	}
	return nil
}

func parseDuration(v any) (time.Duration, error) {
	s, ok := v.(string)
	if !ok {
		return 0, fmt.Errorf(`must be a duration in quotes such as "30s" or "5m", not %s`, kind(v))
	}
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil {
		return 0, fmt.Errorf(`must be a duration such as "30s", "5m" or "1h30m", not %q`, s)
	}
	return d, nil
}

// formatDuration prints without the zero units that Duration.String keeps: "30m", not "30m0s".
func formatDuration(d time.Duration) string {
	if d < 0 {
		return "-1"
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// units are the units of a size, longest names first.
func units() []struct {
	name  string
	bytes int64
} {
	return []struct {
		name  string
		bytes int64
	}{{"gib", 1 << 30}, {"mib", 1 << 20}, {"kib", 1 << 10}, {"gb", 1e9}, {"mb", 1e6}, {"kb", 1e3}, {"b", 1}}
}

func parseSize(v any) (int64, error) {
	n, ok := v.(int64)
	if s, isText := v.(string); isText {
		number, unit := strings.ToLower(strings.TrimSpace(s)), int64(1)
		for _, u := range units() {
			if rest, found := strings.CutSuffix(number, u.name); found {
				number, unit = strings.TrimSpace(rest), u.bytes
				break
			}
		}
		f, err := strconv.ParseFloat(number, 64)
		whole := f * float64(unit)
		if err != nil || strings.ContainsAny(number, "xpnie_+") || whole != math.Trunc(whole) || whole > 1<<53 {
			return 0, fmt.Errorf(`must be a size such as 5000000, "5MB" or "5MiB", not %q`, s)
		}
		n, ok = int64(whole), true
	}
	if !ok {
		return 0, fmt.Errorf(`must be a size such as 5000000, "5MB" or "5MiB", not %s`, kind(v))
	}
	if n <= 0 {
		return 0, fmt.Errorf("must be more than nothing, not %v", v)
	}
	return n, nil
}

// formatSize prints a TOML value: a text with the largest unit that divides n, or the number.
func formatSize(n int64) string {
	for _, u := range units() {
		if u.bytes > 1 && n%u.bytes == 0 {
			name := map[string]string{"gib": "GiB", "mib": "MiB", "kib": "KiB", "gb": "GB", "mb": "MB", "kb": "kB"}[u.name]
			return quote(strconv.FormatInt(n/u.bytes, 10) + name)
		}
	}
	return strconv.FormatInt(n, 10)
}

// parseHostPort returns the entry in lower case, an IP address in its shortest form.
func parseHostPort(s string) (string, error) {
	host, port, err := net.SplitHostPort(s)
	n, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil || n == 0 {
		return "", fmt.Errorf(`must hold entries of the form "host:port", such as "192.168.1.10:8123", not %q`, s)
	}
	if ip := net.ParseIP(host); ip != nil {
		return net.JoinHostPort(ip.String(), strconv.FormatUint(n, 10)), nil
	}
	if !isHostName(host) {
		return "", fmt.Errorf("must name one host in each entry; %q names none", s)
	}
	return net.JoinHostPort(strings.ToLower(host), strconv.FormatUint(n, 10)), nil
}

func isHostName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	labels := strings.Split(s, ".")
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" || strings.HasPrefix(strings.ToLower(last), "0x") {
		return false // a broken or disguised IP address
	}
	for _, label := range labels {
		bad := func(r rune) bool {
			return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
		}
		if label == "" || len(label) > 63 || label[0] == '-' || strings.ContainsFunc(label, bad) {
			return false
		}
	}
	return true
}

// kind names a TOML value's type for a person.
func kind(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %q", v)
	case bool:
		return strconv.FormatBool(v)
	case int64, float64:
		return fmt.Sprintf("the number %v", v)
	case []any:
		return "a list"
	case []map[string]any:
		return "a list of tables"
	case map[string]any:
		return "a table"
	}
	return "a date"
}
