package checks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/game/rules"
	"hob/internal/game/rules/rulestest"
	"hob/internal/game/world"
)

func TestOracle(t *testing.T) {
	for _, c := range []struct {
		more string
		face int64
		want string
	}{
		{``, 50, `{"answer":"yes_and","roll":50,"chance":50}`}, {``, 51, `{"answer":"no_and","roll":51,"chance":50}`},
		{``, 47, `{"answer":"yes","roll":47,"chance":50}`}, {``, 52, `{"answer":"no","roll":52,"chance":50}`},
		{``, 48, `{"answer":"yes_but","roll":48,"chance":50}`}, {``, 59, `{"answer":"no_but","roll":59,"chance":50}`},
		{`,"odds":"very_unlikely"`, 10, `{"answer":"yes_and","roll":10,"chance":10}`}, {`,"odds":"unlikely"`, 26,
			`{"answer":"no","roll":26,"chance":25}`},
		{`,"odds":"likely"`, 75, `{"answer":"yes","roll":75,"chance":75}`}, {`,"odds":"very_likely"`, 92,
			`{"answer":"no","roll":92,"chance":90}`},
		{`,"tension":"low"`, 60, `{"answer":"yes_and","roll":60,"chance":60}`}, {`,"tension":"high"`, 45,
			`{"answer":"no","roll":45,"chance":40}`},
		{`,"odds":"very_likely","tension":"low"`, 97, `{"answer":"yes","roll":97,"chance":99}`},
		{`,"odds":"very_unlikely","tension":"high"`, 1, `{"answer":"yes_and","roll":1,"chance":1}`},
		{``, 33, `{"answer":"yes","roll":33,"chance":50,"twist":["abandon","bell"]}`},
		{``, 100, `{"answer":"no_and","roll":100,"chance":50,"twist":["abandon","bell"]}`},
	} {
		o := hall(t).ok(c.want, "oracle", `{"question":"Is it so?"`+c.more+`}`, c.face, 1, 2)
		if !strings.HasPrefix(o.Say.Args[0], "Is it so?") {
			t.Error(o.Say)
		}
	}
	b := hall(t, &world.Encounter{Round: 1, Actors: []string{"ann"}})
	b.ok(`{"answer":"no","roll":45,"chance":40}`, "oracle", `{"question":"Is it so?"}`, 45)
	b.ok(`{"answer":"yes","roll":45,"chance":50}`, "oracle", `{"question":"Is it so?","tension":"normal"}`, 45)
	b.no(rules.Failed, "invalid_args", "300", "oracle", `{"question":"`+strings.Repeat("?", 301)+`"}`)
	b.no(rules.Failed, "invalid_args", "question", "oracle", `{"question":" "}`)
	b.no(rules.Failed, "invalid_args", "likely", "oracle", `{"question":"?","odds":"maybe"}`)
}

func TestSparks(t *testing.T) {
	for _, lang := range rules.Langs() {
		b := set(t, &world.Self{AllowAll: true, Lang: lang})
		seen := map[string]bool{}
		for face := range int64(36) {
			o := b.call("oracle_spark", `{}`, face+1, face+1)
			var got struct{ Words []string }
			if err := json.Unmarshal(o.Result, &got); err != nil || len(got.Words) != 2 || seen[got.Words[0]] ||
				seen[got.Words[1]] {
				t.Errorf("%s: %s", lang, o.Result)
			}
			seen[got.Words[0]], seen[got.Words[1]] = true, true
		}
		rulestest.Same(t, b.exprs, []string{"1d36", "1d36"})
	}
	b := hall(t)
	b.ok(`{"words":["arrive"]}`, "oracle_spark", `{"table":"action"}`, 2, 1)
	b.ok(`{"words":["bargain"]}`, "oracle_spark", `{"table":"subject"}`, 2, 1)
	b.no(rules.Failed, "invalid_args", "subject", "oracle_spark", `{"table":"names"}`)
}
