package intents_test

import (
	"testing"

	"hob/internal/intents"
)

// A copy keeps what it is made of, and a folder is made where its name alone is said.
func TestRead_CopiesAndFolders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"copy list.txt to old.txt":                            `copy_file {"path":"list.txt","to":"old.txt"}`,
		"can you copy the file may.pdf into the folder bills": `copy_file {"path":"may.pdf","to":"bills/"}`,
		"make a copy of plan.md called plan2.md":              `copy_file {"path":"plan.md","to":"plan2.md"}`,
		"kopier liste.txt nach alt.txt":                       `copy_file {"path":"liste.txt","to":"alt.txt"}`,
		"kannst du mai.pdf in den Ordner rechnungen kopieren": `copy_file {"path":"mai.pdf","to":"rechnungen/"}`,
		"mach mal eine Kopie von plan.md namens plan2.md":     `copy_file {"path":"plan.md","to":"plan2.md"}`,
		"liste.txt in alt.txt kopieren bitte":                 `copy_file {"path":"liste.txt","to":"alt.txt"}`,
		"скопируй список.txt в старый.txt":                    `copy_file {"path":"список.txt","to":"старый.txt"}`,
		"скопируй пожалуйста май.pdf в папку счета":           `copy_file {"path":"май.pdf","to":"счета/"}`,
		"сделай копию plan.md под именем plan2.md":            `copy_file {"path":"plan.md","to":"plan2.md"}`,
		"把名单.txt复制到旧.txt":                                     `copy_file {"path":"名单.txt","to":"旧.txt"}`,
		"帮我把五月.pdf复制到账单文件夹":                                   `copy_file {"path":"五月.pdf","to":"账单/"}`,
		"复制 plan.md 为 plan2.md":                               `copy_file {"path":"plan.md","to":"plan2.md"}`,

		"make a folder recipes": `make_folder {"path":"recipes/"}`, "could you create a new folder called photos/2026": `make_folder {"path":"photos/2026/"}`,
		"new folder taxes please": `make_folder {"path":"taxes/"}`, "make me a recipes folder": `make_folder {"path":"recipes/"}`,
		"neuer Ordner Rezepte": `make_folder {"path":"Rezepte/"}`, "leg mir bitte einen Ordner namens fotos/2026 an": `make_folder {"path":"fotos/2026/"}`,
		"kannst du einen neuen ordner steuern anlegen": `make_folder {"path":"steuern/"}`, "mach nen ordner rezepte": `make_folder {"path":"rezepte/"}`,
		"создай папку рецепты": `make_folder {"path":"рецепты/"}`, "новая папка налоги": `make_folder {"path":"налоги/"}`, "сделай мне папку с названием фото": `make_folder {"path":"фото/"}`,
		"make a folder taxes 2026": `make_folder {"path":"taxes 2026/"}`, "сделай папку Налоги 2026": `make_folder {"path":"Налоги 2026/"}`,
		"新建文件夹菜谱": `make_folder {"path":"菜谱/"}`, "帮我建一个叫照片的文件夹": `make_folder {"path":"照片/"}`, "创建一个新文件夹 税务": `make_folder {"path":"税务/"}`,
	} {
		if r := intents.Default().Read(text); r.Call.Name+" "+string(r.Call.Args) != want || !r.Acts || len(r.Paths) > 1 {
			t.Errorf("%q is read as %s %s, want %s", text, r.Call.Name, r.Call.Args, want)
		}
	}
	for _, text := range []string{
		"don't copy list.txt to old.txt", "I copied list.txt to old.txt", "how do I copy list.txt to old.txt", "copy that", "copy my homework", "copy list.txt to old.txt and translate it",
		"make a folder for that", "make a new folder", "who made the folder recipes", "make a folder recipes and sort my files into it", "new folder names are confusing",
		"kopier liste.txt bloß nicht", "ich habe liste.txt nach alt.txt kopiert", "wie kopiere ich liste.txt nach alt.txt", "leg einen Ordner an", "leg keinen Ordner rezepte an", "mach den Ordner rezepte auf", "der neue Ordner rezepte ist leer",
		"не копируй список.txt в старый.txt", "я скопировал список.txt в старый.txt", "как создать папку рецепты", "не создавай папку рецепты", "новая папка",
		"别把名单.txt复制到旧.txt", "我把清单.txt复制到旧.txt了", "怎么新建文件夹菜谱", "不要新建文件夹菜谱", "新建文件夹", "新建文件夹菜谱然后整理照片",
	} {
		if r := intents.Default().Loosely(text); r.Acts {
			t.Errorf("%q is read as %s %s", text, r.Call.Name, r.Call.Args)
		}
	}
}
