package toolcall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// longestAnnouncement is how many characters a reply has at most that only announces something.
const longestAnnouncement = 400

// deDo are the German verbs for what tools do.
const deDo = `(?:schaue?|sehe|suche|lese|öffne|prüfe|hole|rufe|führe|starte|erstelle|schreibe|speichere|lösche|sende|schicke|überprüfe|frage|würfle|durchsuche|liste|mache)`

// What models write that are about to do something, in small letters, one sentence at a time.
var (
	announcing = lazyregexp.New(
		`^(?:[\p{L}' ]{0,40}[,:;-]+ ?|(?:ok|okay|sure|now|first|next|then|so|great|alright|certainly|and|but|here,?|to (?:do|find|answer|check) [\p{L} ]{1,40},?) +)*` +
			`(?:i['’]?ll|i will|i am (?:now )?going to|i['’]m (?:now )?going to|i['’]m about to|i am about to|let me|let['’]s|let us|i need to|i have to|i should|i must|i want to|i shall)` +
			`(?: (?:now|first|just|quickly|start by|begin by|go ahead and|try to|then|also|immediately|have to|need to|proceed to|do so and))*` +
			` (?:check|look|search|read|open|find|fetch|get|list|run|execute|call|use|write|create|save|update|delete|remove|send|start|begin|try|do (?:that|this|it|so)|retriev|query|examin|inspect|analy|see|scan|gather|review|take a|go ahead|proceed|perform|pull|verify|comput|calculat|roll|add|make|edit|download|brows|schedul|set|explor|load|access|test|continu|locat|consult|invok|grab|view|confirm|append|rename|move|copy)` +
			`|^(?:[\p{L}' ]{0,20}[,:;!-]+ ?)?(?:now )?(?:checking|searching|looking|reading|opening|fetching|running|retrieving|creating|writing|querying|scanning|saving|sending)\b.*(?:now|\.\.\.|…|:)$` +
			`|^(?:ich werde|(?:jetzt|nun|zuerst|dann|als nächstes|dafür|dazu) werde ich|lass(?:en sie)? mich|lass uns|ich will)\b.*(?:such|seh|schau|prüf|les|öffn|hol|ruf|führ|start|erstell|schreib|speicher|lösch|send|schick|frag|würf|list|anleg|durchgeh|abfrag|nehm|mach|beginn|verwend|benutz|nutz)\p{L}*$` +
			`|^(?:[\p{L} ]{0,20}[,:;-]+ ?)?(?:ich ` + deDo + `(?:\P{L}.*)?\P{L}(?:nun|jetzt|mal|gleich|kurz|sofort|einmal|zunächst|zuerst|schnell|eben|nach)(?:\P{L}|$)|(?:zuerst|jetzt|nun|dann|zunächst|gleich|dafür|als nächstes) ` + deDo + ` ich(?: |$))` +
			`|^(?:[\p{L} ]{0,20}[,:;-]+ ?)?(?:(?:сейчас|теперь|сначала|давайте|давай|я|для этого|затем|хорошо|итак|же) )*(?:посмотрю|посмотрим|проверю|проверим|найду|поищу|открою|прочитаю|прочту|запишу|создам|сохраню|удалю|отправлю|запущу|выполню|получу|узнаю|попробую|сделаю|вызову|гляну|взгляну|просмотрю|загружу|брошу|начну|добавлю|напишу|изучу|воспользуюсь|использую)` +
			`|(?:我来|让我|我先|我现在|我会|我将|我去|我这就|我马上|我需要|接下来我|现在我|首先|接下来|现在).{0,24}(?:查看|看看|看一下|看一看|搜索|查找|查询|查一下|读取|阅读|打开|检查|获取|运行|执行|创建|保存|删除|发送|调用|使用|寻找|找|写入|搜|列出|查)`)

	// waiting asks for patience.
	waiting = lazyregexp.New(`^(?:please |just |ok,? |okay,? |sure,? )*(?:one|a|just a|give me a|wait a) (?:moment|second|sec|minute)|^(?:please )?(?:wait|hold on|bear with me|stand by)` +
		`|^(?:bitte )?(?:einen? )?(?:kleinen |kurzen )?(?:moment|augenblick)|^(?:одну )?(?:минут[куа]|секунд[ую]+|секундочку|момент)|^один момент|^подождите|^(?:好的?，?)?(?:请)?稍等|^请等`)

	// notNow is in a sentence that promises something for later, under a condition, or not at all.
	notNow = lazyregexp.New(`\b(?:if|when|whenever|once|unless|until|after you|as soon as|tomorrow|later|tonight|next time|in the future|from now on|always|let me know|tell me|remind|notify|alert|not|never|won['’]t|can['’]t|cannot|unable|don['’]t|you need|would|you (?:to|can|could)|your (?:help|permission|approval|confirmation)|at \d|keep|remember|be (?:glad|happy|here)|wait for|more (?:details|information)|get back|get started with|see you|see what you|use (?:this|that) (?:tone|style)|try my best)\b` +
		`|(?:^|\P{L})(?:wenn|falls|sobald|nicht|kein\p{L}*|erinner\p{L}*|morgen|später|bescheid|gern|gerne|könnte|würde|künftig|immer|du|sie|dir|ihnen)(?:\P{L}|$)` +
		`|(?:^|\P{L})(?:если|когда|завтра|позже|потом|не|напомн\p{L}*|сообщите|дайте|скажите|всегда|вечером|хотите|как только|могу|бы)(?:\P{L}|$)` +
		`|如果|提醒|告诉我|吗|不会|不能|无法|要不要|等你|等您|您可以|你可以|明天|以后|稍后|一旦|的话|今晚|会一直|记住`)

	sentenceEnd = lazyregexp.New(`[!?…。！？；\n]+|\.{2,}|[.:](?:["')\]*]*(?:\s|$))|：$`)
)

// What no announcement and no claim is without, but for those in Russian and Chinese. Most replies hold none of it, and
// nothing has to be compiled for them.
const (
	announceWords = "i'll|i’ll|i will|i am|i'm|i’m|let me|let's|let’s|let us|i need|i have to|i should|i must|i want|i shall" +
		"|checking|searching|looking|reading|opening|fetching|running|retrieving|creating|writing|querying|scanning|saving|sending" +
		"|ich|lass|moment|second|sec|minute|wait|hold on|bear with|stand by|augenblick"
	doneWords = "saved|stored|deleted|removed|erased|sent|emailed|updated|renamed|uploaded|scheduled|rescheduled|appended|moved|copied|booked|installed" +
		"|canceled|cancelled|overwritten|overwrote|archived|submitted|published|created|wrote|written|added|made|set|changed|edited|modified" +
		"|replaced|recorded|logged|ran|run|executed|posted|marked|cleared|inserted|put|placed|reset|configured|enabled|disabled|turned o|fixed" +
		"|registered|entered|noted|gespeichert|erstellt|angelegt|geschrieben|gelöscht|entfernt|gesendet|geschickt|verschickt|versendet" +
		"|aktualisiert|hinzugefügt|geändert|umbenannt|verschoben|kopiert|eingetragen|abgelegt|ausgeführt|installiert|storniert|abgesagt" +
		"|angepasst|ergänzt|notiert|geplant|gesetzt|überschrieben|abgeschickt|eingefügt|ersetzt|hochgeladen|veröffentlicht" +
		"|completed|finished|succeeded"
	laterWords = "i'll|i’ll|i will|i shall|i'm going to|i’m going to|i am going to" +
		"|erinner|bescheid|benachrichtig|melde mich|später|morgen|nachher"
)

// mayHold reports whether text holds one of the words, which stand between bars in small letters, or letters of Russian or
// Chinese.
func mayHold(text, words string) bool {
	return holdsAny(strings.ToLower(text), words) || strings.ContainsFunc(text, isRussianOrChinese)
}

func isRussianOrChinese(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Han) }

// mayBegin is [mayHold] for words that begin where no letter stands before them: that somebody ran is not in "France".
func mayBegin(text, words string) bool {
	text = strings.ToLower(text)
	for word := range strings.SplitSeq(words, "|") {
		for rest := text; ; {
			before, behind, found := strings.Cut(rest, word)
			if !found {
				break
			}
			if last, _ := utf8.DecodeLastRuneInString(before); !unicode.IsLetter(last) {
				return true
			}
			rest = behind
		}
	}
	return strings.ContainsFunc(text, isRussianOrChinese)
}

// holdsAny reports whether text holds one of the words, which stand between bars.
func holdsAny(text, words string) bool {
	for word := range strings.SplitSeq(words, "|") {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// Announces reports whether a reply ends with saying what it is about to do, and does not do it: "Let me check the file."
// It reads English, German, Russian and Chinese. Offers, questions, and what is promised for later are none.
func Announces(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || utf8.RuneCountInString(text) > longestAnnouncement || !mayHold(text, announceWords) {
		return false
	}
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		return false
	}
	all := sentences(text)
	for len(all) > 1 && waiting().MatchString(all[len(all)-1]) && !notNow().MatchString(all[len(all)-1]) {
		all = all[:len(all)-1]
		if strings.HasSuffix(all[len(all)-1], "?") {
			return false
		}
	}
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	return (announcing().MatchString(last) || waiting().MatchString(last)) && !notNow().MatchString(last)
}

// sentences splits a text into its sentences, in small letters, without what ends them but for the marks of questions and
// what goes on.
func sentences(text string) []string {
	text = strings.ToLower(strings.ToValidUTF8(text, ""))
	var all []string
	from := 0
	add := func(to int, end string) {
		s := strings.TrimFunc(text[from:to], func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(`*_>#"“”«»()`, r) || unicode.Is(unicode.So, r) || r == '\ufe0f' || r == '-' || r == '—'
		})
		if s == "" {
			return
		}
		switch {
		case strings.ContainsAny(end, "?？"):
			s += "?"
		case strings.Contains(end, "…") || strings.HasPrefix(end, ".."):
			s += "…"
		case strings.HasPrefix(end, ":"):
			s += ":"
		}
		all = append(all, s)
	}
	for _, at := range sentenceEnd().FindAllStringIndex(text, -1) {
		add(at[0], text[at[0]:at[1]])
		from = at[1]
	}
	add(len(text), "")
	return all
}
