package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
	"hob/internal/schedule"
	"hob/internal/tomlfile"
)

// A check of a text returns it as it is kept, or the end of a sentence that begins with the key.

// lower returns a check of a text in small letters.
func lower(check func(string) (string, error)) func(string) (string, error) {
	return func(s string) (string, error) { return check(strings.ToLower(s)) }
}

// oneOf returns a check of a text that is one of some. names are those in a sentence.
func oneOf(names string, texts ...string) func(string) (string, error) {
	return fits("must be "+names+", not %q", func(s string) bool { return slices.Contains(texts, s) })
}

// matches returns a check of a text by a pattern of all of it; complaint is for one that has another form.
func matches(complaint, pattern string) func(string) (string, error) {
	return fits(complaint, func(s string) bool { return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(s) })
}

// fits returns a check that keeps a text as it is; complaint is for one that is wrong, which stands in it.
func fits(complaint string, ok func(string) bool) func(string) (string, error) {
	return func(s string) (string, error) {
		if !ok(s) {
			return "", fmt.Errorf(complaint, s)
		}
		return s, nil
	}
}

// orNone returns a check that also takes no text at all.
func orNone(check func(string) (string, error)) func(string) (string, error) {
	return func(s string) (string, error) {
		if s == "" {
			return "", nil
		}
		return check(s)
	}
}

// checkModel refuses what can be no model's name; empty means choose.
func checkModel(s string) (string, error) {
	ok := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-:/", r)
	}
	if len(s) > 350 || strings.ContainsFunc(s, func(r rune) bool { return !ok(r) }) || strings.HasPrefix(s, "-") {
		return "", fmt.Errorf(`must be a model's name such as "ministral-3:8b", not %q`, s)
	}
	return s, nil
}

func checkDir(s string) (string, error) {
	switch {
	case s == "", s == "~", strings.HasPrefix(s, "~/"), filepath.IsAbs(s):
		if strings.ContainsRune(s, 0) {
			return "", errors.New("must be the path of a folder; it holds a NUL character")
		}
		return s, nil
	}
	return "", fmt.Errorf(`must be an absolute path, or one that begins with "~/", not %q`, s)
}

func checkUserAgent(s string) (string, error) {
	if s == "" || len(s) > 256 || strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }) {
		return "", errors.New("must be 1 to 256 printable ASCII characters")
	}
	return s, nil
}

func checkZone(s string) (string, error) {
	if _, err := time.LoadLocation(s); err != nil || s == "Local" {
		return "", fmt.Errorf("must be the name of a time zone such as Europe/Berlin, not %q", s)
	}
	return s, nil
}

func checkPlace(s string) (string, error) {
	_, err := schedule.ParsePlace(s)
	return s, err
}

func checkQuiet(s string) (string, error) {
	_, err := schedule.ParseQuiet(s)
	return s, err
}

func checkPath(s string) (string, error) {
	if !filepath.IsAbs(s) || strings.ContainsRune(s, 0) {
		return "", fmt.Errorf("must hold absolute paths, not %q", s)
	}
	return filepath.Clean(s), nil
}

func isHost(s string) bool {
	return regexp.MustCompile(`^[^\s/:@?#\\*\x00-\x1f]+(:[0-9]{1,5})?$`).MatchString(s) && strings.Contains(s, ".")
}

func isSkill(s string) bool { return isName(s, 64) }

func isKeyword(s string) bool {
	return strings.TrimSpace(s) != "" && utf8.RuneCountInString(s) <= 64 && !strings.ContainsFunc(s, unicode.IsControl)
}

// isName reports whether s is a name as skills have them: small letters, digits and single hyphens between them.
func isName(s string, most int) bool {
	for i, r := range s {
		letter := 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
		if !letter && (r != '-' || i == 0 || i == len(s)-1 || s[i-1] == '-') {
			return false
		}
	}
	return s != "" && len(s) <= most
}

// checkAbout takes what is said of a server in one line, which stands in the prompt.
func checkAbout(s string) (string, error) {
	if utf8.RuneCountInString(s) > 1024 || strings.ContainsFunc(s, unicode.IsControl) {
		return "", errors.New("must be one line of at most 1024 characters")
	}
	return s, nil
}

// checkServerURL takes the address of an MCP server. It is kept as it is: a slash at its end may count.
func checkServerURL(s string) (string, error) {
	if s == "" {
		return s, nil
	}
	u, err := url.Parse(s)
	if err == nil && u.User != nil {
		return "", errors.New("must hold no name and no password: write what the server asks for into a file for you alone, " +
			`and name that in header_files, such as {Authorization = "/etc/hob/server"}`)
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Fragment != "" {
		return "", fmt.Errorf(`must be an address such as "https://mcp.example.org/mcp", not %q`, s)
	}
	for name := range u.Query() {
		if secretName(name) {
			return "", fmt.Errorf("must hold no secret, and %s looks like one: write it into a file for you alone, and name that in header_files",
				tomlfile.Name(name))
		}
	}
	return s, nil
}

// secretName reports whether what has this name is likely a secret: API_KEY, githubToken and DB_PASS are, MAX_TOKENS and
// KEYBOARD are not.
func secretName(name string) bool {
	return secretPattern().MatchString(strings.ToUpper(name))
}

var secretPattern = lazyregexp.New(`SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|` +
	`(?:TOKEN|KEY|(?:^|[-_.])(?:KEYS|PASS|PAT))(?:[-_.]|$)`)

// checkHostPort returns the entry in lower case, an IP address in its shortest form.
func checkHostPort(s string) (string, error) {
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

// address returns a check of a server's address, such as example, which is kept without a slash at its end.
func address(example string) func(string) (string, error) {
	return func(s string) (string, error) {
		u, err := url.Parse(s)
		if err == nil && u.User != nil {
			return "", fmt.Errorf("must be an address such as %q, without a name or a password", example)
		}
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
			return "", fmt.Errorf("must be an address such as %q, not %q", example, s)
		}
		return strings.TrimRight(s, "/"), nil
	}
}

// checkListen takes an address to listen at that only this machine reaches.
func checkListen(s string) (string, error) {
	s = strings.ToLower(s)
	host, port, err := net.SplitHostPort(s)
	n, bad := strconv.ParseUint(port, 10, 16)
	ip, none := netip.ParseAddr(host)
	if s != "" && (err != nil || bad != nil || n == 0 || host != "localhost" && (none != nil || !ip.IsLoopback())) {
		return "", fmt.Errorf(`must be an address of this machine alone, such as "127.0.0.1:8787", not %q`, s)
	}
	return s, nil
}

// checkHostHeader takes what stands in the Host header of a request.
func checkHostHeader(s string) (string, error) {
	host := s
	if strings.Contains(s, ":") {
		name, port, err := net.SplitHostPort(s)
		if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 {
			name = ""
		}
		host = name
	}
	if _, err := netip.ParseAddr(host); err != nil && !isHostName(host) {
		return "", fmt.Errorf(`must hold names of hosts, such as "hob.lan:8787", not %q`, s)
	}
	return s, nil
}
