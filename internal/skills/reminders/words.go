package reminders

// words are what hob says about reminders in a language.
type words struct {
	undo, done, cancelled, restored, restore, changed   string
	forName, left, waits, missed, sent, again, stranger string

	asking, mayI, yes, no, mute, agreed, refused, kept string
}

func wordsOf(lang string) words {
	switch lang {
	case "de":
		return words{
			undo: "Rückgängig", done: "Erledigt", cancelled: "Gestrichen", restored: "Wieder da", restore: "Doch nicht", changed: "Geändert",
			forName: "für %s", left: "noch %s, bis %s", waits: "wartet auf ein Ja", missed: "verpasst", sent: "gesagt %s, noch nicht erledigt",
			again: "wieder %s", stranger: "fremde Worte, aus %s",
			asking: "Ich frage %s erst.", mayI: "%s möchte, dass ich dich erinnere: %s\nIst das recht?", yes: "Ja", no: "Nein", mute: "Nie wieder fragen",
			agreed: "%s ist einverstanden.", refused: "%s möchte das nicht.", kept: "Gut, das merke ich mir für %s.",
		}
	case "ru":
		return words{
			undo: "Отменить", done: "Готово", cancelled: "Отменено", restored: "Восстановлено", restore: "Вернуть", changed: "Изменено",
			forName: "для %s", left: "ещё %s, до %s", waits: "ждёт согласия", missed: "пропущено", sent: "сказано %s, ещё не сделано",
			again: "снова %s", stranger: "чужие слова, из %s",
			asking: "Сначала я спрошу: %s.", mayI: "%s просит напомнить вам: %s\nМожно?", yes: "Да", no: "Нет", mute: "Больше не спрашивать",
			agreed: "%s: согласие есть.", refused: "%s: отказ.", kept: "Хорошо, я запомню это для %s.",
		}
	case "zh":
		return words{
			undo: "撤销", done: "完成", cancelled: "已取消", restored: "已恢复", restore: "恢复", changed: "已更改",
			forName: "给 %s", left: "还剩 %s，到 %s", waits: "等待同意", missed: "已错过", sent: "已于 %s 提醒，尚未完成",
			again: "再次提醒：%s", stranger: "他人的文字，来自 %s",
			asking: "我先问一下 %s。", mayI: "%s 想让我提醒你：%s\n可以吗？", yes: "可以", no: "不要", mute: "别再问",
			agreed: "%s 同意了。", refused: "%s 不愿意。", kept: "好的，我记住了：%s。",
		}
	}
	return words{
		undo: "Undo", done: "Done", cancelled: "Cancelled", restored: "Restored", restore: "Restore", changed: "Changed",
		forName: "for %s", left: "%s left, until %s", waits: "waits for a yes", missed: "missed", sent: "sent %s, not done yet",
		again: "again on %s", stranger: "a stranger's words, from %s",
		asking: "I ask %s first.", mayI: "%s wants me to remind you: %s\nMay they?", yes: "Yes", no: "No", mute: "Never ask again",
		agreed: "%s agrees.", refused: "%s does not want that.", kept: "Good, I keep that for %s.",
	}
}
