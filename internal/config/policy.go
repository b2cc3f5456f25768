package config

import (
	"fmt"
	"regexp"
	"strings"
)

func policyKeys() []key {
	return []key{
		namesKey("policy", "hosts", checkHost, func(c *Config) *[]string { return &c.Policy.Hosts }),
		namesKey("policy", "tools", checkTool, func(c *Config) *[]string { return &c.Policy.Tools }),
		intKey("policy", "turns_per_minute", 1, 10_000, func(c *Config) *int { return &c.Policy.TurnsPerMinute }),
		intKey("policy", "max_text", 100, 1_000_000, func(c *Config) *int { return &c.Policy.MaxText }),
		pathsKey("policy", "secrets", func(c *Config) *[]string { return &c.Policy.Secrets }),
	}
}

// namesKey is a list of texts, each of which check accepts in small letters.
func namesKey(table, name string, check func(string) error, at func(*Config) *[]string) key {
	return key{table, name, func(c *Config, v any) error {
		list, err := texts(v)
		if err != nil {
			return err
		}
		names := make([]string, 0, len(list))
		for _, s := range list {
			s = strings.ToLower(s)
			if err := check(s); err != nil {
				return err
			}
			names = append(names, s)
		}
		*at(c) = orNil(names)
		return nil
	}, func(c Config) string { return quoteList(*at(&c)) }}
}

func checkHost(s string) error {
	if regexp.MustCompile(`^[^\s/:@?#\\*\x00-\x1f]+(:[0-9]{1,5})?$`).MatchString(s) && strings.Contains(s, ".") {
		return nil
	}
	return fmt.Errorf(`must hold names of hosts, such as "wttr.in" or "192.168.1.10:8123", not %q`, s)
}

func checkTool(s string) error {
	if regexp.MustCompile(`^[a-z0-9_.-]{1,64}$`).MatchString(s) {
		return nil
	}
	return fmt.Errorf("must hold names of tools, not %q", s)
}
