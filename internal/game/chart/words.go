package chart

import (
	"embed"

	"hob/internal/game/spelling"
	"hob/internal/phrases"
)

// sign is one of the signs of a map that its legend explains.
type sign int

const (
	signHere sign = iota
	signFog
	signOpen
	signClosed
	signLocked
	signOneWay
	signStairs
	signUp
	signDown
	signParty
	signPeople
	signThings
	signTrail
	signCount
)

// doorSign returns the sign of a door, and false for no door.
func doorSign(d Door) (s sign, ok bool) {
	n := doorStrength(d)
	return signOpen + sign(n-1), n > 0
}

//go:embed words
var wordFiles embed.FS

// wordsOf returns what a map says of itself in a language.
func wordsOf(lang string) phrases.Words { return phrases.In(wordFiles, spelling.Language(lang)) }

// meaningOf returns what a sign means.
func meaningOf(s sign, words phrases.Words) string {
	names := [signCount]string{"here", "fog", "open", "closed", "locked", "oneway", "stairs", "up", "down", "party", "people", "things", "trail"}
	return words.Text("sign." + names[s])
}

// explainSigns returns the meanings of the signs that are used and have a look, each after its look.
func explainSigns(w phrases.Words, used [signCount]bool, looks [signCount]string) (out []string) {
	for s, yes := range used {
		if yes && looks[s] != "" {
			out = append(out, looks[s]+" = "+meaningOf(sign(s), w))
		}
	}
	return out
}
