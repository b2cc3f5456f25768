package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/lists"
	"hob/internal/llm/price"
	"hob/internal/tomlfile"
)

// reader turns a TOML value into a field's. The error is the end of a sentence that begins with the key.
type reader func(v any) (any, error)

// kinds are the readers of fields whose type does not say all, by the name in the tag.
func kinds() map[string]reader {
	return map[string]reader{
		"about":        text(checkAbout),
		"api_base":     text(address("https://api.telegram.org")),
		"calendars":    list(checkCalendar),
		"command":      readCommand,
		"currency":     text(checkCurrency),
		"env":          table(checkEnv),
		"env_files":    table(checkEnvFile),
		"folder":       text(checkDir),
		"folders":      list(checkFolder),
		"header_files": table(checkHeaderFile),
		"host_headers": list(lower(checkHostHeader)),
		"host_ports":   list(checkHostPort),
		"hosts":        list(lower(fits(`must hold names of hosts, such as "wttr.in" or "192.168.1.10:8123", not %q`, isHost))),
		"keep_alive":   readKeepAlive,
		"keywords":     list(lower(fits("must hold words of at most 64 characters, not %.80q", isKeyword))),
		"level":        text(oneOf("user, group_admin, group_owner, bot_admin or owner", "user", "group_admin", "group_owner", "bot_admin", "owner")),
		"listen":       text(checkListen),
		"model":        text(checkModel),
		"ntfy":         text(orNone(address("https://ntfy.sh/your-topic"))),
		"page_host":    text(lower(orNone(fits(`must be a name without a port, such as "hob.lan", not %q: a passkey can belong to no address of numbers`, isHostName)))),
		"page_listen":  text(lower(checkPageListen)),
		"page_proxies": list(lower(checkPageProxy)),
		"page_tls":     text(oneOf(`"" or "own"`, "", TLSOwn)),
		"page_url":     text(checkPageURL),
		"paths":        list(checkPath),
		"place":        text(checkPlace),
		"quiet":        text(checkQuiet),
		"search":       text(orNone(address("http://127.0.0.1:8888"))),
		"server_tools": list(matches("must hold names of the server's tools, not %q", `[A-Za-z0-9_./-]{1,128}`)),
		"server_url":   text(checkServerURL),
		"skills":       list(lower(fits("must hold names of skills, which are a-z, 0-9 and single hyphens, not %q", isSkill))),
		"think":        text(oneOf("off, on, low, medium or high", "off", "on", "low", "medium", "high")),
		"tier":         text(oneOf(`"", or T1, T2, T3 or T4`, "", "T1", "T2", "T3", "T4")),
		"intents":      text(oneOf("certain, always or off", "certain", "always", "off")),
		"tools":        list(lower(matches("must hold names of tools, not %q", `[a-z0-9_.-]{1,64}`))),
		"user_agent":   text(checkUserAgent),
		"zone":         text(checkZone),
	}
}

// readerOf returns the reader of a field, or nil where neither its tags nor its type say how it is read.
func readerOf(f reflect.StructField, kinds map[string]reader) reader {
	if kind := f.Tag.Get("kind"); kind != "" {
		return kinds[kind]
	}
	low, _ := strconv.ParseFloat(f.Tag.Get("min"), 64)
	high, _ := strconv.ParseFloat(f.Tag.Get("max"), 64)
	switch reflect.Zero(f.Type).Interface().(type) {
	case bool:
		return readBool
	case *bool:
		return readMaybe
	case int:
		return whole(int64(low), int64(high), f.Tag.Get("auto") != "")
	case int64:
		return readSize
	case float64:
		return number(low, high)
	case time.Duration:
		return readDuration
	case Addresses:
		return readAddresses
	case map[string]price.Price:
		return readPrices
	}
	return nil
}

// formatValue prints the value of a field as a TOML value.
func formatValue(v any) string {
	switch v := v.(type) {
	case string:
		return tomlfile.Quote(v)
	case *bool:
		if v == nil {
			return `""`
		}
		return strconv.FormatBool(*v)
	case int64:
		return formatSize(v)
	case float64:
		return tomlfile.Float(v)
	case time.Duration:
		return tomlfile.Quote(formatDuration(v))
	case []string:
		return tomlfile.QuoteList(v)
	case Addresses:
		switch len(v) {
		case 0:
			return `""`
		case 1:
			return tomlfile.Quote(v[0])
		}
		return tomlfile.QuoteList(v)
	case map[string]string:
		return formatTable(v, func(name, value string) string { return name + " = " + tomlfile.Quote(value) })
	case map[string]price.Price:
		return formatTable(v, func(model string, p price.Price) string {
			return fmt.Sprintf("%s = {prompt = %q, eval = %q}", tomlfile.Quote(model), p.Prompt, p.Eval)
		})
	}
	return fmt.Sprint(v) // a boolean, or a whole number
}

func formatTable[V any](table map[string]V, show func(name string, value V) string) string {
	entries := lists.Map(slices.Sorted(maps.Keys(table)), func(name string) string { return show(name, table[name]) })
	return "{" + strings.Join(entries, ", ") + "}"
}

func text(check func(string) (string, error)) reader {
	return func(v any) (any, error) {
		s, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("must be a text in quotes, not %s", describe(v))
		}
		return check(s)
	}
}

// list is a list of texts. An empty one is nil, so that equal configurations compare equal.
func list(check func(string) (string, error)) reader {
	return func(v any) (any, error) {
		written, err := texts(v)
		if err != nil {
			return nil, err
		}
		var kept []string
		for _, s := range written {
			s, err := check(s)
			if err != nil {
				return nil, err
			}
			kept = append(kept, s)
		}
		return kept, nil
	}
}

func texts(v any) ([]string, error) {
	list, ok := v.([]any)
	switch one, isText := v.(string); {
	case isText:
		return nil, fmt.Errorf("must be a list of texts such as [%q], not %s", one, describe(v))
	case !ok:
		return nil, fmt.Errorf("must be a list of texts, not %s", describe(v))
	}
	var out []string
	for i, e := range list {
		s, ok := e.(string)
		if !ok {
			return nil, fmt.Errorf("must be a list of texts, and element %d is %s", i+1, describe(e))
		}
		out = append(out, s)
	}
	return out, nil
}

// table is a table of texts. check returns the name under which one is kept.
func table(check func(name, value string) (string, error)) reader {
	return func(v any) (any, error) {
		written, ok := v.(map[string]any)
		if !ok {
			return nil, fmt.Errorf(`must be a table such as {NAME = "text"}, not %s`, describe(v))
		}
		var kept map[string]string
		for _, name := range slices.Sorted(maps.Keys(written)) {
			value, ok := written[name].(string)
			if !ok {
				return nil, fmt.Errorf("must hold texts in quotes, and %s is %s", tomlfile.Name(name), describe(written[name]))
			}
			as, err := check(name, value)
			if err != nil {
				return nil, err
			}
			if _, twice := kept[as]; twice {
				return nil, fmt.Errorf("names %s twice", as)
			}
			if kept == nil {
				kept = map[string]string{}
			}
			kept[as] = value
		}
		return kept, nil
	}
}

// readCommand reads a program and its arguments.
func readCommand(v any) (any, error) {
	words, err := texts(v)
	if err != nil {
		return nil, err
	}
	if len(words) > 0 && strings.TrimSpace(words[0]) == "" {
		return nil, errors.New("must begin with the name of a program")
	}
	for _, s := range words {
		if strings.ContainsRune(s, 0) {
			return nil, errors.New("must be the words of a command; one holds a NUL character")
		}
	}
	return words, nil
}

// readAddresses reads an address, or a list of such.
func readAddresses(v any) (any, error) {
	written := v
	if s, isText := v.(string); isText {
		written = []any{s}
	}
	list, err := texts(written)
	switch {
	case v == "":
		return Addresses(nil), nil
	case err != nil:
		return nil, errors.New(`must be an address such as "http://127.0.0.1:11434", or a list of such`)
	}
	for _, s := range list {
		if _, err := HostURL(s); err != nil {
			return nil, err
		}
	}
	return Addresses(list), nil
}

func readBool(v any) (any, error) {
	b, ok := v.(bool)
	if !ok {
		return nil, fmt.Errorf("must be true or false, not %s", describe(v))
	}
	return b, nil
}

// readMaybe reads a boolean that may be left open, written as "".
func readMaybe(v any) (any, error) {
	if v == "" {
		return (*bool)(nil), nil
	}
	b, ok := v.(bool)
	if !ok {
		return nil, fmt.Errorf(`must be true or false, or "" for the server's default, not %s`, describe(v))
	}
	return &b, nil
}

func whole(low, high int64, orZero bool) reader {
	return func(v any) (any, error) {
		n, ok := v.(int64)
		switch {
		case !ok:
			return nil, fmt.Errorf("must be a whole number, not %s", describe(v))
		case low <= n && n <= high, orZero && n == 0:
			return int(n), nil
		case orZero:
			return nil, fmt.Errorf("must be from %d to %d, or 0 to let hob choose, not %d", low, high, n)
		}
		return nil, fmt.Errorf("must be from %d to %d, not %d", low, high, n)
	}
}

func number(low, high float64) reader {
	return func(v any) (any, error) {
		f, ok := v.(float64)
		if n, isInt := v.(int64); isInt {
			f, ok = float64(n), true
		}
		if !ok {
			return nil, fmt.Errorf("must be a number, not %s", describe(v))
		}
		if !(low <= f && f <= high) { // written so that NaN fails
			return nil, fmt.Errorf("must be from %v to %v, not %v", low, high, f)
		}
		return f, nil
	}
}

func readDuration(v any) (any, error) {
	d, err := parseDuration(v)
	if err == nil && d <= 0 {
		err = fmt.Errorf("must be longer than nothing, not %q", v)
	}
	return d, err
}

// readKeepAlive also takes "0", which unloads the model after each reply, and "-1", which never does.
func readKeepAlive(v any) (any, error) {
	if v == "-1" {
		return time.Duration(-1), nil
	}
	d, err := parseDuration(v)
	if err == nil && d < 0 {
		err = fmt.Errorf(`must not be negative, but for "-1", which keeps the model loaded for ever, not %q`, v)
	}
	return d, err
}

func parseDuration(v any) (time.Duration, error) {
	s, ok := v.(string)
	if !ok {
		return 0, fmt.Errorf(`must be a duration in quotes such as "30s" or "5m", not %s`, describe(v))
	}
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil {
		return 0, fmt.Errorf(`must be a duration such as "30s", "5m" or "1h30m", not %q`, s)
	}
	return d, nil
}

// formatDuration writes a duration as a key has it: none is -1.
func formatDuration(d time.Duration) string {
	if d < 0 {
		return "-1"
	}
	return display.Duration(d)
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

func readSize(v any) (any, error) {
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
			return nil, fmt.Errorf(`must be a size such as 5000000, "5MB" or "5MiB", not %q`, s)
		}
		n, ok = int64(whole), true
	}
	if !ok {
		return nil, fmt.Errorf(`must be a size such as 5000000, "5MB" or "5MiB", not %s`, describe(v))
	}
	if n <= 0 {
		return nil, fmt.Errorf("must be more than nothing, not %v", v)
	}
	return n, nil
}

// formatSize prints a TOML value: a text with the largest unit that divides n, or the number.
func formatSize(n int64) string {
	digits, unit, _ := strings.Cut(display.Limit(n), " ")
	if unit == "B" {
		return digits
	}
	return tomlfile.Quote(digits + unit)
}

// describe names a TOML value for a person.
func describe(v any) string {
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
