package checks

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"hob/internal/game/rules"
)

// The tables of the oracle, by language: a line of 36 things that happen, and a line of 36 that they happen to.
//
//go:embed sparks
var tables embed.FS

// sparks returns the tables in a language.
func sparks(lang string) (actions, subjects []string) {
	text, err := tables.ReadFile("sparks/" + lang + ".txt")
	if err != nil { // an unknown language is en
		text, _ = tables.ReadFile("sparks/en.txt")
	}
	one, two, _ := strings.Cut(string(text), "\n")
	return strings.Fields(one), strings.Fields(two)
}

// spark throws for a word of each table.
func spark(s *rules.Step) (action, subject string, err error) {
	actions, subjects := sparks(s.Lang)
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

// Spark returns a word of each table for the telling of a turn. They follow from the seal, by which a campaign's seed is known
// without being told (saga.Commitment), and the turn's number; no dice are thrown.
func Spark(lang, seal string, turn int64) (action, subject string) {
	sum := sha256.Sum256(fmt.Appendf(nil, "hob-spark-v1|%s|%d", seal, turn))
	actions, subjects := sparks(lang)
	word := func(list []string, b []byte) string { return list[binary.BigEndian.Uint64(b)%uint64(len(list))] }
	return word(actions, sum[:8]), word(subjects, sum[8:16])
}

// oracleSpark is oracle_spark. Its result is {"words"}.
func oracleSpark() rules.Tool {
	return rules.Tool{
		Name: "oracle_spark", Class: rules.Telling, Doc: "Gives two words to invent from, when the story needs an idea.",
		Params: []rules.Param{
			{Name: "table", Type: rules.ID, Enum: []string{"both", "action", "subject"}, Doc: "Which of the two words (both)."},
		},
		Run: func(_ context.Context, s *rules.Step, a rules.Args) *rules.Done {
			action, subject, err := spark(s)
			if err != nil {
				return noDice(err)
			}
			words := []string{action, subject}
			switch a.Text("table") {
			case "action":
				words = words[:1]
			case "subject":
				words = words[1:]
			}
			return rules.Did(rules.NewObj().List("words", words), "oracle_spark.done", strings.Join(words, ", "))
		},
	}
}
