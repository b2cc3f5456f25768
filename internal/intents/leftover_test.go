package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// A time that is bounded, or counted from another one, is not the time of a reminder, and a timer that is to run longer is no new one.
func TestRead_Limits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"remind me almost every day at 8 to stretch", "remind me at 5 instead of 6 about the pasta", "remind me the day before the wedding at 10 to collect the suit",
		"erinnere mich frühestens um 6 an den Kuchen", "erinnere mich fast jeden Tag um 8 an die Tabletten", "erinnere mich nur bei Regen morgen um 7 an den Schirm",
		"erinnere mich 10 Minuten vor dem Termin um 15 Uhr", "erinnere mich bloß nie wieder an diesen Abend um 8", "Merk dir das nicht, aber Jonas mag keine Nüsse",
		"напоминай почти каждый день в 8 про зарядку", "напомни накануне свадьбы в 10 забрать костюм", "напомни за 10 минут до встречи в 15:00",
		"напомни послезавтра в 8:20, что у Бори в 9 стоматолог", "下午三点的会开始前十分钟提醒我一声",
		"add ring the plumber back to my to-do list", "give me ten more minutes on the timer", "Timer fünf Minuten länger bitte", "поставь таймер на 5 и ещё один на 10 минут", "计时器再加五分钟",
		"put the usual on the shopping list", "put butter instead of margarine on the shopping list", "add almost everything from the recipe to the shopping list",
		"schreib das Übliche auf die Einkaufsliste", "把老三样加到购物清单",
		"mach eine Datei ideen.txt und da soll irgendwo stehen: Baumhaus", "copy accounts.ods",
		"put flour on the baking list and eggs on the shopping list", "setz Mehl auf die Backliste und Eier auf die Einkaufsliste", "setz um 5 Milch auf die Einkaufsliste",
		"make a file a.txt and b.txt", "take a note tomorrow at 5: call Ben", "记一下明天五点：给小本打电话", "set the timer to 10 minutes and then 5 minutes",
		"明天八点提醒我倒垃圾，九点寄信", "führe ls im Ordner archiv aus", "Max, remind me at 5", "Ben said he'd call, remind me at 5", "you forgot, remind me at 5", "家里没盐了，五点提醒我", "сделай напоминание 2 на четверть десятого",
		"一百五加三等于多少",
	} {
		if r := intents.Default().Loosely(text).At(midday); r.Acts && r.Score == 1 {
			t.Errorf("%q is read as %s %s", text, r.Call.Name, r.Call.Args)
		}
	}
	for text, want := range map[string]string{
		"remind me in two hours' time about the roast":                          "2026-11-25T14:00:00Z the roast",
		"remind me to call Ana tomorrow at 8 about the boat":                    "2026-11-26T08:00:00Z call Ana about the boat",
		"Erinner mich morgen gegen neun nochmal an den Anruf bei Frau Keller":   "2026-11-26T09:00:00Z den Anruf bei Frau Keller",
		"start a timer called shortbread for an hour and a quarter":             "2026-11-25T13:15:00Z shortbread",
		"stick the timer on for twelve and a half minutes please":               "2026-11-25T12:12:30Z ",
		"Ring Margaret back, remind me of that this evening at half past seven": "2026-11-25T19:30:00Z Ring Margaret back",
		"Blumen gießen, erinnere mich bitte heute Abend um acht":                "2026-11-25T20:00:00Z Blumen gießen",
		"помыть машину, напомни в субботу в десять утра":                        "2026-11-28T10:00:00Z помыть машину",
		"把药膏拿给爷爷，今晚七点一刻提醒我":                                                     "2026-11-25T19:15:00Z 把药膏拿给爷爷",
		"i need to send the deposit tmrw by 10am, pls remind me":                "2026-11-26T10:00:00Z i need to send the deposit",
		"mach nen Timer mit dem Namen Reis auf 18 Minuten":                      "2026-11-25T12:18:00Z Reis",
		"таймер с названием рис на 18 минут":                                    "2026-11-25T12:18:00Z рис",
		"下午三点的会议，提前十分钟提醒我":                                                      "2026-11-25T14:50:00Z 会议",
		"开个叫米饭的计时器，十八分钟":                                                        "2026-11-25T12:18:00Z 米饭",
		"remind me at 17:00 🎂":                                                  "2026-11-25T17:00:00Z 🎂", "erinnere mich um 17 Uhr an 💊!": "2026-11-25T17:00:00Z 💊", "напомни в 17:00 💊": "2026-11-25T17:00:00Z 💊",
		"timer 5 minutes 🍝": "2026-11-25T12:05:00Z 🍝", "timer about 5 minutes 🍝": "2026-11-25T12:05:00Z 🍝", "5 minute timer 🍝": "2026-11-25T12:05:00Z 🍝", "remind me to 🎂 at 17:00": "2026-11-25T17:00:00Z 🎂", "timer 5 minutes 👍": "2026-11-25T12:05:00Z ",
		"remind me tomorrow at 10 about the cake 🎂🎉": "2026-11-26T10:00:00Z the cake 🎂🎉", "remind me tomorrow at 10 to swim ☀️": "2026-11-26T10:00:00Z swim ☀️",
	} {
		if r, at, got := reminderOf(text); at+" "+got != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// Numbers in words stand in a sum, in Chinese from a hundred on, too.
func TestRead_NumbersInWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"what's seventeen times twenty three": "17*23", "wie viel ist siebzehn mal dreiundzwanzig": "17*23", "сколько будет семнадцать умножить на двадцать три": "17*23",
		"was ist sechshundertachtzig durch acht": "680/8", "zwanzigtausend plus zweitausenddreihunderteins": "20000+2301",
		"三百六十五乘以二十四等于多少": "365*24", "一千零二十四除以二是多少": "1024/2", "四十七点五乘以三是多少": "47.5*3", "两万三千乘以二等于多少": "23000*2",
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != `{"sum":"`+want+`"}` {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
