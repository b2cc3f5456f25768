package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// Who tells of a timer or an alarm, does not want one, or has one cancelled, sets none: what the sentence leaves is no name.
func TestTimers_OnlyMentioned(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"timer 5 minuten bitte nicht", "Timer auf 5 Minuten brauche ich nicht", "früher habe ich mir immer einen Timer auf 5 Minuten gestellt", "Mama hat einen Timer auf 5 Minuten gestellt",
		"hätte ich doch einen Timer auf 5 Minuten gestellt", "der timer auf 5 minuten ist schon gelaufen", "soll ich einen Timer auf 5 Minuten stellen", "der Wecker um 7 hat nicht geklingelt",
		"таймер на 5 минут не нужен", "будильник на 7 не сработал", "таймер на 5 минут уже прозвенел", "таймер на 5 минут я уже ставил", "мама поставила таймер на 5 минут",
		"计时5分钟不用了", "妈妈定了5分钟的计时器", "要不要定个10分钟的计时器", "5分钟的计时器响了",
		"the alarm at 7 did not ring", "mum set a timer for 5 minutes", "in the old days I always set a timer for 5 minutes", "timer for 5 minutes is over", "I don't need a timer for 5 minutes",

		"storniere den wecker um 6:45", "stopp den wecker um 7 uhr", "schalte den Wecker um 7 aus", "wecker um 7 löschen", "timer 5 minuten stoppen", "timer von 5 minuten löschen", "wecker um 7 aus",
		"будильник на 7 отмени", "таймер на 5 минут отмени", "будильник на 7 выключи", "计时5分钟取消", "7点的闹钟取消", "timer 5 minutes cancel", "alarm at 7 off", "cancel the alarm at 7",
		"der 5 minuten timer klingelt", "timer 5 minuten läuft", "таймер на 5 минут идёт", "计时5分钟结束了", "计时5分钟停", "5 minute timer rings", // and one that runs
		"Erinnerung für morgen brauche ich nicht", "reminder for tomorrow is set", "reminder for tomorrow is not needed", "напоминание на завтра не нужно", "напоминание на завтра я уже ставил", "明天的提醒不用了",
		"timer two hours 30", "Timer eine Stunde 20", "таймер на час 20 минут", // what is left of the time is no name
		"erinnerung für morgen löschen", "напоминание на завтра удали", "reminder for tomorrow delete", "明天的提醒删除",
	} {
		for how, r := range map[string]intents.Reading{"read": intents.Default().Read(text), "loosely read": intents.Default().Loosely(text)} {
			if r = r.At(midday); r.Call.Name == "remind" {
				t.Errorf("%q is %s as %s %s", text, how, r.Kind, r.Call.Args)
			}
		}
	}
	for _, text := range []string{
		"timer 20 minutes turn off the oven", "Timer 20 Minuten Ofen ausschalten", "таймер 20 минут выключи плиту", "timer 10 Minuten Nudeln", "set a pasta timer for 8 minutes", "设一个3分钟的计时器煮鸡蛋",
		"erinnere mich morgen um 9 Dateien zu löschen", "remind me tomorrow at 9 to cancel", "erinnere mich morgen um 9 daran, die Bestellung zu stornieren", "reminder for tomorrow at 9 delete the photos",
	} {
		if r := intents.Default().Read(text).At(midday); r.Call.Name != "remind" {
			t.Errorf("%q is read as %s %s, asks %q", text, r.Kind, r.Call.Args, r.Ask)
		}
	}
}

// The text of a reminder and the name of a timer hold no words of the sentence around them, and no time that was not read.
func TestReminders_NoJunk(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"stell mir mal nen Timer auf anderthalb Stunden": "2026-11-25T13:30:00Z|", "我要一个计时器5分钟": "2026-11-25T12:05:00Z|", "我要一个5分钟的计时器": "2026-11-25T12:05:00Z|",
		"i need a timer for 5 minutes": "2026-11-25T12:05:00Z|", "give me a 5 minute timer": "2026-11-25T12:05:00Z|", "stell bitte einen Timer auf 5 Minuten": "2026-11-25T12:05:00Z|",
		"mach noch einen Timer auf 5 Minuten": "2026-11-25T12:05:00Z|", "bitte einen Timer auf 5 Minuten stellen": "2026-11-25T12:05:00Z|", "stell mir bitte nen Wecker auf 7": "2026-11-26T07:00:00Z|⏰",
		"мне нужен таймер на 5 минут": "2026-11-25T12:05:00Z|", "включи мне пожалуйста таймер на 5 минут": "2026-11-25T12:05:00Z|",
		"erinnere mich daran, dass ich morgen um 9 Anna anrufen muss": "2026-11-26T09:00:00Z|Anna anrufen", "set an alarm for 7 every day": "2026-11-26T07:00:00Z|⏰", "stell den Wecker jeden Tag auf 7": "2026-11-26T07:00:00Z|⏰",
		"erinnere mich daran, daß ich morgen um 9 Anna anrufen muss": "2026-11-26T09:00:00Z|Anna anrufen", "erinnere mich daran, dass Ana morgen um 9 kommt": "2026-11-26T09:00:00Z|dass Ana kommt",
		"every day at 8 and 20 remind me to take the pill": "2026-11-25T20:00:00Z|take the pill", "jeden Tag um 8 und 20 Uhr erinnere mich an die Tablette": "2026-11-25T20:00:00Z|Tablette",
		"remind me tomorrow of 2 eggs": "2026-11-26T09:00:00Z|2 eggs", "напомни завтра в 9 банк": "2026-11-26T09:00:00Z|банк", "remind me tomorrow at 9 2 eggs": "2026-11-26T09:00:00Z|2 eggs",
	} {
		if r, at, got := reminderOf(text); at+"|"+got != want {
			t.Errorf("%q is read as %s %s, asks %q: want %s", text, r.Kind, r.Call.Args, r.Ask, want)
		}
	}
	for _, text := range []string{"напоминание завтра 9 банк", "reminder tomorrow 9 bank", "Erinnerung morgen 9 Bank"} { // at 9?
		if r := intents.Default().Loosely(text).At(midday); r.Acts {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
}

// What is told of a list, or of a note that was forgotten, changes nothing; a list that is made has the name that is said.
func TestRead_OnlyMentioned(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"忘了记下小安要来", "我忘了记下小安要来", "молоко уже в списке покупок", "milk is already on the shopping list", "Milch steht schon auf der Einkaufsliste", "forgot to note that Ana is coming"} {
		for how, r := range map[string]intents.Reading{"read": intents.Default().Read(text), "loosely read": intents.Default().Loosely(text)} {
			if r.Acts {
				t.Errorf("%q is %s as %s %s", text, how, r.Kind, r.Call.Args)
			}
		}
	}
	for _, text := range []string{"建一个旅行清单：护照、牙刷、充电器", "帮我建一个旅行清单：护照、牙刷、充电器", "新建旅行清单：护照、牙刷、充电器", "列一个旅行清单：护照、牙刷、充电器"} {
		if r := intents.Default().Read(text); string(r.Call.Args) != `{"list":"旅行","items":["护照","牙刷","充电器"]}` {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
	for text, want := range map[string]string{"忘了我的地址": "fact_forget", "旅行清单：护照、牙刷": "list_add"} {
		if r := intents.Default().Read(text); r.Kind != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What is struck is ticked, as in English.
func TestRead_Struck(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"вычеркни хлеб из списка покупок": `{"list":"shopping","items":["хлеб"]}`, "вычеркни хлеб и молоко из списка дел": `{"list":"todo","items":["хлеб","молоко"]}`, "вычеркни палатку из списка отпуск": `{"list":"отпуск","items":["палатку"]}`,
		"streich die Eier": `{"list":"shopping","items":["Eier"]}`, "streich Brot": `{"list":"shopping","items":["Brot"]}`, "streiche bitte Brot und Milch": `{"list":"shopping","items":["Brot","Milch"]}`,
		"cross bread off the shopping list": `{"list":"shopping","items":["bread"]}`, "cross off bread": `{"list":"shopping","items":["bread"]}`,
	} {
		if r := intents.Default().Read(text); r.Kind != "list_tick" || string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
	for text, want := range map[string]string{
		"streich Brot von der Einkaufsliste": "list_remove", "streich die Erinnerung": "reminder_cancel", "streich alles": "", "streich die Wand nicht": "", "вычеркни это из списка покупок": "",
	} {
		if r := intents.Default().Read(text); r.Kind != want {
			t.Errorf("%q is read as %s %s, want %q", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A second chore that hob has no sentence for is none of the words of the first. What is only spoken of, or is nothing, is neither noted nor
// remembered.
func TestRead_OrdersAnother(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"remind me at 6 to buy flowers and order me a pizza", "erinnere mich um 18 Uhr an die Blumen und ruf mir ein Taxi", "напомни в 18:00 полить цветы и вызови такси",
		"Notiz in der Zeitung gelesen", "заметка про нас вышла вчера", "merk dir doch endlich was ich will", "запомни навсегда", "记一下又怎么了", "从购物清单删掉红的",
		"shove some lentils on the shopping list", "yeet the butter onto the shopping list", "donner die Butter auf die Einkaufsliste", // verbs that hob does not know
	} {
		if r := intents.Default().Loosely(text).At(midday); r.Acts {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
	for text, want := range map[string]string{
		"erinnere mich um 18 Uhr daran, Blumen zu kaufen und ein Taxi zu rufen": "remind", "напомни в 18:00 полить цветы и вызвать такси": "remind", "remind me at 6 to buy flowers and then water them": "remind",
		"note it is -5 degrees": "note", "note: it was raining all day": "note", "notiere es sind -5 Grad": "note", "Notiz: in der Zeitung war Ana": "note", "заметка: в газете статья о доме": "note", "timer 2 hours 30 minutes": "timer", "timer 5 minutes eggs": "timer",
		"half a pound of butter on the shopping list": "list_add", "noch ein Brot auf die Einkaufsliste": "list_add",
	} {
		if r := intents.Default().Read(text).At(midday); r.Kind != want || r.Ask != "" {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
