package shell

import (
	"context"
	"os"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

// Folder is a folder that commands may read. One with strangers' words in it is there only for commands that name it, or that
// are made of such words anyway, and what these write is a stranger's: of the others nobody has to wonder what they have read.
type Folder struct {
	Dir   string      // absolute, links followed
	Word  string      // what names it in a command, beside Dir
	Label event.Label // where what is in it comes from
}

// readable are the files and folders that a command may read beside the workspace, and where what is in them comes from.
func (s *ShellTool) readable(sees func(Folder) bool) (all []string, from event.Label) {
	all = slices.Clone(s.cfg.Read)
	if s.cfg.ReadNow == nil {
		return all, from
	}
	for _, one := range s.cfg.ReadNow() {
		if _, err := os.Stat(one.Dir); err == nil && sees(one) {
			all, from = append(all, one.Dir), from.Join(one.Label)
		}
	}
	return all, from
}

// visibleTo says which folders a command sees.
func visibleTo(ctx context.Context, command string) func(Folder) bool {
	strange := tools.CallerFrom(ctx).Label.Untrusted
	return func(one Folder) bool {
		return strange || !one.Label.Untrusted || strings.Contains(command, one.Dir) || one.Word != "" && strings.Contains(command, one.Word)
	}
}
