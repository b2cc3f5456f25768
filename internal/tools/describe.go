package tools

import "strings"

// Words describes to a person what a tool may do, and its results.
func (p Capabilities) Words() string {
	var words []string
	for _, one := range []struct {
		of    Capabilities
		words string
	}{
		{Reads, "look at something"},
		{Writes, "change the workspace"},
		{Outside, "change files outside of the workspace"},
		{Executes, "run programs"},
		{Sends, "send something out"},
		{Persists, "keep something for later conversations"},
		{Destroys, "do what cannot be taken back"},
		{Spends, "cost money"},
		{Authority, "change what others may do"},
		{Private, "tell what is the household's own"},
		{Untrusted, "tell what strangers wrote"},
	} {
		if p.Has(one.of) {
			words = append(words, one.words)
		}
	}
	if len(words) == 0 {
		return "do nothing that it tells of"
	}
	return strings.Join(words, ", ")
}

// Places says where and for whom the tool works, or "" if that is everywhere and everybody.
func (d Def) Places() string {
	var words []string
	if len(d.Platforms) > 0 {
		words = append(words, "on "+strings.Join(d.Platforms, ", "))
	}
	if len(d.Scopes) > 0 {
		words = append(words, "in a conversation that is "+strings.Join(d.Scopes, ", "))
	}
	if d.Level > User {
		words = append(words, "for "+d.Level.String()+" and above")
	}
	if d.Hidden {
		words = append(words, "for people, not for models")
	}
	return strings.Join(words, "; ")
}
