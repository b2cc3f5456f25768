package policy_test

import (
	"testing"

	"hob/internal/policy"
	"hob/internal/tools"
)

// What stays in the group is done without a question to whom the one who asks has named, and to nobody else: the words of
// others in the conversation name nobody.
func TestJudgeHere(t *testing.T) {
	for _, c := range []struct {
		name, scope, here string
		asks              []string
		want              string
	}{
		{"named", "group", "4711", []string{"mute 4711 please"}, "allow named-here"},
		{"named among others", "group", "4711", []string{"hello", "4711!"}, "allow named-here"},
		{"by a handle, in capitals", "group", "@cem", []string{"silence @Cem, for an hour"}, "allow named-here"},
		{"without the @ of the text", "group", "cem", []string{"silence @cem"}, "allow named-here"},
		{"with an @ that nobody wrote", "group", "@cem", []string{"silence cem"}, "ask sends"},
		{"between letters without blanks", "group", "4711", []string{"禁言4711十分钟"}, "allow named-here"},
		{"in a script without blanks", "group", "小明", []string{"把小明禁言"}, "allow named-here"},
		{"second time lucky", "group", "79", []string{"790 or 79"}, "allow named-here"},
		{"in a longer number", "group", "79", []string{"790 1790 279"}, "ask sends"},
		{"in a longer name", "group", "@cem", []string{"@cemil and a@cem_x"}, "ask sends"},
		{"by nobody", "group", "4711", []string{"mute them"}, "ask sends"},
		{"nobody knows what was said", "group", "4711", nil, "ask sends"},
		{"nothing is named", "group", " ", []string{"mute   4711"}, "ask sends"},
		{"in private", "private", "4711", []string{"mute 4711"}, "ask sends-unknown"},
		{"nowhere", "", "4711", []string{"mute 4711"}, "ask sends-unknown"},
	} {
		call := callOf(toolOf(tools.Def{Name: "mute", Capabilities: tools.Sends, ResourcesOf: aimsAt(tools.Resource{InGroup: c.here})}))
		call.Caller.Scope, call.Asks, call.Caller.Label = c.scope, c.asks, untrusted
		call.Words = []string{"mute 4711 and @cem"} // what the owner said earlier asks for nothing now
		if got := said(policy.Policy{}.Judge(t.Context(), call)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	both := tools.Def{Name: "mute", Capabilities: tools.Sends, ResourcesOf: aimsAt(tools.Resource{InGroup: "4711"}, at("https://b.example/"))}
	for def, want := range map[*tools.Def]string{
		&both: "ask sends",
		{Name: "kick", Capabilities: tools.Sends | tools.Destroys, ResourcesOf: aimsAt(tools.Resource{InGroup: "4711"})}: "ask destroys",
	} {
		call := callOf(toolOf(*def))
		call.Caller.Scope, call.Asks = "group", []string{"4711"}
		if got := said(policy.Policy{}.Judge(t.Context(), call)); got != want {
			t.Errorf("%s: %s, want %s", def.Name, got, want)
		}
	}
}
