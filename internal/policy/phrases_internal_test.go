package policy

import (
	"testing"
	"time"

	"hob/internal/event"
	"hob/internal/phrases"
	"hob/internal/tools"
)

// Each language has the same words.
func TestPhrases(t *testing.T) {
	if err := phrases.Check(files); err != nil {
		t.Error(err)
	}
}

// A question, and the denial of a person's own call, are in the language of the chat.
func TestLanguages(t *testing.T) {
	asked := event.Asked{Tool: "pay", Args: []byte(`{"sum":3}`), Rule: "spends", Hash: "5e1f", Lang: "de", Binding: event.Binding{Dir: "/w"}}
	if got, want := Render(asked, time.UTC), "sum: 3\n(Arbeitsordner: /w)\n(Grund: es kostet Geld; Regel spends)\n(pay, Eintrag 5e1f)"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	alone := Ruling{Rule: RuleSpends, Why: RuleSpends.Why() + ", and nobody is there to be asked"}
	for _, row := range []struct {
		r              Ruling
		lang, by, want string
	}{
		{deny(RuleDisabled), "", "", "pay does not run: it is switched off (rule disabled)"},
		{deny(RuleDisabled), "ru", "", "pay не выполняется: это выключено (правило disabled)"},
		{deny(RuleLevel), "de", "", "Dafür brauchst du mehr Rechte, die gibt dir ein Besitzer oder Admin."},
		{alone, "de", "", "pay läuft nicht: es kostet Geld, and nobody is there to be asked (Regel spends)"},
		{ask(RuleSpends), "de", "nobody", "abgelehnt: niemand ist da, um es zu erlauben (Regel spends)"},
		{ask(RuleSpends), "zh", "ada", "未获允许（规则 spends）"},
		{ask(RuleSpends), "", "ada", "denied by the user (rule spends)"},
	} {
		if got := row.r.ForPerson(row.lang, "pay", row.by); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

// Who lacks a right reads the command that gives it, in their language. Whom no number names cannot be let in by it.
func TestHowToAllow(t *testing.T) {
	for _, row := range []struct {
		rule             Rule
		user, lang, want string
	}{
		{RuleLevel, "102", "", " (on its machine: hob allow 102 --as admin)"},
		{RuleLevel, "102", "de", " (auf dem Rechner: hob allow 102 --as admin)"},
		{RuleLevel, "102", "ru", " (на компьютере: hob allow 102 --as admin)"},
		{RuleLevel, "102", "zh", " （在主机上运行：hob allow 102 --as admin）"},
		{RuleLevel, "owner", "de", ""},
		{RuleScope, "102", "de", ""},
	} {
		if got := deny(row.rule).HowToAllow(row.lang, tools.Caller{User: row.user}); got != row.want {
			t.Errorf("%s of %q: %q, want %q", row.rule, row.user, got, row.want)
		}
	}
}
