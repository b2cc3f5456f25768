package reminders

import (
	"fmt"
	"time"
)

// words are what hob says about reminders in a language.
type words struct {
	undo, done, cancelled, restored, restore, changed   string
	forName, left, waits, missed, sent, again, stranger string

	wake, timer, cancelledAll      string
	same, noLeapDay                string // what a change did not change; what became of 29 February
	thisZone, yourZone, ownersZone string // of the machine; how an owner sets another, and whom others ask
	zoneIsRight                    string
	zones                          []string // IANA names that a speaker of the language may live in
	none, more                     string   // of a list

	delivered, notDelivered, notTaken, forPrompt, due string // how far the message came, see [Config.Delivered]

	asking, mayI, yes, no, mute, agreed, refused, kept string
}

func wordsOf(lang string) words {
	switch lang {
	case "de":
		return words{
			undo: "Rückgängig", done: "Erledigt", cancelled: "Gestrichen", restored: "Wieder da", restore: "Doch nicht", changed: "Geändert",
			forName: "für %s", left: "noch %s, bis %s", waits: "wartet auf ein Ja", missed: "verpasst", sent: "gesagt %s, noch nicht erledigt",
			again: "wieder %s", stranger: "fremde Worte, aus %s",
			thisZone: "Das ist die Zeit dieses Rechners: %s.", yourZone: "Ist deine eine andere? Dann sag: meine Zeitzone ist Europe/Berlin",
			ownersZone: "Zeigt deine Uhr eine andere, stellt der Besitzer die Zeitzone ein: /zone", zoneIsRight: "%s stimmt",
			zones: []string{"Europe/Berlin", "Europe/Vienna", "Europe/Zurich"},
			same:  "Das ist schon die Zeit.", noLeapDay: "%d hat keinen 29. Februar, also ist es der 28.",
			wake: "Aufwachen", timer: "Timer über %s", cancelledAll: "%d gestrichen",
			none: "Es stehen keine Erinnerungen an. Zum Beispiel: erinnere mich morgen um 8 an Ana", more: "und %d weitere",
			delivered: "zugestellt", notDelivered: "noch nicht zugestellt", notTaken: "Telegram hat sie abgelehnt", forPrompt: "wartet, bis du hob öffnest", due: "fällig %s",
			asking: "Ich frage %s erst.", mayI: "%s möchte, dass ich dich erinnere: %s\nIst das recht?", yes: "Ja", no: "Nein", mute: "Nie wieder fragen",
			agreed: "%s ist einverstanden.", refused: "%s möchte das nicht.", kept: "Gut, das merke ich mir für %s.",
		}
	case "ru":
		return words{
			undo: "Отменить", done: "Готово", cancelled: "Отменено", restored: "Восстановлено", restore: "Вернуть", changed: "Изменено",
			forName: "для %s", left: "ещё %s, до %s", waits: "ждёт согласия", missed: "пропущено", sent: "сказано %s, ещё не сделано",
			again: "снова %s", stranger: "чужие слова, из %s",
			thisZone: "Это время этой машины: %s.", yourZone: "Ваше другое? Тогда скажите: мой часовой пояс Europe/Moscow",
			ownersZone: "Если ваши часы показывают другое, часовой пояс задаёт владелец: /zone", zoneIsRight: "%s верно",
			zones: []string{"Europe/Moscow", "Asia/Yekaterinburg", "Asia/Novosibirsk"},
			same:  "Время уже такое.", noLeapDay: "В %d году нет 29 февраля, поэтому это 28-е.",
			wake: "Подъём", timer: "таймер на %s", cancelledAll: "Отменено: %d",
			none: "Напоминаний нет. Например: напомни завтра в 8 позвонить Ане", more: "и ещё %d",
			delivered: "доставлено", notDelivered: "ещё не доставлено", notTaken: "Telegram отказал", forPrompt: "ждёт, пока вы откроете hob", due: "срок %s",
			asking: "Сначала я спрошу: %s.", mayI: "%s просит напомнить вам: %s\nМожно?", yes: "Да", no: "Нет", mute: "Больше не спрашивать",
			agreed: "%s: согласие есть.", refused: "%s: отказ.", kept: "Хорошо, так и будет: %s.",
		}
	case "zh":
		return words{
			undo: "撤销", done: "完成", cancelled: "已取消", restored: "已恢复", restore: "恢复", changed: "已更改",
			forName: "给 %s", left: "还剩 %s，到 %s", waits: "等待同意", missed: "已错过", sent: "已于 %s 提醒，尚未完成",
			again: "再次提醒：%s", stranger: "他人的文字，来自 %s",
			thisZone: "这是本机的时间：%s。", yourZone: "您的不同吗？请说：我的时区是Asia/Shanghai",
			ownersZone: "如果您的时钟不同，请主人设置时区：/zone", zoneIsRight: "%s 没错",
			zones: []string{"Asia/Shanghai", "Asia/Taipei", "Asia/Singapore"},
			same:  "已经是这个时间了。", noLeapDay: "%d年没有2月29日，所以是28日。",
			wake: "起床了", timer: "%s计时", cancelledAll: "已取消 %d 个",
			none: "没有提醒。例如：明天早上八点提醒我给安娜打电话", more: "还有 %d 条",
			delivered: "已送达", notDelivered: "尚未送达", notTaken: "被 Telegram 拒绝", forPrompt: "等你打开 hob", due: "到期 %s",
			asking: "我先问一下 %s。", mayI: "%s 想让我提醒你：%s\n可以吗？", yes: "可以", no: "不要", mute: "别再问",
			agreed: "%s 同意了。", refused: "%s 不愿意。", kept: "好的，我记住了：%s。",
		}
	}
	return words{
		undo: "Undo", done: "Done", cancelled: "Cancelled", restored: "Restored", restore: "Restore", changed: "Changed",
		forName: "for %s", left: "%s left, until %s", waits: "waits for a yes", missed: "missed", sent: "sent %s, not done yet",
		again: "again on %s", stranger: "a stranger's words, from %s",
		thisZone: "This is the time of this machine: %s.", yourZone: "Is yours another? Then say: my time zone is Europe/Berlin",
		ownersZone: "If your clocks show another, the owner sets the zone: /zone", zoneIsRight: "%s is right",
		zones: []string{"Europe/London", "America/New_York", "America/Los_Angeles"},
		same:  "It is at that time already.", noLeapDay: "%d has no 29 February, so it is on the 28th.",
		wake: "Wake up", timer: "timer of %s", cancelledAll: "%d cancelled",
		none: "There are no reminders to come. Make one: remind me tomorrow at 8 to call Ana", more: "and %d more",
		delivered: "delivered", notDelivered: "not delivered yet", notTaken: "Telegram refused it", forPrompt: "waits until you open hob", due: "due %s",
		asking: "I ask %s first.", mayI: "%s wants me to remind you: %s\nMay they?", yes: "Yes", no: "No", mute: "Never ask again",
		agreed: "%s agrees.", refused: "%s does not want that.", kept: "Good, I keep that for %s.",
	}
}

// fate says when a reminder was sent, and how far its message came. One that nobody has got was not sent: it was due.
func (w words) fate(at time.Time, state string) string {
	format, en := w.sent, wordsOf("en")
	if state != "" && state != en.delivered {
		format = w.due
	}
	text := fmt.Sprintf(format, at.Format("2006-01-02 15:04"))
	if state != "" {
		text += ", " + w.delivery(state)
	}
	return text
}

// delivery says how far a message came, for what [Config.Delivered] returns.
func (w words) delivery(state string) string {
	en := wordsOf("en")
	switch state {
	case en.delivered:
		return w.delivered
	case en.notDelivered:
		return w.notDelivered
	case en.forPrompt:
		return w.forPrompt
	case en.notTaken:
		return w.notTaken
	}
	return state
}
