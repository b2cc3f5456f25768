package intents

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"hob/internal/llm"
)

// anyTool is what a kind has whose words are understood after a call of any tool.
const anyTool = "*"

// mayFollow reports whether the words of a kind are understood after a call of a tool; "" is no call.
func (k kind) mayFollow(tool string) bool {
	if tool == "" || k.after == "" {
		return tool == k.after
	}
	return k.after == anyTool || slices.Contains(strings.Fields(k.after), tool)
}

// Following returns what a text means right after a call that words of the same person have become: "and milk, too" adds to the same list,
// "and on Friday?" looks at another day. Its calls are of the same tool with the same arguments, but for those that are said. The zero Reading
// means that it is none. Read knows no such words.
func (s *Sentences) Following(text string, before llm.Call) Reading {
	var all []parse
	for _, l := range s.langs() {
		t := fold(l.spoken(text))
		if t.after = before.Name; len(t.norm) <= longest && l.mayBe(t) {
			all = append(all, slices.DeleteFunc(l.parsesOf(t, false), func(p parse) bool { return l.isDoubtful(t, p) })...)
		}
	}
	r := s.choose(all)
	var had, said map[string]any
	if r.Kind == "" || json.Unmarshal(before.Args, &had) != nil || json.Unmarshal(r.Call.Args, &said) != nil {
		return Reading{}
	}
	r.others = nil
	if r.TakesBack() {
		return r
	}
	things, _ := had["items"].([]any)
	isInstead := r.Kind == instead
	items, names := said["items"].([]any)
	switch {
	case before.Name == "list_show" && slices.ContainsFunc(items, func(item any) bool { return s.isAsked(r.Lang, item) }): // and the weather too
		return Reading{}
	case names && r.Call.Name == "" && len(things) == 0: // all of a list was emptied
		return Reading{}
	case names && had["list"] == nil: // several lists were shown
		return Reading{}
	case isInstead && len(things) != 1: // one of them is meant, and nobody says which
		return Reading{}
	}
	if r.Call.Name != "" { // it is about the list or the file that the call was about
		r.Kind = r.Call.Name
		if file := fileOf(had); file != "" {
			said["path"], r.Paths = file, []string{file}
		} else {
			said["list"] = had["list"]
		}
		r.Call.Args, _ = json.Marshal(said) // it came from JSON
		return r
	}
	r.Kind, r.Call.Name = before.Name, before.Name
	changed := maps.Clone(had)
	maps.Copy(changed, said)
	r.Call.Args, _ = json.Marshal(changed) // both came from JSON
	if isInstead {
		removed := r
		removed.Kind, removed.Call = "list_remove", llm.Call{Name: "list_remove", Args: before.Args}
		r = Reading{Kind: removed.Kind + "+" + r.Kind, Acts: true, Score: r.Score, Lang: r.Lang, Parts: []Reading{removed, r}}
	}
	return r
}

// isAsked reports whether a thing behind a shown list is one that somebody asks for, and nobody puts on a list.
func (s *Sentences) isAsked(lang string, item any) bool {
	text, _ := item.(string)
	return languageNamed(s.langs(), lang).consistsOf(fold(text).norm, "articles", "things")
}

// fileOf returns the file that a call was about, where it lies since. It is "" where it was about none.
func fileOf(had map[string]any) string {
	file, _ := had["path"].(string)
	to, _ := had["to"].(string)
	if strings.HasSuffix(to, "/") {
		return to + path.Base(file)
	}
	return cmp.Or(to, file)
}

// Makes reports whether a call makes something new, which "delete that" and "cancel that" are about. What has moved or removed something is not
// undone by such words.
func Makes(call llm.Call) bool { return slices.Contains(strings.Fields(makers), call.Name) }

// makers are the tools that make something.
const makers = "list_add note_add remember remind write_file make_folder copy_file"

// TakesBack reports whether a reading of [Sentences.Following] takes back what the call before has done.
func (r Reading) TakesBack() bool { return r.Kind == takeBack }
