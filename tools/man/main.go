// Command man writes hob's manual pages, one a command, from what `hob help --json` prints:
//
//	hob help --json | go run . FOLDER
//
// It is a module of its own, so that hob does not depend on what turns commands into pages.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// command is a command as `hob help --json` describes it.
type command struct {
	Use, Short, Long, Example string
	Flags                     []struct{ Name, Shorthand, Type, Default, Usage string }
	Commands                  []command
}

func main() {
	if err := run(os.Stdin, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "man: %v\n", err)
		os.Exit(1)
	}
}

func run(in io.Reader, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name the folder for the pages")
	}
	var hob command
	if err := json.NewDecoder(in).Decode(&hob); err != nil {
		return fmt.Errorf("read what hob help --json prints: %w", err)
	}
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return err
	}
	root := hob.build()
	root.DisableAutoGenTag = true // the same pages each time
	root.CompletionOptions.DisableDefaultCmd = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "hob", Manual: "hob"}, args[0]); err != nil {
		return err
	}
	return tidyFlags(args[0])
}

// tidyFlags has the pages show flags as they are typed: a switch has no value, and another flag no empty one.
func tidyFlags(folder string) error {
	pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil {
		return err
	}
	switches, empty := regexp.MustCompile(`(\\fB-[^ ]*\\fP)(\[=false\]|=false)`), regexp.MustCompile(`(\\fB--[^ ]*\\fP=)(""|\[\])?\n`)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		text = empty.ReplaceAll(switches.ReplaceAll(text, []byte("$1")), []byte("${1}...\n"))
		if err := os.WriteFile(page, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build returns the command as cobra's own, which does nothing.
func (c command) build() *cobra.Command {
	built := &cobra.Command{Use: c.Use, Short: c.Short, Long: c.Long, Example: c.Example, Run: func(*cobra.Command, []string) {}}
	for _, f := range c.Flags {
		built.Flags().VarPF(value{f.Type, f.Default}, f.Name, f.Shorthand, f.Usage)
	}
	for _, below := range c.Commands {
		built.AddCommand(below.build())
	}
	return built
}

// value is a flag's, of a type that hob knows.
type value struct{ kind, set string }

func (v value) String() string   { return v.set }
func (v value) Set(string) error { return nil }
func (v value) Type() string     { return v.kind }
