package campaigns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game/author"
	"hob/internal/game/ink"
	"hob/internal/game/proof"
	"hob/internal/game/rules"
	"hob/internal/game/tales"
)

// WrittenTale is a tale that a model wrote, checked as by [TaleFolder.Check], with how often each part was asked for.
type WrittenTale struct {
	Tale
	Asked []author.Asked `json:"asked"`
}

// Write has a tale written and puts it into the folder: whole and proven, or not at all. An order without an id gets one from what the
// tale is about.
func (f TaleFolder) Write(ctx context.Context, o author.Order, ask author.Asker, progress author.Progress) (WrittenTale, error) {
	if err := o.Check(); err != nil {
		return WrittenTale{}, exit.Errorf(exit.Usage, "%v", err)
	}
	if o.ID == "" {
		o.ID = f.freeName(o.Premise)
	}
	if err := f.checkName(o.ID); err != nil {
		return WrittenTale{}, err
	}
	files, asked, err := author.Write(ctx, o, ask, proof.NewProver(), progress)
	refusal := (*author.Refusal)(nil)
	switch {
	case ctx.Err() != nil:
		return WrittenTale{Asked: asked}, exit.Errorf(exit.Denied, "cancelled: nothing of the tale is kept")
	case errors.As(err, &refusal):
		return WrittenTale{Asked: asked}, exit.Errorf(exit.Failed, "%v. Nothing of it is kept: write it again, or take another model", err)
	case err != nil:
		return WrittenTale{Asked: asked}, err
	}
	if err := f.write(files, io.WriteString); err != nil {
		return WrittenTale{Asked: asked}, err
	}
	t, err := f.Check(ctx, o.ID)
	return WrittenTale{t, asked}, err
}

// has reports whether the folder has a file of a tale of that name.
func (f TaleFolder) has(id string) bool {
	for _, end := range append([]string{""}, rules.Langs()...) {
		if _, err := os.Lstat(filepath.Join(string(f), strings.TrimSuffix(id+"."+end, ".")+".txt")); err == nil {
			return true
		}
	}
	return false
}

// freeName makes a name of what a tale is about, of its Latin letters, that no tale has.
func (f TaleFolder) freeName(premise string) string {
	const most = 24 // letters, so that a number still finds room
	name := ""
	for _, word := range strings.FieldsFunc(strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(premise)), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		if next := strings.TrimPrefix(name+"-"+word, "-"); word != "a" && word != "the" && len(next) <= most {
			name = next
		}
	}
	name = cmp.Or(name, "tale")
	free := name
	for n := 2; tales.WrongName(free) != "" || f.has(free); n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return display.Clean(free)
}

// Add makes a tale of choices of a story that was written in Ink and compiled, and puts it into the folder: proven, or not at all. An
// empty id is the name of the file.
func (f TaleFolder) Add(ctx context.Context, file File, id, lang string) (Tale, error) {
	raw, err := file.Read()
	if err != nil {
		return Tale{}, err
	}
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file.Path), ".json"), ".ink")
	if id == "" {
		id = f.freeName(base)
	}
	if err := f.checkName(id); err != nil {
		return Tale{}, err
	}
	files, err := ink.Tale(raw, id, base, lang)
	if err == nil {
		if wrong := tales.FromFiles(id, files).WithProver(proof.NewProver()).Problems(); len(wrong) > 0 {
			err = errors.New(wrong[0].String())
		}
	}
	if err != nil {
		return Tale{}, exit.Errorf(exit.Failed, "%s cannot be a tale: %v", display.Clean(file.String()), err)
	}
	if err := f.write(files, io.WriteString); err != nil {
		return Tale{}, err
	}
	return f.Check(ctx, id)
}

// checkName refuses a name that no tale can have, or that one has already.
func (f TaleFolder) checkName(id string) error {
	if wrong := tales.WrongName(id); wrong != "" {
		return exit.Errorf(exit.Usage, "%.80q: %s", id, wrong)
	}
	if f.has(id) {
		return exit.Errorf(exit.Usage, "there is a tale %s in %s already: choose another name", id, f)
	}
	return nil
}
