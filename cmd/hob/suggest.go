package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/exit"
)

// meanings maps words that people type behind hob to the command that hob has for them.
func meanings() map[string]string {
	all := map[string]string{}
	for command, words := range map[string]string{
		"hob setup":      "init onboard onboarding configure install login wizard",
		"hob status":     "ps list ls top info state",
		"hob log":        "logs history journalctl tail events",
		"hob serve":      "start daemon up server service",
		"hob stop":       "kill cancel abort end down quit exit",
		"hob chats":      "sessions conversations threads",
		"hob ask":        "say prompt question query send tell",
		"hob model":      "models ollama",
		"hob model pull": "pull download get",
		"hob model use":  "use switch",
		"hob skill":      "skills plugins plugin extensions",
		"hob tool":       "tools call exec",
		"hob tool note":  "note notes",
		"hob game":       "games play story stories tale tales adventure",
		"hob roll":       "dice",
		"hob doctor":     "check test diagnose health verify",
		"hob allow":      "users user people invite members",
		"hob grant":      "grants permissions permission rights allowlist",
		"hob backup":     "save dump export snapshot",
		"hob restore":    "import load recover",
		"hob undo":       "revert rollback back",
		"hob config":     "settings preferences conf set edit",
		"hob help":       "man manual usage commands",
		"hob version":    "ver about",
		"hob privacy":    "network hosts contacts",
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = command
		}
	}
	return all
}

// guideTo returns advice for a task that no command does, or "".
func guideTo(cmd *cobra.Command, word string) string {
	return map[string]string{
		"hob update":        "hob updates nothing by itself: docs/install.md says how you upgrade it",
		"hob upgrade":       "hob updates nothing by itself: docs/install.md says how you upgrade it",
		"hob uninstall":     "docs/install.md says what to remove",
		"hob remove":        "docs/install.md says what to remove",
		"hob skill install": "copy its folder beside those that hob skill new makes, then hob skill check NAME",
		"hob skill add":     "copy its folder beside those that hob skill new makes, then hob skill check NAME",
		"hob skill update":  "copy the new folder over the old one: it is taken up with the next message",
		"hob skill remove":  "delete its folder, which hob skill show NAME names: it is gone with the next message",
		"hob skill delete":  "delete its folder, which hob skill show NAME names: it is gone with the next message",
	}[cmd.CommandPath()+" "+strings.ToLower(word)]
}

// suggest returns the command below cmd that word most likely means, or "". It looks at meanings
// first, then at spelling.
func suggest(cmd *cobra.Command, word string) string {
	word = strings.ToLower(word)
	if !cmd.HasParent() {
		if command, ok := meanings()[word]; ok {
			return command
		}
	}
	for letters := 1; letters <= min(2, len(word)-2); letters++ { // letters that may differ: one in a short word, else two
		cmd.SuggestionsMinimumDistance = letters
		near := slices.DeleteFunc(cmd.SuggestionsFor(word), func(name string) bool {
			return name == "stop" && len(word) != len(name) // a wrong guess would end the running hob
		})
		if len(near) > 0 {
			return cmd.CommandPath() + " " + near[0]
		}
	}
	return ""
}

// noCommand refuses an unknown command and suggests the most likely one.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if guide := guideTo(root, args[0]); guide != "" {
		return exit.Errorf(exit.Usage, "there is no command %q: %s", args[0], guide)
	}
	ask := `hob ask "` + strings.Join(args, " ") + `"`
	switch near := suggest(root, args[0]); {
	case near != "" && len(args) > 1:
		return exit.Errorf(exit.Usage, "there is no command %q: did you mean %s, or %s?", args[0], near, ask)
	case near != "":
		return exit.Errorf(exit.Usage, "there is no command %q: did you mean %s?", args[0], near)
	}
	return exit.Errorf(exit.Usage, "there is no command %q: to say that to hob use %s; hob --help lists the commands", args[0], ask)
}

// suggestBelow makes commands with subcommands suggest the most likely one for an unknown word.
func suggestBelow(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		check := cmd.Args
		if check == nil || cmd.Name() == "completion" {
			continue
		}
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if err == nil || len(args) == 0 {
				return err
			}
			own := (*exit.Error)(nil)
			switch isOwn := errors.As(err, &own); {
			case isOwn && !cmd.HasSubCommands():
				return err
			case !cmd.HasSubCommands():
				return exit.Errorf(exit.Usage, "%s takes no words: leave %q out; %[1]s --help shows what it takes", cmd.CommandPath(), args[0])
			}
			if guide := guideTo(cmd, args[0]); guide != "" {
				return exit.Errorf(exit.Usage, "there is no %s %s: %s", cmd.CommandPath(), args[0], guide)
			}
			if near := suggest(cmd, args[0]); near != "" {
				return exit.Errorf(exit.Usage, "there is no %s %s: did you mean %s?", cmd.CommandPath(), args[0], near)
			}
			if own != nil {
				return err
			}
			return exit.Errorf(exit.Usage, "there is no %s %s: %[1]s --help lists what there is", cmd.CommandPath(), args[0])
		}
	}
}
