package checks

import (
	"context"

	"hob/internal/game/rules"
)

// chance is how likely each of the odds is, in percent (game.md).
func chance(odds string) int64 {
	switch odds {
	case "very_unlikely":
		return 10
	case "unlikely":
		return 25
	case "likely":
		return 75
	case "very_likely":
		return 90
	}
	return 50
}

// oracle is the oracle. Its result is {"answer","roll","chance"}, with twist, two words, where doubles fell; the answer is yes or
// no, and _and or _but behind it.
func oracle() rules.Tool {
	return rules.Tool{
		Name: "oracle", Class: rules.Telling,
		Doc: "Asks whether something is so that nobody knows yet. Take the answer as it is and do not ask again.",
		Params: []rules.Param{
			{Name: "question", Type: rules.Text, Need: true, Doc: "A question that has yes or no for an answer."},
			{
				Name: "odds", Type: rules.ID, Enum: []string{"very_unlikely", "unlikely", "even", "likely", "very_likely"},
				Doc: "How likely yes is (even).",
			},
			{
				Name: "tension", Type: rules.ID, Enum: []string{"low", "normal", "high"},
				Doc: "low makes yes more likely, high less likely (normal; high in a fight).",
			},
		},
		Run: runOracle,
	}
}

func runOracle(_ context.Context, s *rules.Step, a rules.Args) *rules.Done {
	const longest = 300
	question := a.Text("question")
	if len([]rune(question)) > longest {
		return rules.Not(rules.InvalidArgs, "oracle.long", longest)
	}
	least := chance(a.Text("odds"))
	switch tension := a.Text("tension"); {
	case tension == "low":
		least += 10
	case tension == "high" || tension == "" && s.World.Encounter() != nil:
		least -= 10
	}
	least = min(max(least, 1), 99) // nothing is certain
	r, err := s.Roll("1d100", "oracle")
	if err != nil {
		return noDice(err)
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
		one, two, err := spark(s)
		if err != nil {
			return noDice(err)
		}
		result.List("twist", []string{one, two})
		text += " " + s.Say("oracle.twist", one, two)
	}
	return rules.Did(result, "oracle.done", question, text, r.Total)
}
