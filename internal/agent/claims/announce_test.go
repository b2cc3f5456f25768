package claims

import (
	"strings"
	"testing"
)

// A short reply that ends with what it is about to do did not do it.
func TestAnnounces(t *testing.T) {
	yes := []string{
		"I will now search the folder.", "Let me check the file:", "I'll look that up for you.", "Let me take a look at notes.md.", "Sure! I'll read the file now.", "Okay, let me search for that...",
		"I'm going to list the files in the folder.", "First, I will open the calendar.", "To answer that, I need to check the weather.", "I need to read the file first.", "Let's run the command.",
		"You want the weather. Let me get it for you.", "I will use the search tool to find it.", "Let me search your files. One moment, please.", "Searching the folder now.", "Checking the weather in Antwerp…",
		"One moment, please.", "I'll go ahead and create the event.", "Now let me write the file.", "I’ll start by listing the files.", "Certainly, I will delete the file.", "I should check the file before answering.",
		"Ich schaue mal nach…", "Ich werde jetzt den Ordner durchsuchen.", "Lass mich kurz nachsehen.", "Ich prüfe das jetzt.", "Einen Moment bitte.", "Ich suche jetzt nach der Datei.", "Zuerst lese ich die Datei.", "Ich werde die Datei lesen.",
		"Сейчас посмотрю файл.", "Давайте проверю погоду.", "Я сейчас найду этот файл.", "Хорошо, сейчас открою папку.", "Минутку…", "Я проверю календарь.", "Сначала прочитаю файл.",
		"I'll look that up for you.\n\n```json\n{\"name\": \"order_pizza\", \"arguments\": {\"size\": \"large\"}}\n```\n\nIt will arrive soon.", "Let me do that:\n```\n[{\"tool\": \"order\"}]\n```",
		"我来查看一下文件。", "让我搜索一下。", "我现在读取文件。", "好的，我先查一下天气。", "请稍等。", "我将创建一个文件。", "首先我需要检查文件夹。",
	}
	no := []string{
		"", "The weather is fine.", "I can look if you like.", "Would you like me to search the folder?", "Let me know if you need more.", "I'll remind you tomorrow at 9.", "I will let you know when it is done.",
		"I have searched the folder.", "I'll check it once you confirm.", "If you want, I will delete it.", "You should check the file.", "I will not delete the file.", "I won't open it.", "Shall I search the folder?", "I cannot read the file.",
		"I looked at the file. It is empty.", "I will search the folder. It holds three files: a, b and c.", "I could check that for you.", "I'll be happy to help.", "I'll keep that in mind.", "I'll wait for your answer.", "You can let me do that.",
		"I will always use this tone.", "I need more information: which file?", "I'll try my best next time.", "Goodbye, see you tomorrow!", "I will check the calendar every day when you ask.",
		"Ich schaue gern Filme.", "Soll ich nachsehen?", "Ich kann nachsehen, wenn du willst.", "Ich habe nachgesehen.", "Das Wetter ist schön.", "Ich erinnere dich morgen.", "Sag mir Bescheid.", "Ich werde das nicht löschen.",
		"Погода хорошая.", "Хотите, я посмотрю?", "Я посмотрел файл.", "Если хотите, я проверю.", "Я напомню вам завтра.", "Дайте знать, если что.", "Я не буду удалять файл.",
		"A call looks like this:\n\n```json\n{\"name\": \"order_pizza\", \"arguments\": {}}\n```", "The weather is fine.\n```json\n{\"name\": \"sun\"}\n```\nLet me check the file.",
		"天气很好。", "要不要我查看一下？", "如果你愿意，我可以查看。", "我已经查看了文件，里面是空的。", "我明天提醒你。", "请告诉我文件名。", "我不会删除文件。",
		strings.Repeat("This is a long answer with much in it. ", 12) + "Let me check the file.",
	}
	for _, text := range yes {
		if !Announces(text) {
			t.Errorf("Announces(%q) = false", text)
		}
	}
	for _, text := range no {
		if Announces(text) {
			t.Errorf("Announces(%q) = true", text)
		}
	}
}

// A reply claims something when it says that something was changed or sent.
func TestFind_YesOrNo(t *testing.T) {
	yes := []string{
		"I have saved it to notes.md.", "The file has been created.", "Done! I deleted the file.", "I've sent the message to Bob.", "I saved your notes.", "I've created the file notes.md for you.", "I have added the event to your calendar.",
		"Your reminder has been set.", "The meeting is now scheduled for Monday.", "The file was successfully saved.", "File saved successfully.", "Saved to notes.md.", "Done: deleted the old backups.", "I just updated the list.",
		"I wrote the text to story.txt.", "I have already removed it.", "All files have been moved to the archive.", "I’ve renamed the folder.", "OK. I have now written the notes to the file.", "The email has been sent.", "I read it and saved it.",
		"I've successfully appended the line.", "The event has been cancelled.", "I ran the command.", "I changed the settings.",
		"Ich habe es in notes.md gespeichert.", "Die Datei wurde erstellt.", "Ich habe die Nachricht an Bob gesendet.", "Die Datei ist gelöscht worden.", "Das habe ich in den Kalender eingetragen.", "Der Termin wurde eingetragen.", "Gespeichert.",
		"Я сохранил файл.", "Файл создан.", "Я уже отправила сообщение.", "Готово, удалил.", "Запись была добавлена.", "Напоминание установлено.", "Я записал это в notes.md.",
		"已保存到 notes.md。", "我已经创建了文件。", "文件已删除。", "我把它保存了。", "已经为您发送邮件。", "成功更新了列表。", "文件保存成功。",
	}
	no := []string{
		"", "The weather is fine.", "You have saved the file.", "I have not saved it.", "The file could not be written.", "I will save it to notes.md.", "I can delete it.", "Shall I send it?", "Have you saved it?", "Do you want me to create the file?",
		"I haven't deleted anything.", "I was unable to send the message.", "If I had deleted it, you would know.", "Once I have saved it, I will tell you.", "The file has not been created.", "I read the file.", "I looked at notes.md.", "I made a mistake.",
		"I wrote a poem for you: roses are red.", "Deleted files can be restored.", "The book was written by Tolstoy.", "The file was created in 2019.", "I created a short story about a fox.", "The file has been changed by Bob in May.", "You could have sent it.",
		"Nothing has been deleted.", "To save the file, press Ctrl-S.", "The command failed, so no file was created.", "I plan to have it saved by noon.", "I found three files.",
		"Ich habe es nicht gespeichert.", "Die Datei konnte nicht erstellt werden.", "Ich werde es speichern.", "Hast du es gespeichert?", "Du hast die Datei gelöscht.", "Das Buch wurde von Kafka geschrieben.", "Soll ich es löschen?", "Wenn es gespeichert ist, sage ich es.",
		"Я не сохранил файл.", "Вы сохранили файл.", "Файл не создан.", "Я сохраню файл.", "Файл будет создан.", "Удалить файл?", "Если файл создан, откройте его.",
		"我没有保存文件。", "我会保存文件。", "无法删除文件。", "要保存文件吗？", "文件未创建。", "你已保存文件。", "请保存文件。",
	}
	for _, text := range yes {
		if len(Find(text, false)) == 0 {
			t.Errorf("Find(%q) finds nothing", text)
		}
	}
	for _, text := range no {
		if len(Find(text, false)) > 0 {
			t.Errorf("Find(%q) finds a claim", text)
		}
	}
	// What was read may say so, and then it is news and no claim; what the model says of itself is one nevertheless.
	for text, want := range map[string]bool{
		"According to the log, the backup has been deleted.": false, "Order 12 has been cancelled.": false, "Файл был изменён вчера.": false, "文件已删除。": false,
		"Die Datei wurde erstellt.": false, "I have saved it to notes.md.": true, "Saved to notes.md.": true, "Я сохранил файл.": true, "我把它保存了。": true, "Ich habe es in notes.md gespeichert.": true,
	} {
		if got := len(Find(text, true)) > 0; got != want {
			t.Errorf("Find(%q) after reading finds one: %t", text, got)
		}
	}
	for _, text := range []string{"I have updated my answer: it is 42.", "He sent the letter and I moved on."} {
		if len(Find(text, false)) > 0 {
			t.Errorf("Find(%q) finds a claim", text)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{"I have saved it to a.md.", "Ich habe a.md gelöscht.", "Я удалил a.md.", "我已经保存了文件。", "Let me check \"a b\".", "> quoted"} {
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, read bool) {
		Announces(text)
		for _, c := range Find(text, read) {
			if c.Kind == "" || c.Sentence == "" {
				t.Errorf("Find(%q) finds %+v", text, c)
			}
		}
	})
}
