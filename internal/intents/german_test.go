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

// A clause that goes on behind "und" is a part of a note, and words as people say them.
func TestRead_GermanAsSaid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Notier mal: Der Klempner heißt Vogt und kommt nur vormittags":                       `{"text":"Der Klempner heißt Vogt und kommt nur vormittags"}`,
		"notiere: der Klempner heißt Vogt und ist nett":                                      `{"text":"der Klempner heißt Vogt und ist nett"}`,
		"Also, der Gasmann kommt am Donnerstag, schreib das mal auf":                         `{"text":"der Gasmann kommt am Donnerstag"}`,
		"Steht in meinen Notizen irgendwo was von der Dachrinne?":                            `{"query":"Dachrinne"}`,
		"Ich find die Datei nicht mehr, irgendwas mit mietvertrag im Namen":                  `{"name":"mietvertrag"}`,
		"Jetzt nicht, erinner mich in zehn Minuten noch mal dran":                            `{"change":"in zehn Minuten"}`,
		"lass mich noch zehn Minuten schlummern":                                             `{"only":"rung","change":"zehn Minuten"}`,
		"Ich würd gern mal ins Log vom Dienst ssh schauen":                                   `{"unit":"ssh"}`,
		"Worum geht's auf https://example.org/x.html? Fass es mir kurz zusammen.":            `{"url":"https://example.org/x.html"}`,
		"das mit Bens Schuhgröße kannste wieder vergessen":                                   `{"fact":"Bens Schuhgröße"}`,
		"ach nee, den Käse hab ich nicht gekriegt, mach den Haken auf der Einkaufsliste weg": `{"list":"shopping","items":["Käse"],"open":true}`,
		"mach ne Kopie von der a.csv, nenn sie b.csv":                                        `{"path":"a.csv","to":"b.csv"}`,
		"schreib noch eine Zeile in tagebuch.txt: mit Joan essen gewesen":                    `{"path":"tagebuch.txt","content":"mit Joan essen gewesen\n","mode":"append"}`,
		"wie spät haben die's grad in New York?":                                             `{"zone":"America/New_York"}`,
		"stell die Zeitzone fürs Haus mal auf Berlin":                                        `{"set":"Europe/Berlin"}`,
		"lade den Garten-Skill":                                                              `{"open":"Garten"}`,
		"Anna sagt der Gasmann kommt am Donnerstag, schreib das auf":                         "",
		"das kannst du vergessen":                                                            "",
		"Notiere: kauf Milch und lösch die a.txt":                                            "",
		"wie viel ist 340 plus 19 Prozent":                                                   `{"sum":"340+19%"}`,
		"Ich find die Datei doof":                                                            "",
		"die Briefmarken können warten":                                                      "",
		"Wir müssen Milch auf dem Heimweg holen":                                             "",
		"lass mich zehn Minuten in Ruhe arbeiten":                                            "",
		"Was liegt in meinem Downloads-Ordner rum?":                                          `{"path":"Downloads"}`,
		"Sicher die rezepte.md als rezepte-alt.md":                                           `{"path":"rezepte.md","to":"rezepte-alt.md"}`,
		"Schreib in meine Gartennotizen: Rosen schneiden":                                    `{"text":"Rosen schneiden","topic":"Garten"}`,
		"Die nächsten zehn Tage um sieben an die Tablette erinnern":                          `{"at":"2026-11-26T07:00:00Z","repeat":"FREQ=DAILY;COUNT=10","text":"Tablette","other":"2026-11-25T19:00:00Z","lang":"de"}`,
		"Die nächsten vier Freitage um 17 Uhr an den Müll erinnern":                          `{"at":"2026-11-27T17:00:00Z","repeat":"FREQ=WEEKLY;COUNT=4;BYDAY=FR","text":"Müll","lang":"de"}`,
		"Stell einen 10-Minuten-Timer":                                                       `{"at":"2026-11-25T12:10:00Z","text":"","timer":true,"lang":"de"}`,
		"Vergiss bitte Annas alte Adresse":                                                   `{"fact":"Annas alte Adresse"}`,
		"Vergiss Reis und Milch":                                                             "",
		"vergiss Bens Geburtstag nicht":                                                      "",
		"der Nudeltimer nervt":                                                               "",
		"Mama sagt immer, schreib das auf":                                                   "",
		"der Downloads-Ordner liegt rum":                                                     "",
		"die nächsten vier Freitage habe ich frei":                                           "",
		"Zeig die letzten 20 Zeilen vom nginx-Log":                                           `{"unit":"nginx","lines":20}`,
		"Die Erinnerung um 17 Uhr kann weg":                                                  `{"about":"17 Uhr","change":"cancel"}`,
		"Mein Wecker soll morgen um Viertel nach sechs klingeln":                             `{"at":"2026-11-26T06:15:00Z","text":"⏰","other":"2026-11-26T18:15:00Z","lang":"de"}`,
		"Hat jemand Brot auf die Einkaufsliste gesetzt?":                                     `{"list":"shopping"}`,
		"Zehn Minuten auf die Uhr für den Reis bitte":                                        `{"at":"2026-11-25T12:10:00Z","text":"Reis","timer":true,"lang":"de"}`,
		"zeig die letzten 20 Zeilen aus dem Brief":                                           "",
		"Mein Wecker soll kaputt gehen":                                                      "",
		"hat jemand Brot auf den Tisch gestellt":                                             "",
		"Fang mir eine neue Liste an, nenn sie Camping":                                      "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want || want == "" && r.Acts {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
	for text, kind := range map[string]string{
		"Warten noch irgendwelche Freigaben auf mich?": "approvals", "An was wirst du mich demnächst alles erinnern?": "reminders", "was kannste denn so alles?": "help",
		"Seit wann läuft der Rechner schon durch, ohne Neustart?": "uptime", "Was wurde hier gestern alles geändert?": "log", "sind irgendwelche Dienste abgeschmiert?": "services_failed",
		"was hast du denn für Geschichten zum Spielen da?": "stories", "zeig mal, was grad alles an Prozessen läuft": "processes",
	} {
		if r := intents.Default().Read(text).At(midday); r.Kind != kind {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, kind)
		}
	}
}

// An order is read as a question of what somebody does, with its verb at the end, behind a wish and behind its thing; a tag behind it asks nothing. A
// condition, a report, a question of how or when, and what somebody else does are none.
func TestRead_GermanFormsOfOrders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Verschiebst du entwurf.md bitte in den Ordner archiv?":                `{"path":"entwurf.md","to":"archiv/"}`,
		"Räumst du die Einkaufsliste leer?":                                    `{"list":"shopping","all":true}`,
		"Merkst du dir bitte, dass Anna keine Nüsse mag?":                      `{"text":"Anna keine Nüsse mag"}`,
		"Es wäre nett, wenn du die Milch auf die Einkaufsliste setzen würdest": `{"list":"shopping","items":["Milch"]}`,
		"Mir wäre lieb, dass du die Butter von der Einkaufsliste streichst":    `{"list":"shopping","items":["Butter"]}`,
		"Wenn du alt.txt löschen könntest, wäre das super.":                    `{"path":"alt.txt"}`,
		"Kannst du budget.csv ins Archiv rüberschieben?":                       `{"path":"budget.csv","to":"Archiv/"}`,
		"Die Erinnerung an den Friseur kannst du löschen.":                     `{"about":"Friseur","change":"cancel"}`,
		"Die Campingliste komplett leer machen, bitte.":                        `{"list":"camping","all":true}`,
		"Hak die Butter ab, ja?":                                               `{"list":"shopping","items":["Butter"]}`,
		"Notier: der Schlüssel liegt unter der Matte, okay?":                   `{"text":"der Schlüssel liegt unter der Matte"}`,
		"Streich die Milch von der Einkaufsliste, kriegst du das hin?":         `{"list":"shopping","items":["Milch"]}`,
		"Neuer Ordner bitte: weihnachten":                                      `{"path":"weihnachten/"}`,
		"Mach von budget.csv eine Kopie namens budget_alt.csv":                 `{"path":"budget.csv","to":"budget_alt.csv"}`,
		"Von der budget.csv hätte ich gern eine Kopie, die alt.csv heißt":      `{"path":"budget.csv","to":"alt.csv"}`,
		"Wo ist noch mal die Datei mietvertrag.pdf? Such sie mal.":             `{"name":"mietvertrag.pdf"}`,
		"Ich finde mietvertrag.pdf nicht mehr, wo ist die?":                    `{"name":"mietvertrag.pdf"}`,
		"Und, was liegt heute noch an im Kalender?":                            `{"from":"today","lang":"de"}`,

		"Wenn du die Milch abhakst, verschwindet sie.":    "",
		"Ich hab gesehen, dass du die Milch abhakst.":     "",
		"Ich möchte nicht, dass du alt.txt löschst.":      "",
		"Anna möchte, dass du alt.txt löschst.":           "",
		"Ich muss noch die Milch abhaken.":                "",
		"Wann löschst du die Datei alt.txt?":              "",
		"Wehe, du löschst alt.txt.":                       "",
		"Löschst du etwa alt.txt?":                        "",
		"Wenn du alt.txt löschen würdest, wäre ich sauer": "",
		"Bloß nicht alt.txt löschen":                      "",
		"Lösch die Datei nicht, ok?":                      "",
		"Du hast den Timer gestellt, ja?":                 "",
		"Ben stellt den Timer, ja?":                       "",
		"Weck mich morgen um 6, oder?":                    "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want || want == "" && r.Acts {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// Why a thing is wanted again stands before the order, and what is said of the order behind it may take it back.
func TestRead_GermanBeforeAndBehind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Quark war heute leider ausverkauft, mach den Haken auf der Einkaufsliste wieder weg":     `{"list":"shopping","items":["Quark"],"open":true}`,
		"Hefe hab ich doch nicht bekommen, nimmst du den Haken auf der Einkaufsliste wieder weg?": `{"list":"shopping","items":["Hefe"],"open":true}`,
		"Ich finde vertrag.pdf nirgends, findest du die Datei?":                                   `{"name":"vertrag.pdf"}`,
		"Merk dir für später, ich brauch das bestimmt noch mal: Bens Hemdgröße ist 41":            `{"text":"Bens Hemdgröße ist 41"}`,
		"Merk dir fürs nächste Mal: der Ofen heizt zu stark":                                      `{"text":"der Ofen heizt zu stark"}`,
		"Im Moment ganz ungünstig, erinner mich in einer halben Stunde noch mal dran":             `{"change":"in einer halben Stunde"}`,
		"Ist gerade blöd, erinnere mich in fünf Minuten nochmal daran":                            `{"change":"in fünf Minuten"}`,
		"Das hat leider nicht funktioniert, probier's noch mal":                                   `{}`,
		"Haben wir noch Anfragen, die ich genehmigen muss?":                                       `{}`,
		"Wir würden gern mal wieder an unserer alten Geschichte weiterspielen":                    `{}`,
		"Nimmst du die Milch von der Einkaufsliste, ist schon da":                                 `{"list":"shopping","items":["Milch"]}`,
		"Löschst du alt.txt, brauch ich nicht mehr":                                               `{"path":"alt.txt"}`,
		"Löschst du alt.txt, ist alles weg":                                                       "",
		"Leerst du die Einkaufsliste, wird Anna sauer":                                            "",
		"Löschst du den Ordner fotos, sind die Bilder futsch":                                     "",
		"Lösch alt.txt, ich weiß nicht":                                                           "",
		"Lösch alt.txt, das braucht niemand zu tun":                                               "",
		"Erinner mich immer eine Stunde vorher ans Packen":                                        "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want || want == "" && r.Acts {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
