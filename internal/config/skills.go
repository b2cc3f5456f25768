package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Skills is which skills there are, and which of them speak for you.
type Skills struct {
	Trust []string // names of SKILL.md skills whose words count as the owner's own
	Off   []string // names of skills that are left out, wherever they come from
}

// Web is how hob searches the web.
type Web struct {
	Search string // URL of a SearXNG server, without a slash at the end; empty means hob does not search
}

func skillKeys() []key {
	return []key{
		namesKey("skills", "trust", checkSkill, func(c *Config) *[]string { return &c.Skills.Trust }),
		namesKey("skills", "off", checkSkill, func(c *Config) *[]string { return &c.Skills.Off }),
		orEmpty(baseKey("web", "search", "http://127.0.0.1:8888", func(c *Config) *string { return &c.Web.Search })),
	}
}

// orEmpty is a key that may also be "", which is its default.
func orEmpty(k key) key {
	set := k.set
	k.set = func(c *Config, v any) error {
		if v == "" {
			return nil
		}
		return set(c, v)
	}
	return k
}

func checkSkill(s string) error {
	if !isName(s, 64) {
		return fmt.Errorf("must hold names of skills, which are a-z, 0-9 and single hyphens, not %q", s)
	}
	return nil
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
func checkAbout(s string) error {
	if utf8.RuneCountInString(s) > 1024 || strings.ContainsFunc(s, unicode.IsControl) {
		return errors.New("must be one line of at most 1024 characters")
	}
	return nil
}

func checkKeyword(s string) error {
	if strings.TrimSpace(s) == "" || utf8.RuneCountInString(s) > 64 || strings.ContainsFunc(s, unicode.IsControl) {
		return fmt.Errorf("must hold words of at most 64 characters, not %.80q", s)
	}
	return nil
}

func checkLevel(s string) error {
	switch s {
	case "user", "group_admin", "group_owner", "bot_admin", "owner":
		return nil
	}
	return fmt.Errorf("must be user, group_admin, group_owner, bot_admin or owner, not %q", s)
}

// checkServerURL takes the address of an MCP server. It is kept as it is: a slash at its end may count.
func checkServerURL(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err == nil && u.User != nil {
		return errors.New("must hold no name and no password: write what the server asks for into a file for you alone, " +
			`and name that in header_files, such as {Authorization = "/etc/hob/server"}`)
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Fragment != "" {
		return fmt.Errorf(`must be an address such as "https://mcp.example.org/mcp", not %q`, s)
	}
	for name := range u.Query() {
		if secretName(name) {
			return fmt.Errorf("must hold no secret, and %s looks like one: write it into a file for you alone, and name that in header_files",
				printable(name))
		}
	}
	return nil
}

// checkServerTool takes the name of a tool as servers write it.
func checkServerTool(s string) error {
	bad := func(r rune) bool { return r >= 0x80 || !isBare(byte(r)) && r != '.' && r != '/' }
	if s == "" || len(s) > 128 || strings.ContainsFunc(s, bad) {
		return fmt.Errorf("must hold names of the server's tools, not %q", s)
	}
	return nil
}

// secretName reports whether what has this name is likely a secret: API_KEY, githubToken and DB_PASS are, MAX_TOKENS and
// KEYBOARD are not.
func secretName(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if strings.HasSuffix(word, "TOKEN") || strings.HasSuffix(word, "KEY") || word == "KEYS" || word == "PASS" || word == "PAT" {
			return true
		}
	}
	return false
}
