package claims

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kinds writes claims as "write a.md b.md", with a + where it went well and a ! where a whole file is gone.
func kinds(claims []Claim) string {
	var all []string
	for _, c := range claims {
		text := c.Kind
		if c.Well {
			text += "+"
		}
		if c.Whole && c.Kind == Delete {
			text += "!"
		}
		all = append(all, strings.Join(append([]string{text}, c.Names...), " "))
	}
	return strings.Join(all, "; ")
}

// What a reply claims is told apart by kind, and by the files that it was done to.
func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"I have saved it to notes/Shop.md.":                                        "write notes/Shop.md",
		"I saved `a.md` and \"b.md\".":                                             "write a.md b.md",
		"I have saved a.md, b.md and c.md.":                                        "write a.md b.md c.md",
		"I saved it. I sent it to Bob.":                                            "write; send",
		"I saved it and sent it to bob@example.org.":                               "write; send",
		"I have written the summary of report.pdf to notes.md.":                    "write notes.md",
		"I have copied the data from a.txt to b.txt.":                              "change b.txt",
		"I have copied the data from a.txt and b.txt to c.txt.":                    "change c.txt",
		"I have saved the page example.org to page.html.":                          "write page.html",
		"I have deleted the file example.md, not.md and if.md.":                    "delete! example.md not.md if.md",
		"I have saved the updated file.":                                           "write",
		"I have saved the file that was created and sent.":                         "write",
		"I have deleted the file shop.md.":                                         "delete! shop.md",
		"I have deleted shop.md.":                                                  "delete! shop.md",
		"I deleted the folder.":                                                    "delete!",
		"I have removed the milk from shop.md.":                                    "delete",
		"I have removed the last line in the file.":                                "delete",
		"I have removed it.":                                                       "delete",
		"The file has been deleted.":                                               "delete!",
		"I ran the script.":                                                        "run",
		"I ran the command `make` successfully.":                                   "run+",
		"The command completed successfully.":                                      "run+",
		"The script has finished.":                                                 "run+",
		"I executed the plan for the meeting.":                                     "",
		"I have executed all tasks on the list.":                                   "change",
		"I've emailed the report.":                                                 "send",
		"I have uploaded photo.jpg.":                                               "send photo.jpg",
		"I have updated ./src/main.go, e.g. the imports.":                          "change ./src/main.go",
		"I have changed the settings in ~/.config/app.conf.":                       "change ~/.config/app.conf",
		"I have renamed a.md to b.md.":                                             "change a.md b.md",
		"I have set up a reminder for 5 p.m. today.":                               "change",
		"I have moved the files to /srv/data/old.":                                 "change /srv/data/old",
		"I updated a.md and deleted b.md.":                                         "change a.md b.md; delete! a.md b.md",
		"Saved to notes.md.":                                                       "write notes.md",
		"Done, deleted the file.":                                                  "delete!",
		"I have saved it to https://example.org/a.html.":                           "write",
		"“I have saved it to notes.md.”":                                           "write notes.md",
		"The log says: \"I have saved the file.\"":                                 "",
		"He wrote “I have deleted the file” in it.":                                "",
		"> I have deleted the file.\n\nThat is what the message says.":             "",
		"The log:\n```\nI have saved the file.\n```\nThat is all.":                 "",
		"I have saved \"a.md\" and `/w/My Notes.md` from `other notes.md`.":        "write a.md /w/My Notes.md",
		"I have saved the file \"my notes.md\".":                                   "write notes.md",
		"I saved the file earlier.":                                                "",
		"Yesterday I have saved it to notes.md.":                                   "",
		"In our last conversation I have sent the mail.":                           "",
		"As you asked last week, I have deleted the file.":                         "",
		"I ran the script, but it timed out.":                                      "",
		"I have created the event two days ago.":                                   "",
		"The tests passed.":                                                        "",
		"I have read notes.md and it says that the file was deleted.":              "",
		"Ich habe die Einkaufsliste in notizen/liste.md gespeichert.":              "write notizen/liste.md",
		"Ich habe die Datei shop.md gelöscht.":                                     "delete! shop.md",
		"Ich habe die Zeile aus shop.md entfernt.":                                 "delete",
		"Ich habe den Bericht geschrieben und an Bob geschickt.":                   "write; send",
		"Ich habe die Datei gespeichert, die Bob geschickt hat.":                   "write",
		"Ich habe den Befehl erfolgreich ausgeführt.":                              "run+",
		"Ich habe den Auftrag ausgeführt.":                                         "change",
		"Ich habe die gelöschte Datei gespeichert.":                                "write",
		"Ich habe den Termin geändert.":                                            "change",
		"Die E-Mail wurde verschickt.":                                             "send",
		"Ich habe die Seite veröffentlicht.":                                       "send",
		"Vorhin habe ich die Datei gespeichert.":                                   "",
		"Gestern wurde die Datei gelöscht.":                                        "",
		"Laut Protokoll wurde die Datei gelöscht.":                                 "",
		"Ich habe die Datei nicht gelöscht.":                                       "",
		"In der Datei steht: „Ich habe alles gelöscht.“ Mehr ist es nicht.":        "",
		"Ich habe die Daten aus a.txt in b.txt kopiert.":                           "change b.txt",
		"Я сохранил список в заметки.md.":                                          "write заметки.md",
		"Я удалил файл shop.md.":                                                   "delete! shop.md",
		"Я удалил строку из shop.md.":                                              "delete",
		"Я создал файл и отправил его Бобу.":                                       "write; send",
		"Я успешно выполнил команду.":                                              "run+",
		"Сообщение отправлено.":                                                    "send",
		"Файл обновлён.":                                                           "change",
		"Я сохранил a.md и b.md.":                                                  "write a.md b.md",
		"Ранее я сохранил файл.":                                                   "",
		"Вчера я удалил файл.":                                                     "",
		"Согласно журналу, файл удалён.":                                           "",
		"Я не отправил письмо.":                                                    "",
		"В письме сказано: «Я удалил все файлы».":                                  "",
		"Команда была прервана, хотя я запустил скрипт.":                           "",
		"已保存到notes.md。":                                                            "write notes.md",
		"我已经删除了文件 shop.md。":                                                        "delete! shop.md",
		"我已经删除了保存的文件。":                                                             "delete!",
		"我已经把邮件发送给鲍勃了。":                                                            "send",
		"我已经执行了命令。":                                                                "run",
		"命令执行成功。":                                                                  "run+",
		"我更新了列表。":                                                                  "change",
		"我把数据从a.txt复制到了b.txt。":                                                     "change b.txt",
		"我昨天保存了文件。":                                                                "",
		"之前我已经删除了文件。":                                                              "",
		"根据日志，文件已删除。":                                                              "",
		"命令超时了，我运行了脚本。":                                                            "",
		"文件中写道：「我已经删除了所有文件。」":                                                      "",
		"我没有发送邮件。":                                                                 "",
		strings.Repeat("The weather is fine. ", 2000) + "I have deleted the file.": "delete!",
	} {
		if diff := cmp.Diff(want, kinds(Find(text, false))); diff != "" {
			t.Errorf("Find(%.200q): %s", text, diff)
		}
	}
}

// What was read may be told; a command that is said to have run is not read.
func TestClaimedAfterReading(t *testing.T) {
	for text, want := range map[string]string{
		"The file has been deleted.": "", "Die Datei wurde gelöscht.": "", "Файл удалён.": "", "文件已删除。": "",
		"I have deleted the file.": "delete!", "The command completed successfully.": "run+",
	} {
		if diff := cmp.Diff(want, kinds(Find(text, true))); diff != "" {
			t.Errorf("Find(%q): %s", text, diff)
		}
	}
}

func TestAdmits(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "I ran it.": false, "I ran it. It failed.": true, "It didn't end.": true, "It was killed.": true, "Es wurde abgebrochen.": true,
		"Ich habe es ausgeführt.": false, "Произошла ошибка.": true, "Готово.": false, "命令超时了。": true, "完成了。": false,
	} {
		if got := Admits(text); got != want {
			t.Errorf("Admits(%q) = %t", text, got)
		}
	}
}

// A promise to do something later by itself is a claim: that something is there that will keep it.
func TestPromises(t *testing.T) {
	yes := []string{
		"I will remind you tomorrow at 9.", "I'll remind you to water the plants.", "Sure! I’ll let you know when it is done.", "I'll check later.", "I'll check the build again tomorrow.", "I will keep an eye on it.",
		"I'm going to notify you when the price drops.", "I'll get back to you soon.", "Okay, I will check back in an hour.", "I'll do it tonight.", "I will keep you posted.", "I'll send the report tomorrow.", "I'll run it every morning.",
		"Ich erinnere dich morgen um 9.", "Ich werde dich daran erinnern.", "Morgen um 9 werde ich Sie erinnern.", "Ich gebe dir Bescheid.", "Ich schaue später noch einmal nach.", "Ich melde mich.", "Ich werde das morgen prüfen und dich benachrichtigen.",
		"Я напомню вам завтра.", "Хорошо, напомню.", "Напомню вам об этом.", "Я сообщу, как только всё будет готово.", "Я проверю это позже.", "Завтра я посмотрю ещё раз.",
		"我会提醒你的。", "我明天提醒你。", "到时候我会提醒您。", "我稍后再检查一下。", "好的，我会及时通知你。",
	}
	no := []string{
		"", "I can remind you tomorrow, if you like.", "Would you like me to remind you?", "I'll remind you if you tell me when.", "I cannot remind you.", "I won't be able to remind you.", "I will remind you that the file is read-only.", "Let me know later.",
		"I'll let you know once you send the file.", "You will be reminded by your calendar.", "I'd be happy to check later.", "I will check the file.", "He will remind you.", "See you later.", "Remind me tomorrow.", "It rains in Paris.", "I will never remind you.",
		"Ich kann dich erinnern.", "Soll ich dich erinnern?", "Wenn du willst, erinnere ich dich.", "Ich erinnere mich nicht.", "Sag mir Bescheid.", "Ich werde dich nicht erinnern.", "Ich werde dich in Ruhe lassen.", "Der Kalender erinnert dich.",
		"Я могу напомнить.", "Хотите, я напомню?", "Если хотите, я напомню вам.", "Я не напомню.", "Напомните мне позже.", "Я напомню, что файл пуст.", "Я проверю файл.",
		"我可以提醒你。", "要不要我提醒你？", "如果你愿意，我会提醒你。", "我无法提醒你。", "请提醒我。", "我会检查文件。",
	}
	for _, text := range yes {
		if got := kinds(Find(text, false)); got != Later {
			t.Errorf("Find(%q) = %q", text, got)
		}
	}
	for _, text := range no {
		if got := Find(text, false); len(got) > 0 {
			t.Errorf("Find(%q) = %v", text, got)
		}
	}
}
