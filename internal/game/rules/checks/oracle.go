package checks

import (
	"cmp"
	"context"
	"embed"
	"strconv"
	"strings"

	"hob/internal/game/rules"
)

// oddsPercent is how likely each of the odds is, in percent (game.md).
func oddsPercent(odds string) int64 {
	percent := map[string]int64{"very_unlikely": 10, "unlikely": 25, "likely": 75, "very_likely": 90}
	return cmp.Or(percent[odds], 50)
}

// runOracle runs the tool oracle. Its result is {"answer","roll","chance"}, with twist, two words, where
// doubles fell; the answer is yes or no, and _and or _but behind it.
func runOracle(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	const longest = 300
	question := a.Text("question")
	if len([]rune(question)) > longest {
		return rules.Refuse(rules.InvalidArgs, "oracle.long", longest)
	}
	least := oddsPercent(a.Text("odds"))
	switch tension := a.Text("tension"); {
	case tension == "low":
		least += 10
	case tension == "high" || tension == "" && s.World.Encounter() != nil:
		least -= 10
	}
	least = min(max(least, 1), 99) // nothing is certain
	r, err := s.Roll("1d100", "oracle")
	if err != nil {
		return refuseDice(err)
	}
	answer := "no"
	if r.Total <= least {
		answer = "yes"
	}
	switch r.Total % 10 {
	case 0, 1:
		answer += "_and"
	case 8, 9:
		answer += "_but"
	}
	result := rules.NewObj().Text("answer", answer).Int("roll", r.Total).Int("chance", least)
	text := s.Say("oracle." + answer)
	if r.Total%11 == 0 || r.Total == 100 { // 100 is read as 00
		one, two, err := rollSpark(s)
		if err != nil {
			return refuseDice(err)
		}
		result.List("twist", []string{one, two})
		text += " " + s.Say("oracle.twist", one, two)
	}
	return rules.Accept(result, "oracle.done", question, text, r.Total)
}

// The tables of the oracle, by language: a line of 36 things that happen, and a line of 36 that
// they happen to.
//
//go:embed sparks
var tables embed.FS

// sparkTables returns the tables in a language.
func sparkTables(lang string) (actions, subjects []string) {
	text, err := tables.ReadFile("sparks/" + lang + ".txt")
	if err != nil { // an unknown language is en
		text, _ = tables.ReadFile("sparks/en.txt")
	}
	one, two, _ := strings.Cut(string(text), "\n")
	return strings.Fields(one), strings.Fields(two)
}

// rollSpark throws for a word of each table.
func rollSpark(s *rules.Step) (action, subject string, err error) {
	actions, subjects := sparkTables(s.Lang)
	one, err := s.Roll("1d"+strconv.Itoa(len(actions)), "spark")
	if err != nil {
		return "", "", err
	}
	two, err := s.Roll("1d"+strconv.Itoa(len(subjects)), "spark")
	if err != nil {
		return "", "", err
	}
	return actions[one.Total-1], subjects[two.Total-1], nil
}

// runOracleSpark runs the tool oracle_spark. Its result is {"words"}.
func runOracleSpark(_ context.Context, s *rules.Step, a rules.Args) *rules.Verdict {
	action, subject, err := rollSpark(s)
	if err != nil {
		return refuseDice(err)
	}
	words := []string{action, subject}
	switch a.Text("table") {
	case "action":
		words = words[:1]
	case "subject":
		words = words[1:]
	}
	return rules.Accept(rules.NewObj().List("words", words), "oracle_spark.done", strings.Join(words, ", "))
}
