package memory

import "strings"

// What stands in nearly every sentence, or only asks, says nothing of what a fact is about.
const (
	englishStops = `a an the and or but if of to in on at by for with from as is are was were be been am do does did has have had
		i you he she it we they me him her us them my your his its our their mine yours this that these those there here
		what which who whom whose when where why how much many can could would should will shall may might must not no yes
		please tell know say show let about any some just also so too than then s t re ve ll d m hob again still ever`
	germanStops = `der die das den dem des ein eine einen einem einer eines und oder aber wenn von zu zum zur im in an am auf aus bei
		mit nach für um ist sind war waren sein bin bist hat habe haben hab hatte hatten wird werden wurde kann kannst könnte
		soll sollte muss darf ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch mein meine meinen meinem meiner meines
		dein deine deinen deinem deiner unser unsere unseren unserem unserer sein seine ihre ihren was wer wen wem wessen wann wo
		wohin woher warum wieso wie viel viele welche welcher welches welchen nicht kein keine keinen ja nein bitte sag weißt
		eigentlich denn noch mal nochmal auch schon so da hier dort als dass`
	russianStops = `и или но если в во на по за из от до у о об про с со к ко для это этот эта эти то тот та те как что чтобы кто кого
		кому кем чем чего где куда откуда когда почему зачем сколько какой какая какое какие какого какую каких чей чья чьи я
		ты он она оно мы вы они меня мне мной тебя тебе его её ее ему ей нас нам вас вам их им мой моя моё мое мои моего моей
		моему моих твой твоя твои наш наша наше наши нашего нашей наших свой своя не нет да ли же бы был была было были есть
		быть скажи знаешь пожалуйста ещё еще уже там тут здесь так`
	everydayWords = `make made do new old good bad big small put take give get got go come open close start stop show list read write add
		delete remove find search send move create need want look work run call use set turn file files folder note notes number word
		words text page pages time day days today tomorrow week month year service services approve last next first second one two three help clean check change
		four five six seven eight nine ten home house room thing things
		läuft laufen helfen hilf hilfe machen mach mache macht neu neue neuen neues neuer alt alte groß klein tun gib geben nimm nehmen stell stellen setz setzen leg legen
		liegen liegt steht stehen kommt gehen öffnen schließen zeig zeigen lies lesen schreib schreiben löschen entfernen such suchen
		find finden schick senden braucht brauchen datei dateien ordner notiz notizen liste zahl zahlen nummer wort seite zeit tag heute
		morgen woche monat jahr letzte letzten erste ersten zwei drei vier fünf sechs sieben acht neun zehn haus zimmer ding
		помоги помощь чистить чистого новый новая новое новые новую старый делать сделай добавь удали убери найди покажи открой закрой запиши прочитай отправь
		нужен нужна нужно нужны файл файлы файлах файле папка папке заметка заметку список списка число номер слово страница время
		день сегодня завтра неделя месяц год первый первого последний два три четыре пять шесть семь восемь девять десять тысяча
		тысячи дом комната меняем менять`
	chineseStops = `什么时候 为什么 怎么样 是不是 有没有 能不能 可不可以 什么 哪里 哪儿 哪个 哪天 多少 怎么 怎样 谁 几 我们 咱们 你们 他们
		她们 我的 你的 他的 她的 我 你 您 他 她 它 是 的 了 吗 呢 吧 啊 在 有 和 跟 与 也 都 就 还 这 那 请 帮 给 对 把 被 会 要
		能 可以 应该 到 从 很 最 一下 告诉 知道`
)

// newReader returns a reader of the four languages. It takes a millisecond.
func newReader() *reader {
	r := &reader{stops: map[string]bool{}, everyday: map[string]bool{}, keys: keys()}
	for _, list := range []string{englishStops, germanStops, russianStops} {
		for w := range strings.FieldsSeq(list) {
			r.stops[w] = true
		}
	}
	for w := range strings.FieldsSeq(everydayWords) {
		for _, form := range spelled(w).forms {
			r.everyday[form] = true
		}
	}
	var pairs []string
	for w := range strings.FieldsSeq(chineseStops) { // of two that begin alike the longer one stands first
		pairs = append(pairs, w, " ")
	}
	r.particles = strings.NewReplacer(pairs...)
	return r
}
