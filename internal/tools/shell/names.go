package shell

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"hob/internal/lazyregexp"
)

// takesCommandLine are the programs for which a text in an argument or on their input is a command line.
func takesCommandLine(program string) bool {
	return isShell(program) || slices.Contains([]string{"eval", "trap", "su", "watch", "ssh", "env"}, program)
}

func isShell(program string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "busybox"}, program)
}

// takesScript are the programs that run the file which is their first argument.
func takesScript(program string) bool {
	return isShell(program) || strings.HasPrefix(program, "python") || slices.Contains([]string{
		".", "source", "node", "nodejs", "deno", "bun", "perl", "ruby", "php", "lua", "Rscript", "tclsh",
	}, program)
}

// noFile is an option behind which comes a program's text, or a name that is not a file's.
var noFile = lazyregexp.New(`^-[a-zA-Z]*[cem]$`)

// takesFileNames are the programs that run or read files which no argument names.
func takesFileNames(program string) bool {
	return slices.Contains([]string{"xargs", "parallel", "run-parts"}, program)
}

// defaultFiles returns the files that a program reads in the folder it runs in, and does what they say.
func defaultFiles(program string) []string {
	switch program {
	case "make", "gmake":
		return []string{"GNUmakefile", "makefile", "Makefile"}
	case "npm", "npx", "bun":
		return []string{"package.json", ".npmrc"}
	case "yarn":
		return []string{"package.json", ".yarnrc.yml", ".yarnrc"}
	case "pnpm":
		return []string{"package.json", ".npmrc", ".pnpmfile.cjs"}
	case "just":
		return []string{"justfile", "Justfile", ".justfile"}
	case "cargo":
		return []string{"Cargo.toml", "build.rs", ".cargo/config.toml"}
	case "go":
		return []string{"go.mod", "go.work"}
	case "git":
		return []string{".git/config"}
	case "task":
		return []string{"Taskfile.yml", "Taskfile.yaml"}
	case "cmake":
		return []string{"CMakeLists.txt"}
	case "ninja":
		return []string{"build.ninja"}
	case "rake", "bundle":
		return []string{"Rakefile", "Gemfile"}
	case "mvn":
		return []string{"pom.xml"}
	case "gradle":
		return []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}
	case "pip", "pip3", "uv", "poetry":
		return []string{"pyproject.toml", "setup.py"}
	case "pytest", "tox", "nox":
		return []string{"conftest.py", "pyproject.toml", "tox.ini", "noxfile.py"}
	}
	return nil
}

// program is the name of the program that a word may be, and "" if it is none.
func (w word) program() string {
	if name := path.Base(w.text); name != "." {
		return name
	}
	return ""
}

// begins reports whether a command may begin after a word: those of the shell's own.
func (w word) begins() bool {
	return slices.Contains([]string{"then", "do", "else", "elif", "if", "while", "until", "time", "!", "{"}, w.text)
}

// signs are in a text that a shell would not take for one word, as it stands.
const signs = " \t\n;&|<>()$`*?['\"\\"

// enter finds the folders that a command line goes to, before any name is looked up.
func (n *naming) enter(text string, depth int) {
	if depth > maxWithin {
		return
	}
	p := phrasesOf(text, n.home(text))
	for _, command := range p.commands {
		goes := false // the next word is where
		for _, w := range command {
			for _, piece := range pieces(w.text) {
				n.goTo(piece, goes)
			}
			goes = slices.Contains([]string{"cd", "pushd", "-C", "--chdir", "--directory", "--prefix", "--cwd"}, w.text)
			if strings.ContainsAny(w.text, signs) && w.text != text {
				n.enter(w.text, depth+1)
			}
		}
	}
	for _, within := range slices.Concat(p.run, p.input) {
		n.enter(within, depth+1)
	}
}

// goTo notes a folder if there is one of that name, or if it is sure that a folder is meant.
func (n *naming) goTo(name string, sure bool) {
	for _, from := range slices.Clone(n.folders) {
		if rel, ok := n.inside(name, from.rel); ok && (sure || n.isFolder(rel)) {
			n.addFolder(nameBase{path.Clean(rel), sure && from.entered})
		}
	}
}

func (n *naming) addFolder(f nameBase) {
	at := slices.IndexFunc(n.folders, func(other nameBase) bool { return other.rel == f.rel })
	switch {
	case at >= 0:
		n.folders[at].entered = n.folders[at].entered || f.entered
	case len(n.folders) == maxFolders:
		n.incomplete = true
	default:
		n.folders = append(n.folders, f)
	}
}

// home is what $HOME is in a line, "" where that may be given another value.
func (n *naming) home(text string) string {
	if strings.Count(text, "HOME") != strings.Count(text, "$HOME")+strings.Count(text, "${HOME}") {
		return ""
	}
	return n.dirs[0]
}

// line is a text that was looked at as a command line.
type line struct {
	text string
	code bool // it is one, and not a text that may be anything
}

// line looks at a command line. code says that it is one, and not a text that may be anything.
func (n *naming) line(text string, code bool, depth int) {
	if depth > maxWithin {
		n.incomplete = true
		return
	}
	if n.lines[line{text, true}] || n.lines[line{text, code}] {
		return
	}
	n.lines[line{text, code}] = true
	p := phrasesOf(text, n.home(text))
	n.unchanged = n.unchanged && len(p.run) == 0
	shell := false // one of them runs what it is given
	for _, command := range p.commands {
		n.command(command, code, depth)
		shell = shell || slices.ContainsFunc(command, func(w word) bool { return takesCommandLine(w.program()) })
	}
	for _, within := range p.run {
		n.line(within, code, depth+1)
	}
	for _, within := range p.input {
		n.line(within, code && shell, depth+1)
	}
}

// command looks at the words of one command.
func (n *naming) command(words []word, code bool, depth int) {
	shell := slices.ContainsFunc(words, func(w word) bool { return takesCommandLine(w.program()) })
	script := false // the next word that is no option is a file that runs
	for i, w := range words {
		program := w.program()
		if w.text == "." && (i == 0 || words[i-1].begins()) {
			program = "."
		}
		before := n.now
		n.now = n.roleOf(words, i, script, code)
		sure := code && !w.open && w.pattern == "" && !w.into
		n.incomplete = n.incomplete || code && (w.open || takesFileNames(program))
		n.argument(w.text, sure)
		part := n.now
		if code && w.pattern != "" {
			n.glob(w.pattern)
		}
		if strings.ContainsAny(w.text, signs) {
			n.line(w.text, code && shell, depth+1)
		}
		n.now = 0
		for _, name := range defaultFiles(program) {
			n.name(name, code)
		}
		if program == "git" && !n.gitSeen {
			n.gitSeen = true
			n.hooks()
		}
		if script && w.text != "" && w.text[0] != '-' {
			script, n.now = false, part
			n.name(w.text, sure && !strings.ContainsAny(w.text, signs))
		}
		script = (script || takesScript(program)) && !noFile().MatchString(w.text)
		if w.text == "-m" && i+1 < len(words) {
			n.module(words[i+1].text)
		}
		n.now = before
	}
	n.unchanged = n.unchanged && changesNothing(words)
}

// hooks are what git runs by itself.
func (n *naming) hooks() {
	for _, folder := range n.folders {
		all, _ := fs.Glob(n.root.FS(), path.Join(folder.rel, ".git/hooks/*")) // the pattern is a good one
		for _, hook := range all {
			if !strings.HasSuffix(hook, ".sample") {
				n.look(hook, false)
			}
		}
	}
}

// modules looks for the modules that a program in another language names.
func (n *naming) modules(language, text string) {
	for _, name := range literals(text) {
		if language == "python" {
			n.module(name)
			continue
		}
		for _, end := range []string{".js", ".mjs", ".cjs", "/index.js"} {
			n.name(name+end, false)
		}
	}
}

// module looks for a module of Python's.
func (n *naming) module(name string) {
	at := strings.ReplaceAll(name, ".", "/")
	for _, end := range []string{".py", "/__init__.py", "/__main__.py"} {
		n.name(at+end, false)
	}
}

// pathLike is what nobody writes who does not mean a file.
var pathLike = lazyregexp.New(`^[^:]*/[^:]*[^/:]$|\.(sh|bash|py|js|mjs|cjs|ts|rb|pl|php|lua|mk|awk|sed|R)$`)

// argument looks up all that a word could name. missing says that it is told of, too, if it is not there.
func (n *naming) argument(text string, missing bool) {
	missing = missing && !strings.Contains(text, "://")
	for _, piece := range pieces(text) {
		n.name(piece, missing && pathLike().MatchString(piece) && !strings.ContainsAny(piece, signs+"=") && piece[0] != '-')
	}
}

// pieces returns a word and what is in it: NAME=word, --opt=word, one:other, -Xword, @word.
func pieces(text string) []string {
	all := []string{text}
	if len(text) > 2 && text[0] == '-' && text[1] != '-' {
		all = append(all, text[2:])
	}
	if strings.ContainsAny(text, "=:,@") {
		if _, value, ok := strings.Cut(text, "="); ok {
			all = append(all, value)
		}
		all = append(all, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("=:,@", r) })...)
	}
	return all
}
