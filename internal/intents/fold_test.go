package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// German without umlauts on the keys is German: it is read as with them, and what it names keeps its letters.
func TestRead_UmlautsAsLetters(t *testing.T) {
	t.Parallel()
	for text, same := range map[string]string{
		"was weisst du ueber mich": "was weißt du über mich", "wirf eine muenze": "wirf eine münze", "rueckgaengig machen": "rückgängig machen", "mach das rueckgaengig": "mach das rückgängig",
		"laeuft nginx": "läuft nginx", "haeng an rezept.txt 2 Eier an": "häng an rezept.txt 2 Eier an", "loesche alte.txt": "lösche alte.txt", "wuerfle 2d6": "würfle 2d6", "wie spaet ist es in Zuerich": "wie spät ist es in Zürich",
		"stell einen Timer auf fuenf Minuten": "stell einen Timer auf fünf Minuten",
	} {
		r, want := intents.Default().Read(text).At(midday), intents.Default().Read(same).At(midday)
		if r.Kind == "" || r.Kind != want.Kind || string(r.Call.Args) != string(want.Call.Args) {
			t.Errorf("%q is read as %s %s, want %s %s", text, r.Kind, r.Call.Args, want.Kind, want.Call.Args)
		}
	}
	for text, want := range map[string]string{
		"setz Nüsse, Nuesse und Grieß auf die Einkaufsliste": `{"list":"shopping","items":["Nüsse","Nuesse","Grieß"]}`, "lösche ÄRGER.txt": `{"path":"ÄRGER.txt"}`, "lies öl.txt": `{"path":"öl.txt"}`,
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
	for _, text := range []string{"stell einen Timer auf 5 Minuten, moechte Mama", "ich wuerde einen Timer auf 5 Minuten nicht stellen"} {
		if r := intents.Default().Loosely(text).At(midday); r.Acts {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
}
