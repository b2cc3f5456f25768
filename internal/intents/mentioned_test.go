package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// An order may speak of what is named before it, whatever is said of that, and of whatever kind the order is.
func TestRead_Mentioned(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"draft2.txt can go, delete it":                                                `{"path":"draft2.txt"}`,
		"never mind the vet reminder, delete it":                                      `{"about":"vet","change":"cancel"}`,
		"I've rung the vet, cancel the reminder":                                      `{"about":"vet","change":"cancel"}`,
		"the vet's done, tick that reminder off":                                      `{"about":"vet","change":"done"}`,
		"the pasta is done, stop the timer":                                           `{"only":"timers","about":"pasta","change":"cancel"}`,
		"budget.csv, send it to me please":                                            `{"path":"budget.csv"}`,
		"I'm finished with the packing list, clear it completely":                     `{"list":"packing","all":true}`,
		"The kids finished the cereal, put it on the shopping list":                   `{"list":"shopping","items":["cereal"]}`,
		"the printer's out of ink again, stick it on the shopping list":               `{"list":"shopping","items":["ink"]}`,
		"the fridge magnets are rubbish, take them off the shopping list":             `{"list":"shopping","items":["fridge magnets"]}`,
		"the oat milk hasn't been bought yet, untick it":                              `{"list":"shopping","items":["oat milk"],"open":true}`,
		"ups, das Brot fehlt doch noch, nimm den Haken wieder weg":                    `{"list":"shopping","items":["Brot"],"open":true}`,
		"Müll ist draußen, die Erinnerung ist erledigt":                               `{"about":"Müll","change":"done"}`,
		"Die Milch kannst du auf der Einkaufsliste abhaken":                           `{"list":"shopping","items":["Milch"]}`,
		"Die Erinnerung an den Zahnarzt kannst du auf 5 verschieben":                  `{"about":"Zahnarzt","change":"5"}`,
		"Die Rechnung.pdf könntest du bitte in den Ordner steuer verschieben":         `{"path":"Rechnung.pdf","to":"steuer/"}`,
		"Uns gehen die Müllbeutel aus, kommen auf den Einkaufszettel":                 `{"list":"shopping","items":["Müllbeutel"]}`,
		"Der Drucker braucht neue Tinte, schreib das auf die Einkaufsliste":           `{"list":"shopping","items":["Tinte"]}`,
		"Quark hab ich schon, hak den Quark auf der Einkaufsliste ab":                 `{"list":"shopping","items":["Quark"]}`,
		"we need report.txt, send it to me":                                           `{"path":"report.txt"}`,
		"we need report.txt, delete it":                                               "", // not both
		"we need report.txt, so please delete it":                                     "",
		"wir brauchen brief.txt, lösch sie":                                           "",
		"the milk is gone, take it off the shopping list":                             `{"list":"shopping","items":["milk"]}`,
		"My brother is out of work, put it on the shopping list":                      "",
		"remind me about the vet, cancel the reminder":                                "",
		"the alarm isn't needed tomorrow, turn it off":                                "", // but the day after
		"I don't need the alarm today, turn it off":                                   "",
		"tomorrow's alarm isn't needed, turn it off":                                  "",
		"the alarm isn't needed any more, turn it off":                                `{"only":"alarms","change":"cancel"}`,
		"We're out of time, put it on the shopping list":                              "",
		"we've run out of patience, put it on the list":                               "",
		"we've run out of loo roll so pop it on the shopping list":                    `{"list":"shopping","items":["loo roll"]}`,
		"Anna asked for oat milk and crisps, so pop both on the shopping list":        `{"list":"shopping","items":["oat milk","crisps"]}`,
		"Anna wants old.txt, delete it":                                               "",
		"I've got to get batteries, add them to the shopping list":                    `{"list":"shopping","items":["batteries"]}`,
		"bins are out, mark that one done":                                            "", // they are no thing of a list
		"alice.txt can go. Bob.txt too. delete it":                                    "", // which?
		"bin note 7, it's wrong":                                                      `{"note":"7"}`,
		"I've rung the vet, note it":                                                  "", // what is noted is no thing
		"if the milk is gone, put it on the shopping list":                            "",
		"he said the milk is gone, put it on the shopping list":                       "",
		"The dog is ill, put it on the shopping list":                                 "",
		"old.txt is no longer needed, don't delete it":                                "",
		"old.txt is no longer needed, should I delete it?":                            "",
		"Morgen könntest du mal die Milch abhaken":                                    "", // tomorrow is no milk
		"Den Drucker kannst du vergessen":                                             "",
		"Opa sagt, die Milch kannst du abhaken":                                       "",
		"Milch ist alle, Papa hat sie schon auf die Einkaufsliste gesetzt":            "",
		"entwurf.txt ist veraltet, lösch sie bloß nicht":                              "",
		"Milch ist alle, soll ich sie auf die Einkaufsliste setzen?":                  "",
		"Wir fahren weg, und alles, was alt ist, also die Notizen, die kannst du, na": "",
	} {
		if r := intents.Default().Read(text).At(midday); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
