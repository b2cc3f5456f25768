package undo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hob/internal/campaigns"
	"hob/internal/commands"
	"hob/internal/config"
	"hob/internal/event"
	"hob/internal/receipt"
	"hob/internal/store"
	"hob/internal/tools"
)

// findWidened says in sentences what somebody may do again once a person, as PLATFORM/ID, takes changes back. Each step counts, and not only what comes of all:
// between two of them the machine may stop.
func (l *Log) findWidened(ctx context.Context, kept *store.Changes, by string, all []event.Change, chosen []int64) (rights []string, err error) {
	for _, c := range all {
		if !slices.Contains(chosen, c.ID) || campaigns.IsStory(c) {
			continue
		}
		widens, what := false, ""
		switch kind, key, _ := strings.Cut(c.Path, "/"); {
		case kind == "consent" && strings.HasPrefix(key, by+"/"): // who may remind somebody is theirs to say
		case !c.IsRow():
			what = l.cfg.Display(c.Path)
			widens = l.widensFiles(ctx, kept, c)
		default:
			widens, err = kept.Widens(ctx, c)
			what = map[string]string{"grant": "%s needs no question again", "tool": "the tool %s can be used again", "person": "%s may talk to hob as before",
				"consent": "this answer holds no longer: %s"}[kind]
			if kind != "tool" && c.What != "" {
				key = c.What
			}
			what = strings.Replace(what, "%s", key, 1)
		}
		if err != nil {
			return nil, err
		}
		if widens && !slices.Contains(rights, what) {
			rights = append(rights, what)
		}
	}
	return rights, nil
}

// widensFiles reports whether taking back a change of one of hob's own files may give rights: a skill comes back, or the configuration
// is another in more than what changes no rights.
func (l *Log) widensFiles(ctx context.Context, kept *store.Changes, c event.Change) bool {
	switch {
	case l.cfg.IsSkill(c.Path):
		return c.Before.Kind != event.NoFile
	case !l.cfg.IsOwn(c.Path):
		return false
	case !c.Before.HasContent():
		return true // the defaults come back
	}
	then, err := kept.Image(ctx, c.Before.Sum)
	if err != nil {
		return true // it cannot be taken back
	}
	now, err := config.Read(l.cfg.ConfigPath)
	return err != nil || config.ChangesRights(now, string(then))
}

// findRemains says what was done beside chosen changes and cannot be taken back: by the turns, where those are meant, and else by the
// commands whose changes are among them.
func (l *Log) findRemains(ctx context.Context, r commands.UndoRequest, all []event.Change, chosen []int64) (left []string, err error) {
	type turn struct {
		chat event.Chat
		seq  int64
	}
	var seen []turn
	add := func(effect event.Effect) {
		if line := receipt.Outside(effect); line != "" && !slices.Contains(left, line) {
			left = append(left, line)
		}
	}
	for _, c := range all {
		t := turn{c.Chat, c.Turn}
		if slices.Contains(chosen, c.ID) && c.Turn == 0 && c.Undoes == 0 && c.Tool == "run_command" {
			add(event.Effect{Kind: "ran", Target: c.What}) // by hand
		}
		if !slices.Contains(chosen, c.ID) || c.Turn == 0 || c.Undoes != 0 || slices.Contains(seen, t) {
			continue
		}
		seen = append(seen, t)
		for e, err := range l.db.Chat(ctx, t.chat, t.seq) {
			if err != nil {
				return nil, err
			}
			if _, ended := e.Body.(event.Ended); ended && e.Turn == t.seq {
				break
			}
			did, ok := e.Body.(event.Returned)
			if !ok || e.Turn != t.seq {
				continue
			}
			for _, effect := range did.Effects {
				if whole := r.Turn || r.Of > 0; whole || slices.Contains(chosen, effect.Change) {
					add(effect)
				}
			}
		}
	}
	return left, nil
}

// ToolName is the name of the tool that takes back what took rights away. Models are not told of it, and the owner is asked.
const ToolName = "undo_rights"

type undoIn struct {
	Changes string `json:"changes" jsonschema:"their numbers, such as 41,42"`
	Rights  string `json:"rights" jsonschema:"what somebody may do again then"`
}

// Tool returns the tool that takes changes back that took rights away, once the owner has said yes to what comes of it.
func (l *Log) Tool() tools.Tool {
	return tools.New(tools.Def{
		Name: ToolName, Description: "Take back what took rights away.", Capabilities: tools.Writes | tools.Authority, Level: event.Owner,
		Hidden: true, Scopes: tools.PrivateScopes(), Command: ToolName + " <changes:string> <rights:string>",
	}, func(ctx context.Context, in undoIn) (tools.Result, error) {
		request := commands.UndoRequest{By: tools.CallerFrom(ctx), Approved: in.Changes + " " + in.Rights}
		for word := range strings.SplitSeq(in.Changes, ",") {
			n, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return tools.Result{}, tools.Invalid(event.CodeInvalidValue, "changes: %q is no number of a change", word)
			}
			request.Numbers = append(request.Numbers, n)
		}
		report, err := l.Undo(ctx, request)
		switch {
		case err != nil:
			return tools.Result{}, err
		case len(report.Conflicts) > 0:
			return tools.Result{}, tools.Failed("nothing was taken back: %s: %s", report.Conflicts[0].DisplayPath, report.Conflicts[0].Why)
		case len(report.Undone) == 0:
			return tools.Result{}, tools.Failed("nothing was taken back: it would come to something else than what was asked").Suggest("undo it again")
		}
		res := tools.Result{Data: report}
		for _, u := range report.Undone {
			res.Text += u.Text + "\n"
			res.Effects = append(res.Effects, event.Effect{Kind: "undid", Target: fmt.Sprintf("#%d", u.Change), Change: u.By})
		}
		return res, nil
	})
}
