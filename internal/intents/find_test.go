package intents_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/intents"
)

// What a question asks of one's own notes, facts, reminders and calendars, and what only sounds so.
func TestRead_Find(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for text, want := range map[string]string{
		"welche Erinnerungen habe ich morgen?":             `calendar {"from":"tomorrow"}`,
		"woran muss ich morgen denken?":                    `calendar {"from":"tomorrow"}`,
		"zeig meine Erinnerungen für Freitag":              `calendar {"from":"friday"}`,
		"zeig meine Erinnerungen":                          `reminders {}`,
		"what reminders do I have tomorrow?":               `calendar {"from":"tomorrow"}`,
		"what do I have to remember tomorrow":              `calendar {"from":"tomorrow"}`,
		"show my reminders":                                `reminders {}`,
		"какие у меня завтра напоминания?":                 `calendar {"from":"tomorrow"}`,
		"о чём мне завтра нужно помнить?":                  `calendar {"from":"tomorrow"}`,
		"明天有什么提醒？":                                         `calendar {"from":"tomorrow"}`,
		"was weißt du über Lena?":                          `recall {"query":"Lena"}`,
		"what do you know about Lena?":                     `recall {"query":"Lena"}`,
		"what do you know about me?":                       `memory {}`,
		"was weißt du über mich?":                          `memory {}`,
		"что ты знаешь обо мне?":                           `memory {}`,
		"关于莉娜你知道什么？":                                       `recall {"query":"莉娜"}`,
		"你知道我什么？":                                          `memory {}`,
		"what was that note about the wifi?":               `note_find {"query":"wifi"}`,
		"was war die Notiz über die Heizung?":              `note_find {"query":"Heizung"}`,
		"какая была заметка про отопление?":                `note_find {"query":"отопление"}`,
		"关于暖气的笔记是什么？":                                      `note_find {"query":"暖气"}`,
		"verschieb die Zahnarzt-Erinnerung auf Donnerstag": `reminder {"about":"Zahnarzt","change":"Donnerstag"}`,
		"lösch die Zahnarzt-Erinnerung":                    `reminder {"about":"Zahnarzt","change":"cancel"}`,
		"kannst du die Zahnarzterinnerung löschen":         `reminder {"about":"Zahnarzt","change":"cancel"}`,
		"lösch die Zahnarzt-Erinnerung nicht":              ``,
		"die Zahnarzt-Erinnerung kam zu spät":              ``,
		"läuft der Server noch?":                           `system_status {}`,
		"läuft nginx noch?":                                `service_list {"pattern":"nginx"}`,
	} {
		r := all.Read(text)
		got := ""
		if r.Call.Name != "" {
			got = r.Call.Name + " " + string(r.Call.Args)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// A calendar is only read: what is to be put into it becomes a question, with the reminder that a yes makes, or is said to be impossible.
func TestRead_CalendarIsOnlyRead(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for text, want := range map[string]string{
		"add dentist on 3 Dec at 2pm to the calendar":                         "dentist",
		"trag Zahnarzt am 3.12. um 14 Uhr in den Kalender ein":                "Zahnarzt",
		"kannst du Chorprobe am Freitag um 19 Uhr in den Kalender eintragen?": "Chorprobe",
		"добавь встречу 3 декабря в 14 часов в календарь":                     "встречу",
		"把明天下午两点看牙医加到日历里":                                                     "看牙医",
		"add dentist to my calendar":                                          "",
		"can you change my calendar?":                                         "",
		"delete the dentist from my calendar":                                 "",
		"trag Zahnarzt in den Kalender ein":                                   "",
		"kannst du den Kalender ändern?":                                      "",
		"ты можешь изменить календарь?":                                       "",
		"你能改日历吗？":                                                             "",
	} {
		r := all.Read(text).At(midday)
		switch {
		case want == "" && (!strings.HasPrefix(r.Kind, "calendar_") || r.Answer == "" || r.Call.Name != "" || r.Ask != ""):
			t.Errorf("%q is %q with the answer %q and the question %q, want an answer alone", text, r.Kind, r.Answer, r.Ask)
		case want != "" && (r.Ask == "" || r.Acts || r.Meant == nil || !r.Meant.Acts):
			t.Errorf("%q is %q with the question %q, want one that a yes answers", text, r.Kind, r.Ask)
		case want != "":
			var args struct{ Text string }
			if err := json.Unmarshal(r.Meant.Call.Args, &args); err != nil || args.Text != want {
				t.Errorf("%q reminds of %q (%v), want %q", text, args.Text, err, want)
			}
		}
	}
}

func TestWonders(t *testing.T) {
	t.Parallel()
	all := intents.Default()
	for text, want := range map[string]bool{
		"Не подскажешь, какой у Бена размер обуви?": true, "слушай, ты не помнишь, какой у Ани размер?": true, "ты не помнишь мой размер": false, "не подскажешь мне дорогу": false,
		"а какой у Бена размер обуви?": true, "на что у Бена аллергия": true, "Размер обуви Бена какой?": true, "код от домофона — какой?": true, "Лена родилась когда?": true, "а собаку покорми": false, "куда": false,
		"我妈对啥过敏来着？": true, "Anna穿多大码的鞋来着？": true,
		"wann hat Lena Geburtstag?": true, "wo ist der Schlüssel": true, "wie war das WLAN-Passwort?": true, "weißt du wo der Schlüssel ist": true,
		"Remind me, what shoe size did I tell you Anna takes?": true, "tell me what Ben's shoe size is": true, "Ben's shoe size, what was it?": true, "you don't remember where the key is, do you?": true,
		"remind me at five what to buy": false, "put milk on the list, what a day it was today": false,
		"where is the key?": true, "what was the wifi password": true, "when is Lena's birthday?": true,
		"где ключ?": true, "когда день рождения у Лены": true, "钥匙在哪里？": true, "莉娜的生日是什么时候": true,
		"füttere den Hund": false, "kannst du den Hund füttern?": false, "can you feed the dog?": false, "what": false, "покорми собаку": false, "喂狗": false,
	} {
		if _, got := all.Wonders("", text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
