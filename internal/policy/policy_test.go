package policy_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hob/internal/event"
	"hob/internal/llm"
	"hob/internal/policy"
	"hob/internal/tools"
)

// toolOf returns a tool that is described by d and does nothing.
func toolOf(d tools.Def) tools.Tool {
	if d.Name == "" {
		d.Name = "x"
	}
	d.Description = "x"
	return tools.New(d, func(context.Context, struct{}) (tools.Result, error) { return tools.Result{}, nil })
}

// callOf returns a call of t by the owner at the machine, in a conversation that has no taint.
func callOf(t tools.Tool) policy.Call {
	return policy.Call{
		Call: llm.Call{ID: "c1", Name: t.Name(), Args: json.RawMessage(`{}`)},
		Tool: t,
		Caller: tools.Caller{Chat: "main", Principal: event.Principal{
			Platform: "cli", Scope: "private", Level: event.Owner,
		}},
	}
}

func aimsAt(all ...tools.Resource) func(json.RawMessage) []tools.Resource {
	return func(json.RawMessage) []tools.Resource { return all }
}

var (
	untrusted = event.Label{Untrusted: true}
	private   = event.Label{Private: true}
	both      = event.Label{Untrusted: true, Private: true}
	labels    = []event.Label{{}, untrusted, private, both}
)

func TestJudgeByPowers(t *testing.T) {
	confined := tools.Executes | tools.Writes | tools.Confined
	for _, c := range []struct {
		name   string
		powers tools.Capabilities
		want   [4]string // with no taint, untrusted, private, both
	}{
		{"a read", tools.Reads, all("allow reads")},
		{"a private read", tools.Reads | tools.Private, all("allow reads")},
		{"a look at a process", tools.Reads | tools.Writes | tools.Polls, all("allow workspace")},
		{"a write to the workspace", tools.Writes, all("allow workspace")},
		{"a command within walls", confined, all("allow sandboxed")},
		{"a command within walls that reaches somebody", confined | tools.Reads | tools.Sends, all("ask command-network")},
		{"a command within walls that destroys", confined | tools.Destroys, all("ask destroys")},
		{"a command", tools.Executes | tools.Writes | tools.Destroys, all("ask unconfined")},
		{"a command with a network", tools.Executes | tools.Writes | tools.Destroys | tools.Sends, all("ask command-network")},
		{"a read that runs something", tools.Reads | tools.Executes, all("ask unconfined")},
		{"a message to somebody unknown", tools.Sends, all("ask sends-unknown")},
		{"a fetch from somewhere unknown", tools.Reads | tools.Sends, all("ask sends-unknown")},
		{"a delete for good", tools.Writes | tools.Destroys, all("ask destroys")},
		{"what costs money", tools.Reads | tools.Spends, all("ask spends")},
		{"what changes rights", tools.Writes | tools.Authority,
			[4]string{"ask authority", "deny authority-untrusted", "ask authority", "deny authority-untrusted"}},
		{"what changes rights and costs", tools.Spends | tools.Authority,
			[4]string{"ask authority", "deny authority-untrusted", "ask authority", "deny authority-untrusted"}},
		{"a note for later", tools.Writes | tools.Persists,
			[4]string{"allow persists", "ask persists-untrusted", "allow persists", "ask persists-untrusted"}},
		{"a file elsewhere", tools.Writes | tools.Outside,
			[4]string{"allow outside", "ask outside-untrusted", "allow outside", "ask outside-untrusted"}},
		{"a file elsewhere, by a command", confined | tools.Outside,
			[4]string{"allow sandboxed", "ask outside-untrusted", "allow sandboxed", "ask outside-untrusted"}},
		{"nothing at all", 0, all("ask says-nothing")},
		{"nothing but what qualifies it", tools.Private | tools.Untrusted | tools.Polls | tools.Confined, all("ask says-nothing")},
		{"anything", tools.AnyCapability, all("ask command-network")},
	} {
		var got [4]string
		for i, label := range labels {
			call := callOf(toolOf(tools.Def{Capabilities: c.powers}))
			call.Caller.Label = label
			r := policy.Policy{}.Judge(t.Context(), call)
			got[i] = said(r)
			if len(r.Grants) > 0 {
				t.Errorf("%s: offers %v, and the tool does not say what it touches", c.name, r.Grants)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func all(s string) [4]string { return [4]string{s, s, s, s} }

func said(r policy.Ruling) string { return r.Verdict.String() + " " + string(r.Rule) }

// What a tool can do in general is not what one call does: the call is judged.
func TestJudgeTheCall(t *testing.T) {
	tool := toolOf(tools.Def{
		Capabilities: tools.Executes | tools.Writes | tools.Sends,
		CapabilitiesOf: func(_ context.Context, raw json.RawMessage) tools.Capabilities {
			if strings.Contains(string(raw), "true") {
				return tools.Executes | tools.Writes | tools.Sends
			}
			return tools.Executes | tools.Writes | tools.Confined
		},
	})
	for raw, want := range map[string]string{`{}`: "allow sandboxed", `{"n":false}`: "allow sandboxed", `{"n":true}`: "ask command-network"} {
		call := callOf(tool)
		call.Args = json.RawMessage(raw)
		if got := said(policy.Policy{}.Judge(t.Context(), call)); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

// plain is a tool of the four methods and nothing more.
type plain struct{}

func (plain) Name() string               { return "plain" }
func (plain) Description() string        { return "does it" }
func (plain) Parameters() map[string]any { return nil }
func (plain) Execute(context.Context, map[string]any) (string, error) {
	return "", nil
}

func TestWhatDoesNotDescribeItselfAsks(t *testing.T) {
	if got := said(policy.Policy{}.Judge(t.Context(), callOf(plain{}))); got != "ask command-network" {
		t.Error(got)
	}
}

// Before a call is judged by what it does, whoever asks must have the tool at all.
func TestWithheld(t *testing.T) {
	group := tools.Def{Capabilities: tools.Reads, Platforms: []string{"telegram", "cli"}, Scopes: []string{"group"}, Level: event.GroupAdmin}
	good := event.Principal{Platform: "cli", Scope: "group", Level: event.GroupAdmin}
	for _, c := range []struct {
		name   string
		policy policy.Policy
		at     event.Principal
		want   string
		code   string
	}{
		{"all fits", policy.Policy{}, good, "allow reads", ""},
		{"switched off", policy.Policy{Disabled: map[string]bool{"x": true}}, good, "deny disabled", event.CodeToolDisabled},
		{"switched off here", policy.Policy{DisabledIn: map[event.Chat]map[string]bool{"main": {"x": true}}}, good, "deny disabled-here", event.CodeToolDisabled},
		{"switched off elsewhere", policy.Policy{DisabledIn: map[event.Chat]map[string]bool{"other": {"x": true}, "": {"x": true}}}, good, "allow reads", ""},
		{"another is switched off", policy.Policy{Disabled: map[string]bool{"y": true, "x": false}}, good, "allow reads", ""},
		{"listed", policy.Policy{Only: []string{"y", "x"}}, good, "allow reads", ""},
		{"not listed", policy.Policy{Only: []string{"y"}}, good, "deny allowlist", event.CodePermissionDenied},
		{"another platform", policy.Policy{}, event.Principal{Platform: "http", Scope: "group", Level: event.Owner}, "deny platform", event.CodePermissionDenied},
		{"no platform", policy.Policy{}, event.Principal{Scope: "group", Level: event.Owner}, "deny platform", event.CodePermissionDenied},
		{"another scope", policy.Policy{}, event.Principal{Platform: "cli", Scope: "private", Level: event.Owner}, "deny scope", event.CodePermissionDenied},
		{"no scope", policy.Policy{}, event.Principal{Platform: "cli", Level: event.Owner}, "deny scope", event.CodePermissionDenied},
		{"too low", policy.Policy{}, event.Principal{Platform: "cli", Scope: "group"}, "deny level", event.CodePermissionDenied},
		{"switched off before all else", policy.Policy{Disabled: map[string]bool{"x": true}, Only: []string{"y"}}, event.Principal{}, "deny disabled", event.CodeToolDisabled},
	} {
		call := callOf(toolOf(group))
		call.Caller.Principal, call.Caller.Chat = c.at, "main"
		if got := said(c.policy.Judge(t.Context(), call)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		code := ""
		if e := c.policy.CheckOffered(call.Caller, call.Tool); e != nil {
			code = e.Code
			if rule := strings.TrimPrefix(c.want, "deny "); !strings.HasPrefix(e.Message, "denied by rule "+rule+": x does not run") {
				t.Errorf("%s: %q does not name its rule", c.name, e.Message)
			}
		}
		if code != c.code {
			t.Errorf("%s: offered with code %q, want %q", c.name, code, c.code)
		}
	}
}

func TestMenu(t *testing.T) {
	named := func(name string, d tools.Def) tools.Tool { d.Name = name; return toolOf(d) }
	shelf := []tools.Tool{
		named("z", tools.Def{}), named("hidden", tools.Def{Hidden: true}), named("off", tools.Def{}), named("gone", tools.Def{}),
		named("above", tools.Def{Level: event.BotAdmin}), named("a", tools.Def{Scopes: []string{"private"}}),
	}
	p := policy.Policy{Disabled: map[string]bool{"off": true}, DisabledIn: map[event.Chat]map[string]bool{"main": {"gone": true}, "other": {"a": true}}}
	var got []string
	for _, tool := range p.ToolList(tools.Caller{Chat: "main", Principal: event.Principal{Scope: "private"}}, shelf) {
		got = append(got, tool.Name())
	}
	if diff := cmp.Diff([]string{"z", "a"}, got); diff != "" {
		t.Error(diff)
	}
	hidden := callOf(shelf[1])
	if got := said(p.Judge(t.Context(), hidden)); got != "ask says-nothing" { // a person may still call it
		t.Error(got)
	}
}

// Who was denied, cannot be asked or was asked too often is not asked again.
func TestJudgeWithoutAsking(t *testing.T) {
	costs := toolOf(tools.Def{Capabilities: tools.Reads | tools.Spends})
	reads := toolOf(tools.Def{Capabilities: tools.Reads})
	for _, c := range []struct {
		name          string
		tool          tools.Tool
		denied, asked int
		alone         bool
		want          string
	}{
		{"denied once", costs, 1, 0, false, "ask spends"},
		{"denied twice", costs, 2, 0, false, "deny denied-twice"},
		{"denied twice, whatever it is", reads, 3, 0, false, "deny denied-twice"},
		{"asked often", costs, 0, 19, false, "ask spends"},
		{"asked too often", costs, 0, 20, false, "deny asked-too-often"},
		{"asked too often, and it need not", reads, 0, 20, false, "allow reads"},
		{"alone", costs, 0, 0, true, "deny spends"},
		{"alone, and asked too often", costs, 0, 20, true, "deny spends"},
		{"alone, and it need not", reads, 0, 0, true, "allow reads"},
	} {
		call := callOf(c.tool)
		call.Denied, call.Asked, call.Caller.Unattended = c.denied, c.asked, c.alone
		r := policy.Policy{}.Judge(t.Context(), call)
		if said(r) != c.want {
			t.Errorf("%s: %s, want %s", c.name, said(r), c.want)
		}
		if r.Verdict != policy.Allow && r.Why == "" {
			t.Errorf("%s: it does not say why", c.name)
		}
	}
}

// A refusal names its rule, and nothing that would lift it.
func TestRefusal(t *testing.T) {
	r := policy.Ruling{Verdict: policy.Ask, Rule: policy.RuleSpends, Why: policy.RuleSpends.Why()}
	more := "do not retry; continue without it, or say what you would need"
	for by, want := range map[string]tools.Error{
		"":       {Type: "permission", Code: "permission_denied", Message: "denied by rule spends: buy does not run because it costs money", Suggestion: more},
		"nobody": {Type: "permission", Code: "permission_denied", Message: "denied: nobody is there to allow it (rule spends)", Suggestion: more},
		"ada":    {Type: "permission", Code: "permission_denied", Message: "denied by the user (rule spends)", Suggestion: more},
		"stop":   {Type: "execution", Code: "cancelled", Message: "stopped by the user before it ran (rule spends)"},
	} {
		if diff := cmp.Diff(&want, r.Refusal("buy", by)); diff != "" {
			t.Errorf("by %q (-want +got):\n%s", by, diff)
		}
	}
	off := policy.Ruling{Rule: policy.RuleDisabled}.Refusal("buy", "")
	if off.Type != event.TypeDisabled || off.Code != event.CodeToolDisabled {
		t.Errorf("a tool that is switched off is refused as %s, %s", off.Type, off.Code)
	}
	for _, rule := range policy.Reasons() {
		if rule.Why() == "" {
			t.Errorf("%s does not say why", rule)
		}
		r := policy.Ruling{Rule: rule, Why: rule.Why()}
		for _, by := range []string{"", "nobody", "stop", "ada"} {
			e := r.Refusal("x", by)
			if !strings.Contains(e.Message, "rule "+string(rule)) {
				t.Errorf("%s, by %q: %q does not name it", rule, by, e.Message)
			}
			for _, hint := range []string{"config", "[", "--", "hob ", "allow_", "setting", "/", "="} {
				if strings.Contains(e.Message+e.Suggestion, hint) {
					t.Errorf("%s, by %q: %q says %q", rule, by, e.Message, hint)
				}
			}
		}
	}
	if why := policy.Rule("from a newer one").Why(); why != "" {
		t.Errorf("an unknown rule says %q", why)
	}
}

func TestVerdictString(t *testing.T) {
	for v, want := range map[policy.Verdict]string{policy.Deny: "deny", policy.Ask: "ask", policy.Allow: "allow", 7: "verdict 7"} {
		if v.String() != want {
			t.Errorf("%q, want %q", v, want)
		}
	}
	if (policy.Ruling{}).Verdict != policy.Deny {
		t.Error("the zero ruling does not deny")
	}
}
