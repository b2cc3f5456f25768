package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// Plain orders in other words, with a reason that has no subject or no mark before it, and of a thing that the first clause names.
func TestRead_GermanOrders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Kannst mir mal die Einkaufsliste vorlesen":                                            `{"list":"shopping"}`,
		"Lies mal vor, was auf der Einkaufsliste steht":                                        `{"list":"shopping"}`,
		"Könntest du bitte den Timer anhalten":                                                 `{"only":"timers","change":"cancel"}`,
		"Zeig mal her, was ich unter Garten aufgeschrieben hab":                                `{"topic":"Garten"}`,
		"Hab ich was über Raufasertapete notiert? Such mal danach":                             `{"query":"Raufasertapete"}`,
		"Ich vermisse eine Datei, im Titel steht Kaufvertrag, such die mal":                    `{"name":"Kaufvertrag"}`,
		"Durchforste mal die alten Gespräche nach dem Kuchenrezept":                            `{"query":"Kuchenrezept"}`,
		"Notiz, bevor ich's vergesse: Tor klemmt":                                              `{"text":"Tor klemmt"}`,
		"Schreib unter dem Thema Auto in die Notizen, dass die Reifen neu sind":                `{"text":"die Reifen neu sind","topic":"Auto"}`,
		"Mach mir eine neue Liste namens Camping mit Zelt und Schlafsack drauf":                `{"list":"camping","items":["Zelt","Schlafsack"]}`,
		"setz Tee auf die Einkaufsliste damit ich das nicht vergesse":                          `{"list":"shopping","items":["Tee"]}`,
		"Hefe noch auf die Einkaufsliste, will Pizza backen":                                   `{"list":"shopping","items":["Hefe"]}`,
		"Schick mir anleitung.pdf rüber, steh hier ratlos vor der Spülmaschine":                `{"path":"anleitung.pdf"}`,
		"Butter doch nicht, streich sie von der Einkaufsliste":                                 `{"list":"shopping","items":["Butter"]}`,
		"Nee, doch keine Eier, nimm sie von der Einkaufsliste":                                 `{"list":"shopping","items":["Eier"]}`,
		"Äpfel hab ich aus Versehen abgehakt, nimm den Haken auf der Einkaufsliste wieder weg": `{"list":"shopping","items":["Äpfel"],"open":true}`,
		"Den Müll hab ich rausgebracht, hak das auf der To-do-Liste ab":                        `{"list":"todo","items":["Müll"]}`,
		"Die Notiz mit dem Teppichhändler hat sich überlebt, lösch die":                        `{"note":"Teppichhändler"}`,
		"foto.jpg heißt blöd, benenn es in urlaub.jpg um":                                      `{"path":"foto.jpg","to":"urlaub.jpg"}`,
		"Was du über Onkel Karl weißt, kannst du vergessen":                                    `{"fact":"Onkel Karl"}`,
		"Nee, falsch, mach die letzten drei Änderungen rückgängig":                             `{"last":3}`,
		"Fass https://example.org/a zusammen, aber kurz":                                       `{"url":"https://example.org/a"}`,
		"Was steht denn am Samstag an, hab ich da was vor":                                     `{"from":"saturday","lang":"de"}`,
		"die Butter kannst mir nicht nehmen":                                                   "",
		"kannst mir glauben, die Liste ist voll":                                               "",
		"Das Merken von Namen fällt ihm seit dem Unfall schwer":                                "",
		"Das Aufschreiben hilft mir beim Denken":                                               "",
		"das Vermerken von Uhrzeiten ist Pflicht":                                              "",
		"setz Tee auf die Einkaufsliste wir haben keine Lust":                                  "",
		"Die Butter war versehentlich abgehakt":                                                "",
		"die Wand ist fertig, streich sie":                                                     "",
		"Doch keine Eier im Haus":                                                              "",
		"Die Notiz hat sich überlebt":                                                          "",
		"Was du über mich weißt, ist mir egal":                                                 "",
		"was hab ich unter der Dusche gesungen":                                                "",
		"Wecken um sieben ist Folter, bitte":                                                   "",
		"Die Datei plan.md brauch ich unterwegs, lösch sie":                                    "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want || want == "" && r.Acts {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
	for text, want := range map[string]string{
		"um 21 Uhr sollst du mir sagen dass ich die Haustür abschließen muss": "2026-11-25T21:00:00Z die Haustür abschließen",
		"Sag Ben um 18 Uhr, er soll den Müll rausbringen":                     "2026-11-25T18:00:00Z den Müll rausbringen",
		"weck mich um halb sechs, muss früh los":                              "2026-11-26T05:30:00Z ⏰",
		"Um 8 sollst du mir nicht sagen dass ich aufstehen muss":              " ",
		"Ben soll um 9 Bescheid sagen dass er kommt":                          " ",
		"sag Ben um sechs, er ist ein Held":                                   " ",
	} {
		if r, at, got := reminderOf(text); at+" "+got != want {
			t.Errorf("%q is read as %s %s: want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
