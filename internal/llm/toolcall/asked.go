package toolcall

import "strings"

// asked is what a person wants to see.
type asked int

const (
	nothing  asked = iota
	someJSON       // data as JSON, or code
	someCall       // what a call looks like, or an example
)

// refuses reports whether calls in words are only shown.
func (a asked) refuses() bool { return a != nothing }

// longestAsk is how many bytes of a person's words are looked at.
const longestAsk = 1200

// What people write who want to see something. gap is a few words on the way to it, within one sentence.
const (
	gap       = `[^.!?;\n。！？]{0,60}?`
	languages = `python|javascript|typescript|js|go|golang|java|c|rust|ruby|php|bash|shell|sql|html|css|perl|lua|swift|kotlin`
	show      = `(?:show|print|display|output|give|return|produce|generate|respond|reply|answer|format|render|tell|paste|type|write)\b`
)

var (
	// aFile is a file that is spoken of; what is JSON by its name only is not asked to be shown.
	aFile = lazily(`(?:[\w./~-]*[\w~-]\.(?:[a-z]\w{0,4})\b)|\bjsons?[ -]?(?:files?|datei(?:en)?|logs?|configs?|documents?)|json[ -]?файл\p{L}*|json ?文件|файл\p{L}* json`)

	// withFile: something is in a file, or is to go into one.
	withFile = lazily(`\b(?:in|of|from|inside|to|into|onto|at|convert|parse|read|open|load|and|with|aus|nach|von|im|auf) (?:(?:the|a|an|my|our|this|new|file|der|die|das|den|dem|datei|einer?|eine) ){0,3}(?:§|file\b|disk\b|datei\b)` +
		`|(?:в|из|во) (?:\p{L}+ )?(?:§|файл)|(?:到|在|从|里|进) ?(?:§|文件)|§ ?(?:中|里)|(?:save|store|export|speicher|сохрани|экспорт|保存|存到|写入)|^\s*(?:please |can you |could you |bitte )?(?:read|open|load|parse|find|search|grep|look|list|delete|remove|count|run|lies|such|öffne|finde|прочитай|найди|открой|удали)\b` +
		`|^\s*(?:прочитай|найди|открой|удали|读取|打开|查找|搜索|删除)`)

	// imagined: it is about what could be.
	imagined = lazily(`\b(?:would|example|look like|hypothetical|sample|beispiel|würde)|пример|выгляде|示例|例子`)

	// denied is what somebody does not want to see.
	denied = lazily(`(?:\b(?:do not|don['’]?t|dont|never|no|not|without|instead of|rather than|avoid|stop|kein\p{L}*|nicht|ohne|statt)|(?:^|\P{L})(?:не|без|никакого))(?: (?:show\p{L}*|print\p{L}*|giv\p{L}*|display\p{L}*|output\p{L}*|return\p{L}*|repl\p{L}*|respond\p{L}*|answer\p{L}*|writ\p{L}*|us\p{L}*|send\p{L}*|want|need|see|me|any|the|a|an|some|your|raw|with|as|in|to|it|of|als|im|das|den|mir|показыва\p{L}*|выводи\p{L}*|пиши\p{L}*|присыла\p{L}*|нужен|надо|хочу|мне|в|как)){0,6} (?:json|code|код|examples?|beispiel\p{L}*|tool calls?|function calls?|syntax)(?:$|\P{L})` +
		`|(?:不要|别|不用|无需)(?:显示|展示|输出|给我|看|用| )*(?:json|代码)`)

	// aProgram is code that is to be written for a person to read; working is said of what is to be done with it.
	aProgram = lazily(`\b(?:write|draft|compose|implement|code|program|develop|create|make|generate|give|build)\b(?: (?:me|us|a|an|the|some|any|simple|small|short|little|sample|new|` + languages + `)){0,5} (?:` + languages + `) (?:code|functions?|scripts?|snippets?|class|methods?|programs?)\b` +
		`|\b(?:write|draft|compose|implement)\b(?: (?:me|us|a|an|the|some|any|simple|small|short|little|sample|new)){0,5} (?:code|functions?|scripts?|snippets?|class|methods?|programs?)\b` +
		`|(?:напиши|написать|сделай)\p{L}*` + gap + `(?:код|функци\p{L}*|скрипт|программ)|写.{0,12}(?:代码|函数|脚本|程序)|\bschreib\p{L}*` + gap + `\b(?:code|funktion|skript|programm)\b`)
	working = lazily(`§|\b(?:run|execute|save|store|files?|disk|folder|workspace|datei)\b|файл|сохрани|запусти|文件|保存|运行`)

	aCall = lazily(`\bhow (?:to|do (?:i|you|we)|would (?:i|you|we)|can (?:i|you|we)|you(?: would)?) (?:call|invoke)\b|\b(?:demonstrate|illustrate|explain|describe)\b` + gap + `\b(?:tool[ _-]?calls?|function[ _-]?calls?|call syntax)\b|\b(?:` + show + `|what|how|see)` + gap + `\b(?:tool[ _-]?calls?|function[ _-]?calls?|tool syntax|call(?:ing)? (?:syntax|format)|syntax|(?:the|your|a|raw|json) call|schema|payload)\b` +
		`|\b(?:` + show + `|see|need|want)` + gap + `\b(?:examples?|samples?|templates?)\b` +
		`|\bexamples? (?:of|for)` + gap + `\b(?:json|code|calls?|tools?|functions?|syntax|schema|request|yaml)\b|\b(?:json|code|call|syntax|tool|function) (?:example|sample|snippet|syntax|schema)s?\b` +
		`|\b(?:what|how)\b` + gap + `\b(?:json|call|request)\b` + gap + `\blook\b|\b(?:what|how)\b` + gap + `\b(?:would|do)\b` + gap + `\b(?:json|call)\b` +
		`|\b(?:zeig|gib|nenn|schreib|druck)\p{L}*` + gap + `(?:beispiel|aufruf|syntax|schema|werkzeugaufruf|funktionsaufruf)|beispiel` + gap + `(?:json|code|aufruf|syntax|tool|werkzeug)|(?:json|code)-?beispiel|\bwie\b` + gap + `(?:aufruf|json)` + gap + `\baus` +
		`|(?:покажи|приведи|дай|напиши|выведи)\p{L}*` + gap + `(?:пример|вызов|синтаксис|схем)|пример\p{L}*` + gap + `(?:json|код|вызов|функци|инструмент)|как` + gap + `выгляд` + gap + `(?:вызов|json)|как` + gap + `(?:вызов|json)` + gap + `выгляд` +
		`|(?:显示|展示|给我|给出|看看|写|举|输出|打印)` + gap + `(?:示例|例子|调用|语法)|(?:示例|例子)` + gap + `(?:json|代码|调用|工具|函数)|(?:json|代码|调用|工具|函数) ?(?:的)?(?:示例|例子|语法|格式是)|(?:调用|json)` + gap + `什么样`)

	aJSON = lazily(`\b(?:as|in|to|into|using|als|im)(?: (?:valid|raw|pretty|plain|strict|compact|formatted|a|an|some|the|reines))*[ -]json\b` +
		`|\b` + show + gap + `\bjson\b|\b(?:only|just|pure|raw|nur) json\b|\bjson (?:only|format|output|please)\b` +
		`|\b(?:show|print|display|give)` + gap + `\b(?:code|snippet|source)\b|\b(?:see|view)\b` + gap + `\b(?:json|code)\b` +
		`|\b(?:want|need|like)\b(?: (?:to|have|get|the|a|an|some|your|raw|just|only|it|this|that|as|in|valid|plain)){0,4} json\b` +
		`|\bwhat(?:['’]s| is| was| would be)(?: (?:the|your|a|raw|exact|correct|valid)){0,3} json\b` +
		`|(?:увидеть|посмотреть|взглянуть)` + gap + `(?:json|код)` +
		`|\b(?:zeig|gib|antwort|schreib|druck|liefer)\p{L}*` + gap + `\b(?:json|code|quelltext)|json-format` +
		`|(?:покажи|выведи|напечатай|дай|верни|ответь|приведи|отдай)\p{L}*` + gap + `(?:json|код)|(?:в|как)(?: формате| виде)? json|json-формат` +
		`|(?:显示|展示|给我|给出|看看|输出|打印|返回|回答)` + gap + `(?:json|代码)|(?:以|用|按)` + gap + `json|json ?格式|json ?(?:形式|输出|表示)`)
)

// askWords are what no such wish is without.
const askWords = "json|code|call|invoke|function|script|class|method|program|funktion|skript|функци|скрипт|программ|函数|脚本|程序|synta|exampl|sampl|snippet|template|schema|payload|source|beispiel|aufruf|quelltext|код|пример|вызов|схем|синтаксис|代码|调用|语法|示例|例子"

// asks says what a person wants to see. Somebody who speaks of a file wants something done with it.
func asks(words string) asked {
	words = strings.ToLower(words[:min(len(words), longestAsk)])
	if !holdsAny(words, askWords) {
		return nothing
	}
	words = aFile().ReplaceAllString(words, "§")
	words = denied().ReplaceAllString(words, " ")
	found := nothing
	switch {
	case aCall().MatchString(words):
		found = someCall
	case aJSON().MatchString(words), aProgram().MatchString(words) && !working().MatchString(words):
		found = someJSON
	}
	if found != nothing && withFile().MatchString(words) && !imagined().MatchString(words) {
		return nothing
	}
	return found
}
