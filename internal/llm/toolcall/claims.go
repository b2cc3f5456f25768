package toolcall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/lazyregexp"
)

// What models write that have changed something, in small letters, one sentence at a time. Most verbs say it all; what is
// created or written may also be a poem, so there has to be something that can hold it.
const (
	enDid   = `(?:saved|stored|deleted|removed|erased|sent|emailed|updated|renamed|uploaded|scheduled|rescheduled|appended|moved|copied|booked|installed|cancell?ed|overwritten|overwrote|archived|submitted|published)`
	enMade  = `(?:created|wrote|written|added|made|set up|set|changed|edited|modified|replaced|recorded|logged|ran|run|executed|posted|marked|cleared|inserted|put|placed|reset|configured|enabled|disabled|turned (?:on|off)|fixed|registered|entered|noted)`
	enPlace = `(?:files?|folders?|director(?:y|ies)|events?|reminders?|entr(?:y|ies)|notes?|documents?|calendar|tasks?|appointments?|backups?|lists?|meetings?|alarms?|timers?|settings?|config(?:uration)?|commands?|scripts?|database|jobs?|lines?|disk|[\w-]+\.[a-z]\w{0,4})\b`
	enOften = `(?: (?:now|just|already|also|successfully|then|since|all|both|automatically))*`

	deDone = `(?:gespeichert|erstellt|angelegt|geschrieben|gelöscht|entfernt|gesendet|geschickt|verschickt|versendet|aktualisiert|hinzugefügt|geändert|umbenannt|verschoben|kopiert|eingetragen|abgelegt|ausgeführt|installiert|storniert|abgesagt|angepasst|ergänzt|notiert|geplant|gesetzt|überschrieben|abgeschickt|eingefügt|ersetzt|hochgeladen|veröffentlicht)`
	ruDid  = `(?:сохранил|создал|записал|удалил|отправил|добавил|обновил|изменил|переименовал|переместил|скопировал|запланировал|установил|внёс|внес|выполнил|запустил|отменил|перезаписал|очистил|послал|опубликовал|отредактировал|заменил)`
	ruDone = `(?:сохран[её]н|создан|записан|удал[её]н|отправлен|добавлен|обновл[её]н|измен[её]н|переименован|перемещ[её]н|скопирован|запланирован|установлен|внес[её]н|отмен[её]н|выполнен|отредактирован|опубликован)`
	zhDid  = `(?:保存|创建|新建|写入|删除|发送|发给|更新|添加|修改|重命名|移动|复制|安排|记录|存储|设置|取消|移除|追加|上传|运行|执行|编辑|替换|覆盖)`
)

var (
	// claiming is a person who says so, or nobody: "I have saved it", "Saved to notes.md".
	claiming = lazyregexp.New(
		`(?:^|[^\w'’])(?:i|we)(?:['’]ve| have)?` + enOften + ` (?:` + enDid + `\b|` + enMade + `\b.*` + enPlace + `)` +
			`|(?:^|[^\w])(?:i|we)(?:['’]ve| have)?` + enOften + ` \w+ (?:it |them )?and (?:` + enDid + `\b|` + enMade + `\b.*` + enPlace + `)` +
			`|^(?:(?:done|ok|okay|finished|all set|great|sure)[,:;! -]+)?(?:` + enDid + `|created|written|added|wrote)(?: (?:it|them|the|your|this|that|to|as|in|all|a|an)\b| \d| ['"` + "`" + `]| [\w-]+\.[a-z]\w{0,4}\b|$)` +
			`|(?:ich habe|habe ich|wir haben)(?:\P{L}.*)?\P{L}` + deDone + `(?:$|\P{L})|^(?:erledigt[,:!-]* ?)?` + deDone + `(?: (?:in|unter|als|nach)\P{L}|$)|\P{L}` + deDone + ` und ` + deDone + `$` +
			`|(?:^|\P{L})я (?:[\p{L}]+ ){0,3}?` + ruDid + `а?(?:$|\P{L})|^(?:(?:готово|сделано|хорошо|ок)[,:!-]* ?)?(?:успешно )?` + ruDid + `а?(?: |$)|(?:^|\P{L})(?:и|а также) ` + ruDid + `а?(?:$|\P{L})` +
			`|(?:我|我们).{0,14}?` + zhDid + `(?:好|完)?(?:了|到了|成功)|^(?:好的，|完成，)?(?:文件)?` + zhDid + `(?:好|完|成功)了?$`)

	// reporting is that it was done, by whomever: "The file has been created." It may as well be news that was read.
	reporting = lazyregexp.New(
		`\b(?:has|have|['’]ve|['’]s)` + enOften + ` been` + enOften + ` (?:` + enDid + `|` + enMade + `)\b|\b(?:is|are) now (?:` + enDid + `|` + enMade + `)\b|\b(?:was|were) successfully (?:` + enDid + `|` + enMade + `)\b` +
			`|\b(?:` + enDid + `|` + enMade + `) successfully\b|\bsuccessfully (?:` + enDid + `|` + enMade + `)\b` +
			`|(?:wurden?|sind|ist)(?:\P{L}.*)?\P{L}` + deDone + `(?: worden)?$` +
			`|(?:^|\P{L})` + ruDone + `[аоы]?(?:$|\P{L})` +
			`|已(?:经)?(?:成功)?(?:为您|为你|帮您|帮你|给您|给你|将|把)?.{0,20}?` + zhDid + `|成功(?:地)?` + zhDid + `|` + zhDid + `成功`)

	// ranIt is that a command came to its end, by itself.
	ranIt = lazyregexp.New(`\b(?:commands?|scripts?|builds?|tests?|jobs?)(?: (?:has|have|was|were))?` + enOften + ` (?:completed|finished|succeeded|executed|ran|run)\b`)

	// promising is that something will be done by itself, later: "I will remind you", "I'll check again tomorrow".
	promising = lazyregexp.New(
		`(?:^|[^\w'’])i(?:['’]ll| will| shall|['’]m going to| am going to)(?: (?:then|also|now|definitely|be sure to|make sure to)){0,2} ` +
			`(?:remind (?:you|her|him|them|everyone)|let you know|notify you|alert you|get back to you|keep an eye on|follow up|keep you (?:posted|updated|informed)|check (?:back|in with)\b` +
			`|(?:check|look|try|do|update|send|report|continue|finish|monitor|watch|repeat|run)\b.{0,50}\b(?:later|tomorrow|tonight|soon|in (?:an?|\d+|a few) (?:hours?|minutes?|days?)|next (?:week|month)|every (?:day|hour|morning|week)))` +
			`|(?:^|\P{L})(?:ich erinnere|ich werde|werde ich|erinnere ich)(?: \p{L}+){0,6}? ?(?:dich|sie|euch|das|es)(?:\P{L}.*)?$` +
			`|(?:^|\P{L})ich (?:\p{L}+ ){0,3}?bescheid(?:$|\P{L})|(?:^|\P{L})ich melde mich(?:$|\P{L})|(?:^|\P{L})ich (?:prüfe|schaue|sehe|versuche|kümmere mich)(?:\P{L}.*)?\P{L}(?:später|morgen|nachher)(?:$|\P{L})` +
			`|(?:^|\P{L})(?:я (?:\p{L}+ ){0,3}?|(?:хорошо|ладно|ок)[,!.]? )(?:напомню|сообщу|уведомлю|дам знать|прослежу)(?:$|\P{L})|^напомню(?:$|\P{L})` +
			`|(?:^|\P{L})я (?:\p{L}+ ){0,3}?(?:проверю|посмотрю|сделаю|отправлю)(?:\P{L}.*)?\P{L}(?:позже|потом|завтра|через \S+ (?:час|минут|д)\p{L}*)(?:$|\P{L})|(?:^|\P{L})(?:позже|завтра|потом) я (?:проверю|посмотрю|сделаю|отправлю)` +
			`|我(?:会|将|到时候会?|稍后会?|明天会?|晚点会?).{0,12}?(?:提醒|通知|告诉)(?:你|您)|(?:到时候?|明天|稍后)我?(?:会|将)?.{0,4}?提醒(?:你|您)|我(?:稍后|待会儿?|明天|晚点|过会儿)(?:会|再|会再)?.{0,6}?(?:检查|查看|确认|处理|看看|联系)`)

	// deWill is what a German sentence with "ich werde" has to be about.
	deWill = lazyregexp.New(`erinner|bescheid|benachrichtig|(?:später|morgen|nachher).*(?:prüf|schau|seh|mach|erledig)|(?:prüf|schau|seh|mach|erledig).*(?:später|morgen|nachher)`)

	// notPromised is in a sentence that promises under a condition that the person has to meet, offers, denies, or says something.
	notPromised = lazyregexp.New(`\b(?:if|unless|once you|when you|after you|as soon as you|until you|whenever you|would|can|could|might|cannot|never|not|\w+n['’]t|remind you (?:that|of what)|happy to|glad to|like me to|want me to)\b` +
		`|(?:^|\P{L})(?:wenn|falls|sobald|kann|könnte|soll|nicht|nie|gern|gerne|würde|daran, dass)(?:\P{L}|$)` +
		`|(?:^|\P{L})(?:если|когда вы|когда ты|могу|не|бы|хотите|хочешь|что)(?:\P{L}|$)|如果|要不要|可以|不会|无法|不能|吗|是否|想要`)

	// notClaimed is in a sentence that denies, doubts, plans, asks, or speaks of what somebody else did.
	notClaimed = lazyregexp.New(`\b(?:not|never|n['’]t|\w+n['’]t|cannot|unable|fail(?:ed|s|ure)?|nothing|no \w+ (?:was|were|has|have)|without|if|once|when|whether|unless|until|would|will|could|should|might|may|must|need|after i|before i|you(?:['’]ve| have)? (?:saved|deleted|sent|created|made|updated|written|wrote|added|moved|removed|changed)|he|she|they|who|moved on|my (?:answer|reply|response|mistake|understanding|explanation|calculation)|by (?:you|him|her|them|the|an?|\p{L}+ (?:in|on))\b|error|pretend|imagine|suppose|says?|example|plan|timed out|killed|aborted|denied|refused|rejected|earlier|previously|yesterday|ago|last (?:time|week|month|year|turn|night)|in (?:our|the) (?:last|previous)|according to)\b|n['’]t\b` +
		`|(?:^|\P{L})(?:nicht|kein\p{L}*|konnte\p{L}*|kann|wenn|falls|sobald|würde\p{L}*|soll\p{L}*|werde|wird|werden|du|ihr|von|nie|fehl\p{L}*|ob|leider|müsste|vorhin|gestern|früher|zuvor|neulich|letzte[nrs]?|laut|abgebrochen|abgelehnt|verweigert)(?:\P{L}|$)` +
		`|(?:^|\P{L})(?:не|нет|если|когда|будет|будут|буду|нельзя|ошибк\p{L}*|бы|чтобы|ли|вы|ты|пользовател\p{L}*|невозможно|надо|нужно|может|кем|ранее|раньше|вчера|недавно|согласно|прошл\p{L}*|прерван\p{L}*|отклон\p{L}*|отказ\p{L}*)(?:\P{L}|$)` +
		`|没有|没|未|无法|不能|不会|如果|是否|吗|您已|你已|您保存|你保存|将会|会为|会把|会将|失败|要不要|可以|需要|你把|您把|请|之前|昨天|上次|先前|早些时候|根据|超时|中断|拒绝`)
)

// Kinds of [Claim].
const (
	ClaimWrite  = "write"
	ClaimDelete = "delete"
	ClaimRun    = "run" // a command
	ClaimSend   = "send"
	ClaimChange = "change" // any of these, or something else
	ClaimLater  = "later"  // a promise to do something by itself, later
)

// Claim is something that a reply says was done.
type Claim struct {
	Kind     string
	Names    []string // files that the sentence says it was done to, spelt as in the reply
	Well     bool     // the sentence says that it went well, or what came of it
	Whole    bool     // of a deletion: what is gone is a file or a folder, and not a part of one
	Sentence string   // in small letters; several claims may be of one
}

// Claims reports whether a reply says that something was changed or sent, or will be by itself; see [Claimed].
func Claims(text string, read bool) bool { return len(Claimed(text, read)) > 0 }

// Claimed returns what a reply says was changed, sent or run: "I have saved it to notes.md." It reads English, German,
// Russian and Chinese. What is denied, planned, asked, quoted, was done by somebody else or in earlier times is none. Where
// something was read before, "The backup has been deleted" may be what stood there and is none either. A
// promise such as "I will remind you" is a claim, too: that something is there that will keep it.
func Claimed(text string, read bool) []Claim {
	const longest = 8 << 10 // a claim stands at the beginning or at the end
	if len(text) > 2*longest {
		text = text[:longest] + "\n" + text[len(text)-longest:]
	}
	if !mayBegin(text, doneWords) && !mayHold(text, laterWords) {
		return nil
	}
	var all []Claim
	for _, s := range sentences(unquoted(text)) {
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
			continue
		}
		if mayHold(s, laterWords) && promises(s) {
			all = append(all, Claim{Kind: ClaimLater, Sentence: s})
			continue
		}
		if !mayBegin(s, doneWords) || !claiming().MatchString(s) && (read || !reporting().MatchString(s)) && !ranIt().MatchString(s) ||
			notClaimed().MatchString(aName().ReplaceAllString(s, " § ")) { // a file may be called not.md
			continue
		}
		names, well := namesIn(s, text), holdsAny(s, wellWords)
		whole := (len(names) > 0 || holdsAny(s, wholeWords)) && !holdsAny(s, partWords)
		for _, kind := range kindsIn(s) {
			all = append(all, Claim{Kind: kind, Names: names, Well: well, Whole: whole, Sentence: s})
		}
	}
	return all
}

// promises reports whether a sentence says that something will be done by itself, later.
func promises(s string) bool {
	if !promising().MatchString(s) || notPromised().MatchString(s) {
		return false
	}
	return !strings.Contains(s, "ich werde") && !strings.Contains(s, "werde ich") || deWill().MatchString(s)
}

// Admits reports whether a reply says somewhere that something went wrong.
func Admits(text string) bool { return holdsAny(strings.ToLower(text), vainWords) }

// Words of a claim, in small letters.
const (
	vainWords = "fail|error|timed out|timeout|time out|out of time|killed|not |n't|n’t|unable|aborted|interrupted|nicht|kein|fehl|abgebrochen|zeitüber" +
		"|не |ошибк|прерван|истекл|таймаут|失败|超时|没有|无法|未|错误|中断"

	wellWords = "success|without any|completed|finished|succeeded|printed|output|returned|erfolgreich|fehlerfrei|ausgegeben|ausgabe" +
		"|успешн|заверш|вывел|вывод|成功|完成|顺利|输出"
	runWords   = "command|script|test|build|program|`|befehl|skript|kommando|команд|скрипт|программ|命令|脚本|程序"
	wholeWords = "file|folder|director|datei|ordner|verzeichnis|файл|папк|文件|目录"
	partWords  = "line|entr|item|text|section|row|paragraph|word|from | in |zeile|eintr|abschnitt|absatz|wort|aus | im |строк|запис|раздел|слов|из | в |行|条|段|从|里|中"
)

// unquoted is text without what it quotes: code, quoted lines, and phrases in quotes, but not names. A text that is one
// quotation stays.
func unquoted(text string) string {
	short := quotation().ReplaceAllString(text, " ")
	if !strings.ContainsFunc(short, unicode.IsLetter) {
		return text
	}
	return short
}

var (
	quotation = lazyregexp.New("(?s)```.*?(?:```|$)" + `|(?m:^[ \t]*>[^\n]*$)` +
		`|"[^"\s]+(?: [^"\s]+){2,}"|“[^“”\s]+(?: [^“”\s]+){2,}”|„[^„“”\s]+(?: [^„“”\s]+){2,}[“”]|«[^«»\s]+(?: [^«»\s]+){2,}»|[「『][^「」『』]{6,}[」』]|“[^“” ]{6,}”`)

	// aName is a file with an extension, with blanks in it where it stands in quotes, or a path.
	aName = lazyregexp.New("(?i)`[^`]{0,100}\\.[a-z][a-z0-9]{0,4}`" + `|"[^"]{0,100}\.[a-z][a-z0-9]{0,4}"|[\p{Latin}\p{Cyrillic}\p{N}_~./-]*[\p{Latin}\p{Cyrillic}\p{N}_-]\.(?:[a-z][a-z0-9]{1,4}|[chr])(?:$|[^\p{Latin}\p{Cyrillic}\p{N}_@/-])` +
		`|(?:~|\.\.?|/[\p{Latin}\p{N}_.-]+)/[\p{Latin}\p{Cyrillic}\p{N}_./-]+`)

	// aHost ends names that are hosts.
	aHost = lazyregexp.New(`\.(?:com|org|net|edu|gov|info|io|de|ru|cn|uk|eu)$`)

	// fromIt is said before a name that something was taken from.
	fromIt = lazyregexp.New("(?:^|[^\\p{L}])(?:from|of|by|like|with|using|per|via|than|on|aus|von|mit|laut|wie|из|от|с|со|по|как)[ `'\"“„«*]*$|[从由用][ `'\"“*]*$")

	// alsoIt stands between two names of one list.
	alsoIt = lazyregexp.New("^[ `'\"”“»«*]*(?:,|、|&|和|与|(?:, )?(?:and|und|и|as well as|sowie)(?: also)?)?[ `'\"“„«*]*$")
)

const (
	mostClaimed = 32 // of a sentence
	longestLink = 32 // bytes of what is said before a name
)

// namesIn returns the names in a sentence that something was done to, spelt as in text.
func namesIn(sentence, text string) []string {
	var all []string
	before, source := -1, false // where the last name ended, and whether something was taken from it
	for _, at := range aName().FindAllStringIndex(sentence, mostClaimed) {
		name := trimName(sentence[at[0]:at[1]])
		from := at[0] + strings.Index(sentence[at[0]:at[1]], name)
		if strings.HasPrefix(name, "//") || aHost().MatchString(name) || from > 0 && strings.ContainsRune("@:", rune(sentence[from-1])) {
			continue
		}
		if before < 0 || !alsoIt().MatchString(sentence[before:from]) {
			source = fromIt().MatchString(strings.ToValidUTF8(sentence[max(0, from-longestLink):from], ""))
		}
		before = from + len(name)
		if !source && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return nil
	}
	for _, as := range aName().FindAllString(text, -1) {
		as = trimName(as)
		if i := slices.Index(all, strings.ToLower(as)); i >= 0 {
			all[i] = as
		}
	}
	return all
}

// trimName cuts off what ended the name, and what quotes it.
func trimName(s string) string {
	return strings.TrimRightFunc(strings.TrimLeft(s, "`\""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// kindsIn returns the kinds of what a sentence says was done, each once; [ClaimChange] where it cannot be told.
func kindsIn(s string) []string {
	var all []string
	add := func(kind string) {
		if kind == ClaimRun && !holdsAny(s, runWords) {
			kind = ClaimChange // a plan may be executed, too
		}
		if kind != "" && !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	for n, clause := range strings.Split(s, ",") {
		before := ""
		for i, word := range strings.FieldsFunc(clause, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
			if aside(word, n > 0 && i == 0) {
				break // what follows says more of a thing, and not what was done
			}
			if !ofAThing(before) {
				add(kindOf(word))
			}
			before = word
		}
	}
	if len(all) == 0 && ranIt().MatchString(s) {
		add(ClaimRun)
	}
	if len(all) == 0 {
		add(zhKind(s))
	}
	if len(all) == 0 {
		add(ClaimChange)
	}
	return all
}

// aside reports whether a word begins a clause about a thing. German articles do so only where they are the first after a
// comma.
func aside(word string, first bool) bool {
	switch word {
	case "that", "which", "where", "because", "whose", "dass", "weil", "welche", "welcher", "welches", "wie", "что", "который", "которую", "которое",
		"которые", "где", "потому":
		return true
	case "die", "der", "das", "den", "dem", "was", "wo":
		return first
	}
	return false
}

// ofAThing reports whether the word after it names or describes a thing.
func ofAThing(word string) bool {
	switch word {
	case "the", "a", "an", "your", "my", "our", "its", "this", "these", "those", "to", "of", "every", "each", "any", "newly", "recently", "previously":
		return true
	}
	return false
}

// kindOf is the kind of what a word says was done; "" for any other word.
func kindOf(word string) string {
	switch word {
	case "saved", "stored", "created", "wrote", "written", "added", "appended", "inserted", "overwritten", "overwrote", "recorded", "logged", "entered",
		"noted", "put", "placed", "gespeichert", "erstellt", "angelegt", "geschrieben", "hinzugefügt", "eingetragen", "abgelegt", "ergänzt", "notiert",
		"überschrieben", "eingefügt":
		return ClaimWrite
	case "deleted", "removed", "erased", "cleared", "gelöscht", "entfernt":
		return ClaimDelete
	case "sent", "emailed", "submitted", "published", "posted", "uploaded", "gesendet", "geschickt", "verschickt", "versendet", "abgeschickt",
		"hochgeladen", "veröffentlicht":
		return ClaimSend
	case "ran", "run", "executed", "ausgeführt":
		return ClaimRun
	case "updated", "renamed", "scheduled", "rescheduled", "moved", "copied", "booked", "installed", "canceled", "cancelled", "archived", "changed",
		"edited", "modified", "replaced", "set", "marked", "reset", "configured", "enabled", "disabled", "turned", "fixed", "registered", "made",
		"aktualisiert", "geändert", "umbenannt", "verschoben", "kopiert", "installiert", "storniert", "abgesagt", "angepasst", "geplant", "gesetzt",
		"ersetzt":
		return ClaimChange
	}
	if r, _ := utf8.DecodeRuneInString(word); !unicode.Is(unicode.Cyrillic, r) {
		return ""
	}
	for _, k := range []struct{ kind, stems string }{
		{ClaimWrite, "сохранил|сохранен|сохранён|создал|создан|записал|записан|добавил|добавлен|внёс|внес|перезаписал"},
		{ClaimDelete, "удалил|удален|удалён|очистил"},
		{ClaimSend, "отправил|отправлен|послал|опубликовал|опубликован"},
		{ClaimRun, "выполнил|запустил|выполнен"},
		{ClaimChange, "обновил|обновлен|обновлён|изменил|изменен|изменён|переименова|перемес|перемещ|скопирова|запланирова|установил|установлен" +
			"|отменил|отменен|отменён|отредактирова|заменил"},
	} {
		for stem := range strings.SplitSeq(k.stems, "|") {
			if strings.HasPrefix(word, stem) {
				return k.kind
			}
		}
	}
	return ""
}

// zhKind is the kind of what a Chinese sentence says was done: of its verb that is marked as done, or else its first.
func zhKind(s string) string {
	found, at, marked := "", len(s), false
	for _, k := range []struct{ kind, verbs string }{
		{ClaimWrite, "保存|创建|新建|写入|添加|记录|存储|追加|覆盖"}, {ClaimDelete, "删除|移除"}, {ClaimSend, "发送|发给|上传"}, {ClaimRun, "运行|执行"},
		{ClaimChange, "更新|修改|重命名|移动|复制|安排|设置|取消|编辑|替换"},
	} {
		for verb := range strings.SplitSeq(k.verbs, "|") {
			i := strings.Index(s, verb)
			if i < 0 {
				continue
			}
			rest := s[i+len(verb):]
			done := rest == "" || slices.ContainsFunc([]string{"了", "好", "完", "到", "至", "成功", "在"}, func(mark string) bool { return strings.HasPrefix(rest, mark) })
			if done && !marked || done == marked && i < at {
				found, at, marked = k.kind, i, done
			}
		}
	}
	return found
}
