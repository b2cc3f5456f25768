package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hob/internal/app"
	"hob/internal/exit"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// toolHelpCommand explains one tool.
func toolHelpCommand(a *program) *cobra.Command {
	return &cobra.Command{
		Use: "help NAME", Short: "explain a tool: its arguments, other names, examples, and what policy makes of it",
		Args: wants(1, 1, "say which tool: hob tool help NAME, of those that hob tool lists"),
		RunE: does(func(ctx context.Context, names []string) error { return a.explainTool(ctx, names[0]) }),
	}
}

// explainTool prints all that a person can want to know of a tool before it is called.
func (a *program) explainTool(ctx context.Context, name string) error {
	s, err := a.Load()
	if err != nil {
		return err
	}
	kit, err := s.StandaloneTools(ctx, app.JournalTools(nil))
	if err != nil {
		return err
	}
	defer kit.Skills.Close()
	tool, err := kit.Find(ctx, name)
	if bad, ok := err.(*tools.Error); ok {
		return exit.Errorf(exit.Usage, "%s", withSuggestion(bad))
	}
	if err != nil {
		return err
	}
	inForce, err := policyNow(ctx, s)
	if err != nil {
		return err
	}
	caller := tools.Caller{User: "owner", Standing: app.LocalOwner()}
	ruling := inForce.Judge(ctx, policy.Call{Call: llm.Call{Name: tool.Name()}, Tool: tool, Caller: caller})
	def := tools.DefOf(tool)
	fmt.Fprint(a.stdout, tools.Usage(tool))
	if word, _, _ := strings.Cut(tools.Signature(tool), " "); word != tool.Name() {
		fmt.Fprintln(a.stdout, "tool: "+tool.Name())
	}
	fmt.Fprintln(a.stdout, "may: "+powersInWords(def.Powers))
	fmt.Fprintln(a.stdout, "here: "+rulingInWords(ruling, def.Powers))
	if where := placesInWords(def); where != "" {
		fmt.Fprintln(a.stdout, "only: "+where)
	}
	fmt.Fprintln(a.stdout, "from: "+tools.SourceOf(tool))
	return nil
}

// powersInWords says what a tool may do, and what its results are.
func powersInWords(powers tools.Powers) string {
	var words []string
	for _, p := range []struct {
		power tools.Powers
		words string
	}{
		{tools.Reads, "look at something"},
		{tools.Writes, "change the workspace"},
		{tools.Outside, "change files outside of the workspace"},
		{tools.Executes, "run programs"},
		{tools.Sends, "send something out"},
		{tools.Persists, "keep something for later conversations"},
		{tools.Destroys, "do what cannot be taken back"},
		{tools.Spends, "cost money"},
		{tools.Authority, "change what others may do"},
		{tools.Private, "tell what is the household's own"},
		{tools.Untrusted, "tell what strangers wrote"},
	} {
		if powers.Has(p.power) {
			words = append(words, p.words)
		}
	}
	if len(words) == 0 {
		return "do nothing that it tells of"
	}
	return strings.Join(words, ", ")
}

// rulingInWords says what policy makes of a call of which nothing is known yet.
func rulingInWords(r policy.Ruling, powers tools.Powers) string {
	switch {
	case r.Verdict == policy.Deny:
		return "does not run, because " + r.Why
	case powers.Has(tools.Sends):
		return "whether it asks first depends on where it sends to"
	case r.Verdict == policy.Ask:
		return "asks first, because " + r.Why
	}
	return "runs without a question"
}

// placesInWords says where a tool works and for whom, or "" where that is everywhere and everybody.
func placesInWords(d tools.Def) string {
	var words []string
	if len(d.Platforms) > 0 {
		words = append(words, "on "+strings.Join(d.Platforms, ", "))
	}
	if len(d.Scopes) > 0 {
		words = append(words, "in a conversation that is "+strings.Join(d.Scopes, ", "))
	}
	if d.Level > tools.User {
		words = append(words, "for "+d.Level.String()+" and above")
	}
	if d.Hidden {
		words = append(words, "for people, not for models")
	}
	return strings.Join(words, "; ")
}
