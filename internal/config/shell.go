package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

func shellKeys() []key {
	return []key{
		boolKey("shell", "enabled", func(c *Config) *bool { return &c.Shell.Enabled }),
		durationKey("shell", "timeout", func(c *Config) *duration { return &c.Shell.Timeout }),
		durationKey("shell", "job_timeout", func(c *Config) *duration { return &c.Shell.JobTimeout }),
		boolKey("shell", "keep_jobs", func(c *Config) *bool { return &c.Shell.KeepJobs }),
		sizeKey("shell", "memory", func(c *Config) *int64 { return &c.Shell.Memory }),
		intKey("shell", "processes", 8, 1<<16, func(c *Config) *int { return &c.Shell.Processes }),
		pathsKey("shell", "read", func(c *Config) *[]string { return &c.Shell.Read }),
		allowKey("shell", "network", func(c *Config) *[]string { return &c.Shell.Network }),
		textKey("shell", "tier", checkTier, func(c *Config) *string { return &c.Shell.Tier }),
		boolKey("shell", "allow_unsandboxed", func(c *Config) *bool { return &c.Shell.AllowUnsandboxed }),
	}
}

// pathsKey is a list of absolute paths.
func pathsKey(table, name string, at func(*Config) *[]string) key {
	return key{table, name, func(c *Config, v any) error {
		list, err := texts(v)
		if err != nil {
			return err
		}
		paths := make([]string, 0, len(list))
		for _, s := range list {
			if !filepath.IsAbs(s) || strings.ContainsRune(s, 0) {
				return fmt.Errorf("must hold absolute paths, not %q", s)
			}
			paths = append(paths, filepath.Clean(s))
		}
		*at(c) = orNil(paths)
		return nil
	}, func(c Config) string { return quoteList(*at(&c)) }}
}

func checkTier(s string) error {
	if slices.Contains([]string{"", "T1", "T2", "T3", "T4"}, s) {
		return nil
	}
	return fmt.Errorf(`must be "", or T1, T2, T3 or T4, not %q`, s)
}
