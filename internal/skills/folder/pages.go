package folder

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hob/internal/display"
	"hob/internal/event"
	"hob/internal/tools"
)

// pages are the files of a skill's folder. They are read when they are asked for, as they are then.
//
// A page is its path in the folder, such as references/api.md. "SKILL.md" is the instructions. What does not fit goes on at
// "NAME#BYTES", as the last line of the answer says; "." is the list of all pages.
type pages struct {
	at       place
	names    []string // from a to z
	body     string   // the instructions, with the folder's name in its place
	commands bool     // commands can read the folder
}

// Names implements [skills.Pages].
func (p *pages) Names() []string { return slices.Clone(p.names) }

// Read implements [skills.Pages]. Errors are [*tools.Error].
func (p *pages) Read(ctx context.Context, name string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	name = strings.TrimPrefix(strings.TrimSpace(name), "./")
	if name == "." || name == "" {
		return strings.Join(p.names, "\n"), nil
	}
	if !fs.ValidPath(name) || strings.ContainsRune(name, 0) || strings.ContainsRune(name, '\\') {
		return "", tools.Denied(event.CodePathTraversal, "the page %s is not in the folder of the skill", quoteName(name)).
			Suggest("use a name as it is listed, such as " + p.example())
	}
	page, offset := name, 0
	if i := strings.LastIndexByte(name, '#'); i >= 0 && !slices.Contains(p.names, name) {
		if n, err := strconv.Atoi(name[i+1:]); err == nil && n >= 0 {
			page, offset = name[:i], n
		}
	}
	if page == skillFile {
		return piece(p.body, page, offset, maxBody)
	}
	raw, size, err := p.load(page)
	if err != nil {
		return "", p.fault(page, err)
	}
	text := strings.TrimPrefix(string(bytes.TrimSuffix(raw, partialRune(raw))), "\ufeff")
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return "", p.noText(page, raw, size)
	}
	return piece(text, page, offset, maxPage)
}

// load returns a page as it is on the disk now.
func (p *pages) load(page string) ([]byte, int64, error) {
	in, err := p.at.open()
	if err != nil {
		return nil, 0, err
	}
	defer in.close()
	file, info, err := in.file(page)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxPageFile))
	return raw, max(info.Size(), int64(len(raw))), err
}

// piece returns what of a text begins at offset and fits, cut after a line where that is not too early, with a sentence on
// what is left out.
func piece(text, page string, offset, most int) (string, error) {
	if offset > len(text) || offset == len(text) && offset > 0 {
		return "", tools.Invalid(event.CodeInvalidValue, "the page %s has %d bytes, and there is nothing at %d", quoteName(page), len(text), offset).
			Suggest("read it from the beginning with page=" + strconv.Quote(page))
	}
	offset = display.CutAt(text, offset)
	rest := text[offset:]
	if len(rest) <= most {
		return rest, nil
	}
	cut := display.CutAt(rest, most)
	if line := strings.LastIndexByte(rest[:cut], '\n') + 1; line > most/2 {
		cut = line
	}
	end := ""
	if !strings.HasSuffix(rest[:cut], "\n") {
		end = "\n"
	}
	return rest[:cut] + end + fmt.Sprintf("[%d of %d bytes are left out here; use_skill with page=%q goes on]",
		len(rest)-cut, len(text), fmt.Sprintf("%s#%d", page, offset+cut)), nil
}

// partialRune returns the end of raw that is a rune cut short by the bound on files.
func partialRune(raw []byte) []byte {
	if len(raw) < maxPageFile {
		return nil
	}
	for i := len(raw) - 1; i >= len(raw)-utf8.UTFMax; i-- {
		if utf8.RuneStart(raw[i]) && !utf8.FullRune(raw[i:]) {
			return raw[i:]
		}
	}
	return nil
}

func (p *pages) noText(page string, raw []byte, size int64) error {
	kind, _, _ := strings.Cut(http.DetectContentType(raw), ";")
	message := fmt.Sprintf("%s is no text but %s of %d bytes", quoteName(page), kind, size)
	if strings.HasPrefix(kind, "text/") {
		message = fmt.Sprintf("%s is no UTF-8 text (%d bytes)", quoteName(page), size)
	}
	e := tools.Invalid(event.CodeInvalidFormat, "%s", message)
	if p.commands {
		return e.Suggest("a command can read it: " + display.ShellWord(path.Join(p.at.dir, page)))
	}
	return e
}

// fault is the error of a page that cannot be read.
func (p *pages) fault(page string, err error) error {
	if isMissing(err) {
		what := "it has no pages beside its instructions"
		if len(p.names) > 0 {
			what = "its pages are " + nameSome(p.names)
		}
		return tools.Missing(event.CodeFileNotFound, "the skill has no page %s", quoteName(page)).Suggest(what)
	}
	return tools.StorageFailed("the page %s cannot be read: %s", quoteName(page), explainError(err))
}

func (p *pages) example() string {
	if len(p.names) == 0 {
		return skillFile
	}
	return quoteName(p.names[0])
}

// nameSome names the first of many pages, and says how many are not named.
func nameSome(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i >= mostNamed || b.Len()+len(name) > 1000 {
			fmt.Fprintf(&b, ` and %d more, which page="." lists`, len(names)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String()
}

// finish makes the instructions and the pages of a skill that can be loaded.
func (r *reading) finish(in *openFolder, body string) {
	s := &r.skill
	dir := r.at.dir
	body = replaceFolder(strings.TrimSpace(body), dir, r.options.Commands)
	p := &pages{at: r.at, names: r.walk(in), body: body, commands: r.options.Commands}
	s.Source = dir
	told, _ := piece(body, skillFile, 0, maxBody) // nothing is past its end
	if len(body) > maxBody {
		r.warn(0, "the instructions have %d bytes, of which a model is told the first %d KiB when the skill is opened: "+
			"move what is rarely needed into files below references", len(body), maxBody>>10)
	}
	s.Instructions = strings.Join(slices.DeleteFunc([]string{r.about(in, p.names, r.options.Commands), told},
		func(part string) bool { return part == "" }), "\n\n")
	if len(p.names) > 0 || len(body) > maxBody {
		s.Pages = p
	}
}

// about is what a model must know of the files beside the instructions.
func (r *reading) about(in *openFolder, names []string, reachable bool) string {
	if len(names) == 0 {
		return ""
	}
	text := fmt.Sprintf("Pages of this skill, which use_skill with name=%q and page=\"...\" reads: %s.", r.name, nameSome(names))
	if !reachable {
		return text
	}
	text += " Its files are in " + r.at.dir + ", which commands can read"
	for _, name := range names {
		if strings.HasPrefix(name, "scripts/") {
			return text + "; run a script with e.g. `" + runner(in, name) + display.ShellWord(path.Join(r.at.dir, name)) + "`."
		}
	}
	return text + "."
}

// replaceFolder puts the folder where skills of other agents have a word for it. Where commands cannot read it, what follows
// is the name of a page.
func replaceFolder(body, dir string, reachable bool) string {
	pairs := []string{}
	for _, word := range []string{"${baseDir}", "{baseDir}", "${CLAUDE_SKILL_DIR}"} {
		if reachable {
			pairs = append(pairs, word, dir)
		} else {
			pairs = append(pairs, word+"/", "", word, "the skill's folder")
		}
	}
	return strings.NewReplacer(pairs...).Replace(body)
}

// runner is the program that a script is run with, and a blank: what its first line names, or what its name ends in.
func runner(in *openFolder, name string) string {
	file, _, err := in.file(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	raw, _ := io.ReadAll(io.LimitReader(file, 128))
	line, _, _ := strings.Cut(string(raw), "\n")
	if words := strings.Fields(strings.TrimPrefix(line, "#!")); strings.HasPrefix(line, "#!") && len(words) > 0 {
		program := path.Base(words[0])
		if program == "env" && len(words) > 1 {
			program = words[1]
		}
		switch program {
		case "sh", "bash", "dash", "zsh", "python3", "python", "node", "perl", "ruby":
			return program + " "
		}
		return ""
	}
	endings := map[string]string{".sh": "sh ", ".bash": "bash ", ".py": "python3 ", ".js": "node ", ".mjs": "node ", ".pl": "perl ", ".rb": "ruby "}
	return cmp.Or(endings[path.Ext(name)], "")
}
