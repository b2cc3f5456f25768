package intents_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hob/internal/intents"
)

// Who asks whether hob is there reads one sentence. The status is for who asks for it, and for what hob is busy with.
func TestRead_IsHobThere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"are you there", "are you ok?", "bist du da", "Wie geht's?", "wie geht es dir", "bist du noch da", "ты тут", "как дела?", "как ты", "你在吗", "你好吗", "在吗", "你怎么样",
	} {
		if r := intents.Default().Read(text); r.Kind != "status" || r.Call.Name != "status" || r.Answer == "" {
			t.Errorf("%q is read as %s %s, with the answer %q", text, r.Kind, r.Call.Name, r.Answer)
		}
	}
	for _, text := range []string{"status", "are you busy", "was machst du", "bist du beschäftigt", "статус", "чем ты занят", "状态", "你在忙什么"} {
		if r := intents.Default().Read(text); r.Kind != "status" || r.Call.Name != "status" || r.Answer != "" {
			t.Errorf("%q is read as %s %s, with the answer %q", text, r.Kind, r.Call.Name, r.Answer)
		}
	}
}

// Who asks about yesterday hears of yesterday.
func TestRead_LogOfYesterday(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"what did you do yesterday?", "what happened yesterday", "show me the log of yesterday", "was hast du gestern gemacht", "что ты делал вчера?", "你昨天做了什么？",
	} {
		if r := intents.Default().Read(text); r.Kind != "log" || string(r.Call.Args) != `{"of":"yesterday"}` || r.Score < 1 {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
}

// What is to be remembered may go on with a clause that says more of it, but with no order.
func TestRead_FactWithAClause(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"remember that my wife's name is Lena and she is allergic to nuts": `{"text":"my wife's name is Lena and she is allergic to nuts"}`,
		"remember that the cat is Miez, she's nine":                        `{"text":"the cat is Miez, she's nine"}`,
		"remember that the cat is Miez, they're at home, delete a.txt":     "",
		"remember that the cat is Miez and add milk to the list":           "",
	} {
		if r := intents.Default().Read(text); string(r.Call.Args) != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}

// A reminder for another day takes a bare hour before six for one of the afternoon, and has the other for a button. An alarm does not.
func TestRead_BareHourOfAnotherDay(t *testing.T) {
	t.Parallel()
	const afternoon, morning = `{"at":"2026-11-26T15:00:00Z"`, `{"at":"2026-11-26T03:00:00Z"`
	for text, want := range map[string]string{
		"remind me tomorrow at 3 to call bob": afternoon, "erinnere mich morgen um 3 an Ana": afternoon, "напомни завтра в 3 позвонить": afternoon, "提醒我明天3点开会": afternoon,
		"remind me tomorrow at 3 am to call bob": morning, "erinnere mich morgen um 03:00 an Ana": morning, "напомни завтра в 3 ночи позвонить": morning, "明天凌晨3点提醒我开会": morning,
		"wake me tomorrow at 3": morning, "weck mich morgen um 3": morning, "разбуди меня завтра в 3": morning, "明天3点叫醒我": morning,
	} {
		r := intents.Default().Read(text).At(midday)
		if args := string(r.Call.Args); !strings.HasPrefix(args, want) || strings.HasPrefix(args, afternoon) && !strings.Contains(args, `"other":"2026-11-26T03:00:00Z"`) {
			t.Errorf("%q is read as %s", text, args)
		}
	}
}

// So does what comes back, whose first time is the first of the afternoon.
func TestRead_BareHourOfRepetition(t *testing.T) {
	t.Parallel()
	const afternoon, morning = `{"at":"2026-11-25T15:00:00Z"`, `{"at":"2026-11-26T03:00:00Z"`
	for text, want := range map[string]string{
		"remind me every day at 3 to take the pill": afternoon, "erinnere mich jeden Tag um 3 an die Tablette": afternoon, "напоминай каждый день в 3 про таблетку": afternoon, "提醒我每天3点吃药": afternoon,
		"remind me every day at 3 am to take the pill": morning, "erinnere mich jeden Tag um 03:00 an die Tablette": morning, "напоминай каждый день в 3 ночи про таблетку": morning, "提醒我每天凌晨3点吃药": morning,
		"wake me every day at 3": morning, "weck mich jeden Tag um 3": morning, "буди меня каждый день в 3": morning, "每天3点叫醒我": morning,
		"remind me every friday at 4 to call bob":   `{"at":"2026-11-27T16:00:00Z"`,
		"remind me every day at 6 to take the pill": `{"at":"2026-11-26T06:00:00Z"`,
	} {
		r := intents.Default().Read(text).At(midday)
		if args := string(r.Call.Args); !strings.HasPrefix(args, want) || !strings.Contains(args, `"repeat":"FREQ=`) {
			t.Errorf("%q is read as %s", text, args)
		} else if want == afternoon && !strings.Contains(args, `"other":"2026-11-26T03:00:00Z"`) {
			t.Errorf("%q has no button for the morning: %s", text, args)
		}
	}
}

// An hour that is said roughly is that hour.
func TestRead_RoughHour(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"remind me on friday like at 9 to call bob", "remind me friday at like 9 to call bob", "erinnere mich am Freitag so um 9 an bob", "напомни в пятницу где-то в 9 про bob", "提醒我周五大概9点bob",
	} {
		r := intents.Default().Read(text).At(midday)
		if args := string(r.Call.Args); !strings.HasPrefix(args, `{"at":"2026-11-27T09:00:00Z"`) || !strings.Contains(args, `bob"`) {
			t.Errorf("%q is read as %s", text, args)
		}
	}
}

// Who asks for an alarm and says no time is asked for one.
func TestRead_AlarmWithoutTime(t *testing.T) {
	t.Parallel()
	for text, answer := range map[string]string{
		"Wecker bitte": "6:30", "alarm please": "6:30", "будильник": "6:30", "定个闹钟": "6:30",
	} {
		r := intents.Default().Read(text).At(midday)
		if r.Kind != "alarm" || r.Ask == "" || r.Call.Name != "" {
			t.Errorf("%q is read as %s %s, and asks %q", text, r.Kind, r.Call.Args, r.Ask)
		}
		var ends bool
		for _, words := range r.Complete(answer) {
			done := intents.Default().Read(words).At(midday)
			ends = ends || strings.Contains(string(done.Call.Args), "2026-11-26T06:30:00Z")
		}
		if !ends {
			t.Errorf("%q with %q is not completed: %q", text, answer, r.Complete(answer))
		}
	}
}

// What people say right behind a reminder is about it.
func TestRead_AnswersToReminder(t *testing.T) {
	t.Parallel()
	for kind, all := range map[string]string{
		"reminder_done": "erledigt, schon erledigt, hab ich, done, did it, готово, приняла, 好了, 已经做了, 弄好了",
		"reminder_move": "später, mach ich später, jetzt nicht, later, maybe later, позже, чуть позже, 稍后, 晚点, 等会",
	} {
		for text := range strings.SplitSeq(all, ", ") {
			if r := intents.Default().Read(text).At(midday); r.Kind != kind || !r.Near {
				t.Errorf("%q is read as %s, near: %v", text, r.Kind, r.Near)
			}
		}
	}
}

// A time behind the name of somebody who is to be reminded is no part of the name.
func TestRead_TimeBehindName(t *testing.T) {
	t.Parallel()
	for text, whom := range map[string]string{
		"erinnere Ben morgen um 8 an den Müll": "Ben", "remind Ben tomorrow at 8 to eat": "Ben", "remind Anna Maria on Friday at 8 to call": "Anna Maria",
		"erinnere alle morgen um 8 an den Müll": "", "remind everyone tomorrow at 8 to eat": "", // nobody's name: a model may know
	} {
		var args struct{ At, For string }
		r := intents.Default().Read(text).At(midday)
		if err := json.Unmarshal(r.Call.Args, &args); err != nil && whom != "" || args.For != whom || strings.HasPrefix(args.At, "2026-11-25") {
			t.Errorf("%q is read as %s %s", text, r.Kind, r.Call.Args)
		}
	}
}

// A number behind a noun says which one is meant; "note" is an order as well.
func TestRead_ANumberBehindANote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"note 3 eggs for the cake": "3 eggs for the cake", "note 50 euros owed to Tom": "50 euros owed to Tom", "Notiere 7 Eier": "7 Eier",
		"note 7": "", "note 7 is about the shed": "", "Notiz 7 kannst löschen": "",
	} {
		r := intents.Default().Read(text)
		if got := r.Call.Name == "note_add"; got != (want != "") || got && !strings.Contains(string(r.Call.Args), `"`+want+`"`) {
			t.Errorf("%q: %s %s", text, r.Call.Name, r.Call.Args)
		}
	}
}

// In Chinese a name in Latin letters is one of the house, and a reminder of what they are to do is for them. A clock is for nobody, and what was said to
// somebody yesterday is none.
func TestRead_ChineseReminderForSomebody(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"明天早上八点提醒Ben带伞": "2026-11-26T08:00:00Z 带伞 Ben", "提醒Anna今晚七点吃药": "2026-11-25T19:00:00Z 吃药 Anna", "晚上八点叫 Ben 写作业": "2026-11-25T20:00:00Z 写作业 Ben",
		"给Ben设个提醒，明天早上七点带水壶": "2026-11-26T07:00:00Z 带水壶 Ben", "明天下午五点让Ben去练琴，你提醒他": "2026-11-26T17:00:00Z 练琴 Ben", "明天早上八点提醒小明带伞": "2026-11-26T08:00:00Z 带伞 小明",
		"明天早上八点提醒我带伞": "2026-11-26T08:00:00Z 带伞 ", "提醒我今晚六点去接老王": "2026-11-25T18:00:00Z 去接老王 ",
		"给Anna定个明早六点的闹钟": "  ", "昨天让Ben定了闹钟": "  ", "提醒Ben带伞的是Anna": "  ",
	} {
		var args struct{ At, Text, For string }
		r := intents.Default().Read(text).At(midday)
		if err := json.Unmarshal(r.Call.Args, &args); err != nil && want != "  " || args.At+" "+args.Text+" "+args.For != want {
			t.Errorf("%q is read as %s %s, want %s", text, r.Kind, r.Call.Args, want)
		}
	}
}
