package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hob/internal/event"
	"hob/internal/tools"
)

// searchPath is where a command finds programs.
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// An interpreter runs scripts of a language.
type interpreter struct {
	language string
	programs []string // the first that is there is taken
	options  []string
	stdin    bool // it reads the script there, else as its last argument
}

// interpreters lists them. A shell reads its standard input bit by bit, and what it runs would read the rest of the
// script in its place: it is handed the script as an argument, whole and unquoted. The others have read all of it before
// they begin, and then find their standard input at its end, as every command does.
func interpreters() []interpreter {
	return []interpreter{
		{"sh", []string{"sh"}, []string{"-c", "--"}, false},
		{"bash", []string{"bash"}, []string{"-c", "--"}, false},
		{"python", []string{"python3", "python"}, []string{"-"}, true},
		{"node", []string{"node", "nodejs"}, []string{"-"}, true},
	}
}

// script returns the arguments and the standard input of a command that runs text, or an error that says which
// languages there are.
func script(language, text string) (args []string, stdin []byte, err error) {
	all := interpreters()
	at := max(slices.IndexFunc(all, func(i interpreter) bool { return i.language == language }), 0) // "" is the shell
	path := all[at].find()
	if path == "" {
		var there []string
		for _, i := range all {
			if i.find() != "" {
				there = append(there, i.language)
			}
		}
		return nil, nil, tools.Invalid(event.CodeInvalidValue, "language: %s is not installed here", language).
			Suggest("use one of: " + strings.Join(there, ", "))
	}
	args = append([]string{path}, all[at].options...)
	if all[at].stdin {
		return args, []byte(text), nil
	}
	return append(args, text), nil, nil
}

// find returns the path of the interpreter, or "".
func (i interpreter) find() string {
	for _, program := range i.programs {
		for _, dir := range filepath.SplitList(searchPath) {
			path := filepath.Join(dir, program)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return path
			}
		}
	}
	return ""
}
