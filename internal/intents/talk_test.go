package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// Politeness and talk beside an order mean nothing to it, wherever they stand.
func TestRead_Talk(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"if it isn't too much trouble, put tea on the shopping list":               `{"list":"shopping","items":["tea"]}`,
		"I'd be ever so grateful if you could put tea on the shopping list":        `{"list":"shopping","items":["tea"]}`,
		"put tea on the shopping list, there's a dear":                             `{"list":"shopping","items":["tea"]}`,
		"we've just had breakfast, put tea on the shopping list":                   `{"list":"shopping","items":["tea"]}`,
		"Harold's in the garden, put tea on the shopping list, it's for Barbara":   `{"list":"shopping","items":["tea"]}`,
		"they've forecast snow so put tea on the shopping list":                    `{"list":"shopping","items":["tea"]}`,
		"wenn es keine Umstände macht, setz Tee auf die Einkaufsliste":             `{"list":"shopping","items":["Tee"]}`,
		"setz Tee auf die Einkaufsliste, wir wären dir sehr dankbar":               `{"list":"shopping","items":["Tee"]}`,
		"der Herbert ist schon wieder weg, setz Tee auf die Einkaufsliste":         `{"list":"shopping","items":["Tee"]}`,
		"не сочтите за труд, добавьте чай в список покупок":                        `{"list":"shopping","items":["чай"]}`,
		"добавь чай в список покупок, заранее благодарю":                           `{"list":"shopping","items":["чай"]}`,
		"опять дождь зарядил, добавь чай в список покупок, это для соседки":        `{"list":"shopping","items":["чай"]}`,
		"如果方便的话，把茶加到购物清单":                                                          `{"list":"shopping","items":["茶"]}`,
		"外面又下雨了，把茶加到购物清单，别忘了啊":                                                     `{"list":"shopping","items":["茶"]}`,
		"cancel the reminder about Barbara's eye drops, she's finished the course": `{"about":"Barbara's eye drops","change":"cancel"}`,
		"Notiz #311 kann weg, meine Frau wartet schon":                             `{"note":"#311"}`,
		"put milk and honey on the shopping list, my dear":                         `{"list":"shopping","items":["milk","honey"]}`,
		"购物清单上的榴莲删了吧，家里没人爱吃":                                                       `{"list":"shopping","items":["榴莲"]}`,
		"所有计时器都取消，开饭了":                                                             `{"only":"timers","change":"cancel\u0020all"}`,
		"把闹钟都关掉，不上班":                                                               `{"only":"alarms","change":"cancel\u0020all"}`,
		"年货清单清空，明年再说":                                                              `{"list":"年货","all":true}`,
		"念一下待办清单，我看看今天先干哪样":                                                        `{"list":"todo"}`,
		"鱼缸换水那条笔记没用了，鱼都送人了，删了吧":                                                    `{"note":"鱼缸换水"}`,
		"这礼拜都有啥事儿，看看日历":                                                            `{"from":"week"}`,
		"ещё двадцать минуточек, отложи будильник":                                 `{"only":"rung","change":"двадцать минуточек"}`,
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
	for text, want := range map[string]string{
		"in half an hour, if it isn't too much bother, remind me to eat":      "2026-11-25T12:30:00Z eat",
		"remind me to eat at 5, that would be lovely":                         "2026-11-25T17:00:00Z eat",
		"erinner mich um 17 Uhr ans Essen, vielen herzlichen Dank":            "2026-11-25T17:00:00Z Essen",
		"напомни в 17:00 поесть, если вас не затруднит":                       "2026-11-25T17:00:00Z поесть",
		"17:00提醒我吃饭，麻烦您了":                                                     "2026-11-25T17:00:00Z 吃饭",
		"wake me at 5 am, I'm covering for Sam":                               "2026-11-26T05:00:00Z ⏰",
		"remind me 2 feed the cat at 5 pm":                                    "2026-11-25T17:00:00Z feed the cat",
		"Wären Sie so lieb, mich um 17 Uhr daran zu erinnern, Ann anzurufen?": "2026-11-25T17:00:00Z Ann anzurufen",
		"周六上午十点去木材市场拿样板，到时候提醒我一下":                                             "2026-11-28T10:00:00Z 去木材市场拿样板",
		"倒计时三分半钟":                                                             "2026-11-25T12:03:30Z ",
	} {
		if r, at, got := reminderOf(text); at+" "+got != want {
			t.Errorf("%q is read as %s %s: want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// What takes an order back, wants another, quotes it or has a time that may be its own is no talk.
func TestRead_NoTalk(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"put tea on the shopping list, on second thoughts the other one", "put tea on the shopping list, as Barbara always puts it", "put tea on the shopping list, has been done already",
		"put tea on the shopping list, then open the window", "my neighbour keeps telling everyone, put tea on the shopping list", "there's no need now, put tea on the shopping list",
		"if it rains, put tea on the shopping list", "Ann, put tea on the shopping list", "tick off the bread, sorry, the butter on the shopping list", "my sister arrives at six, wake me at five",
		"setz Tee auf die Einkaufsliste, ich hab's mir anders überlegt", "auf dem Zettel am Kühlschrank steht, setz Tee auf die Einkaufsliste", "setz Tee auf die Einkaufsliste, das nehme ich zurück",
		"du sollst nicht hob, setz Tee auf die Einkaufsliste", "when I am home, undo #41", "Notiz 7 kannst löschen",
		"добавь чай в список покупок, я передумала", "на бумажке написано, добавь чай в список покупок", "вчера ты уже это делал, добавь чай в список покупок", "перенеси напоминание 6",
		"把茶加到购物清单，我改主意了", "等烤箱响了，把茶加到购物清单", "把茶加到购物清单，没让你加", "把茶加到购物清单，明年再说", "没说要删，把茶从购物清单删掉", "家里没米了，面粉也快没了，都写到购物清单上",
		"明天九点叫我起床，购物清单再加个牙膏", "牛奶勾掉，再加一盒黄油到购物清单", "把闹钟关了，开个十分钟的计时", "购物清单清空，火锅清单也清空", "关掉七点的闹钟，定个八点的", "冰箱上的纸条写着，把茶加到购物清单", "把茶加到购物清单，再给妈妈打个电话", "через день в 22:00 напоминай закапать глаза",
		"remind me to eat at 5 this aftrenoon", "twenty more minutes, snooze the alarm", "send me tickets.pdf on my phone, please, I'm only joking",
	} {
		if r := intents.Default().Read(text).At(midday); r.Acts {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
	for _, text := range []string{"wake us tomorrow morning", "weck uns morgen früh bitte", "разбуди меня завтра", "明天叫我起床"} {
		if r := intents.Default().Read(text).At(midday); r.Ask == "" || r.Acts {
			t.Errorf("%q is read as %s %s, and asks %q", text, r.Kind, r.Call.Args, r.Ask)
		}
	}
}
