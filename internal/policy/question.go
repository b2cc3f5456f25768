package policy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"time"

	"hob/internal/event"
	"hob/internal/tools"
)

// NewQuestion returns the record of a question about a call, in a language and with times of a
// zone, without its ID and its expiry. An error means that the files that the call will run cannot
// be read.
func NewQuestion(ctx context.Context, lang string, zone *time.Location, c Call, r Ruling) (event.Asked, error) {
	binding, err := bindingOf(ctx, c)
	if err != nil {
		return event.Asked{}, fmt.Errorf("look at what %s will run: %w", c.Name, err)
	}
	a := event.Asked{
		CallID: c.ID, Tool: c.Name, Args: c.Args, Repairs: c.Repairs, Binding: binding,
		Hash: recordHash(c, binding), Rule: string(r.Rule), Grants: r.Grants, Lang: lang,
	}
	if tools.SourceOf(c.Tool) != tools.BuiltIn {
		zone = nil
	}
	a.Text = Render(a, zone)
	return a, nil
}

// CheckApproved returns nil if a person approved exactly what would run now, otherwise the error
// for the call.
func CheckApproved(ctx context.Context, asked event.Asked, c Call) *tools.Error {
	binding, err := bindingOf(ctx, c)
	if err != nil {
		return alteredError("what it will run cannot be looked at any more: " + err.Error())
	}
	switch {
	case asked.Tool != c.Name:
		return alteredError("the user was asked about " + inline(asked.Tool))
	case !sameArgs(asked.Args, c.Args):
		return alteredError("its arguments are not those that the user was asked about")
	case asked.Binding.Profile != binding.Profile:
		return alteredError("its sandbox has changed since the user was asked")
	case asked.Binding.Dir != binding.Dir:
		return alteredError("its working folder has changed since the user was asked")
	}
	if asked.Binding.Changes != binding.Changes {
		return alteredError("it would change " + inline(binding.Changes) + " now")
	}
	if what := filesDiffer(asked.Binding.Files, binding.Files); what != "" {
		return alteredError(what + " since the user was asked")
	}
	if asked.Hash != recordHash(c, binding) {
		return alteredError("the user was asked in another conversation, or the record of it has changed")
	}
	return nil
}

// sameArgs reports whether the canonical arguments of a call are those of a record. It compares
// their meaning, because a journal changes the bytes: it escapes <, > and &.
func sameArgs(asked, now json.RawMessage) bool {
	canonical, err := tools.Canonical(asked)
	return err == nil && string(canonical) == string(now) || string(asked) == string(now)
}

func alteredError(what string) *tools.Error {
	return tools.Denied(event.CodePermissionDenied, "denied by rule %s: %s", RuleAltered, what).
		Suggest("look at what has changed; to run it as it is now, call it again")
}

// filesDiffer describes the first difference between the files of two bindings, or returns "".
func filesDiffer(asked, now []event.BoundFile) string {
	sums := map[string]string{}
	for _, f := range now {
		sums[f.Path] = f.Sum
	}
	for _, f := range asked {
		switch sum, ok := sums[f.Path]; {
		case !ok:
			return "the file " + inline(f.Path) + " has ceased to be run"
		case sum != f.Sum:
			return "the file " + inline(f.Path) + " has changed"
		}
		delete(sums, f.Path)
	}
	for _, f := range now {
		if _, more := sums[f.Path]; more {
			return "the file " + inline(f.Path) + " has come to be run too"
		}
	}
	return ""
}

// bindingOf returns the binding of a call, with its files sorted by path.
func bindingOf(ctx context.Context, c Call) (event.Binding, error) {
	b, err := tools.BindingOf(tools.WithCaller(ctx, c.Caller), c.Tool, c.Args)
	if err != nil {
		return event.Binding{}, err
	}
	files := append([]event.BoundFile(nil), b.Files...)
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	b.Files = files
	return b, nil
}

// HashArgs returns the SHA-256 of canonical arguments, in hexadecimal.
func HashArgs(args []byte) string {
	sum := sha256.Sum256(args)
	return hex.EncodeToString(sum[:])
}

// recordHash returns the SHA-256 of everything that a yes covers, in hexadecimal. Each part is
// preceded by its length, so that different records never have the same input.
func recordHash(c Call, b event.Binding) string {
	parts := []string{string(c.Caller.Chat), c.Name, string(c.Args), b.Profile, b.Dir}
	for _, f := range b.Files {
		parts = append(parts, f.Path, f.Sum)
	}
	if b.Changes != "" {
		parts = append(parts, b.Changes)
	}
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:", len(part))
		_, _ = io.WriteString(h, part)
	}
	return hex.EncodeToString(h.Sum(nil))
}
