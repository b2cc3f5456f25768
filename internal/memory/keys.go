package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hob/internal/event"
)

// key is what a fact can say of a person, and how people say it.
type key struct {
	name string
	many bool   // there may be several: another value takes the place of none
	says string // beginnings of sentences in which people say it of themselves
	asks string // words of questions that are about it
}

// keys are the keys that hob knows by itself. Any other word can be one, too.
func keys() []key {
	return []key{
		{"name", false,
			"my name is|i am called|i'm called|call me|mein name ist|ich heiße|ich heisse|nenn mich|меня зовут|мое имя|зови меня|我叫|我的名字是|我的名字叫|叫我",
			"name names called heiße heißt heisse heißen зовут имя 名字 叫什么"},
		{"birthday", false,
			"my birthday|i was born|mein geburtstag|ich habe am|ich bin am|ich wurde am|мой день рождения|мой др|я родился|я родилась|у меня день рождения|我的生日|我生日|我出生|我生于",
			"birthday born birth geburtstag geboren geburtsdatum рождения родился родилась 生日 出生"},
		{"address", false,
			"my address|i live at|i live in|i live on|meine adresse|meine anschrift|ich wohne|мой адрес|я живу|я проживаю|我的地址|我家地址|我住在|我家住|我家在",
			"address live lives home adresse anschrift wohne wohnt wohnst адрес живу живет живешь 地址 住在 住哪"},
		{"phone", false,
			"my phone|my mobile|my number|my telephone|meine nummer|meine telefonnummer|meine handynummer|мой телефон|мой номер|номер моего телефона|我的电话|我的手机|我电话|我手机",
			"phone mobile telephone telefonnummer handynummer telefon телефон телефона 电话 手机"},
		{"email", false,
			"my email|my e-mail|my mail address|meine e-mail|meine email|meine mailadresse|моя почта|мой email|мой e-mail|моя электронная почта|我的邮箱|我的电子邮件",
			"email mailadresse почта 邮箱 邮件"},
		{"allergy", true,
			"i am allergic|i'm allergic|my allergy|i have an allergy|ich bin allergisch|ich habe eine allergie|ich bin gegen|у меня аллергия|я аллергик|我对|我有过敏",
			"allergic allergy allergies allergisch allergie allergien аллергия аллергии 过敏"},
		{"likes", true,
			"i like|i love|i prefer|my favourite|my favorite|ich mag|ich liebe|ich esse gern|ich trinke gern|mein lieblings|meine lieblings|я люблю|мне нравится|мне нравятся|мой любимый|моя любимая|мое любимое|我喜欢|我爱|我最喜欢",
			"like likes favourite favorite prefer lieblings lieblingsessen mag gern люблю любит любимый любимая нравится 喜欢 爱吃"},
	}
}

// keyTerm is the term of a key: no word of a person is one.
func keyTerm(key string) string {
	return "key" + strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return r
	}, plain(strings.ToLower(key)))
}

// subordinate are the last words of what people say behind "dass", with the key of each: German puts the verb there.
func subordinate() [][2]string {
	return [][2]string{
		{"heiße", "name"}, {"heisse", "name"}, {"geboren bin", "birthday"}, {"geboren wurde", "birthday"}, {"geburtstag habe", "birthday"},
		{"wohne", "address"}, {"allergisch bin", "allergy"}, {"mag", "likes"}, {"liebe", "likes"},
	}
}

// keyOf returns what a text says of whoever says it, or "".
func (r *reader) keyOf(text string) string {
	text = strings.TrimRight(fold(text), ".!")
	if strings.HasPrefix(text, "ich ") {
		for _, last := range subordinate() {
			if strings.HasSuffix(text, " "+last[0]) {
				return last[1]
			}
		}
	}
	for _, k := range r.keys {
		for says := range strings.SplitSeq(k.says, "|") {
			rest, begins := strings.CutPrefix(text, fold(says))
			switch {
			case !begins || goesOn(rest) && !strings.HasSuffix(says, "lieblings"):
			case k.name == "allergy" && strings.HasPrefix(says, "我对") && !strings.Contains(text, "过敏"):
			case k.name == "allergy" && says == "ich bin gegen" && !strings.Contains(text, "allergisch"):
			case k.name == "birthday" && strings.HasSuffix(says, " am") && !strings.Contains(text, "gebor") && !strings.Contains(text, "geburtstag"):
			default:
				return k.name
			}
		}
	}
	return ""
}

// asked returns the keys that a question is about.
func (r *reader) asked(text string) (names []string) {
	all := runs(text)
	for _, k := range r.keys {
		for w := range strings.FieldsSeq(k.asks) {
			is := func(run string) bool {
				return run == w || isIdeograph([]rune(w)[0]) && strings.Contains(run, w)
			}
			if slices.ContainsFunc(all, is) {
				names = append(names, k.name)
				break
			}
		}
	}
	return names
}

// isSingle reports whether a person has one value of a key at most.
func (r *reader) isSingle(name string) bool {
	return name != "" && !slices.ContainsFunc(r.keys, func(k key) bool { return k.name == name && k.many })
}

// subjectOf returns the subject that a text is for, which says nothing of it: what is ours is the house's.
func subjectOf(text string, own event.Subject, house bool) event.Subject {
	const ours = " our we us ours unser unsere unseren unserem unserer unseres wir uns наш наша наше наши нашего нашей наших нашу мы нас нам "
	const mine = " my i me mine i'm mein meine meinen meinem meiner ich mir mich мой моя мое мои меня мне я "
	isOurs, isMine := strings.Contains(text, "我们") || strings.Contains(text, "咱们") || strings.Contains(text, "家里"), false
	for _, run := range runs(text) {
		isOurs = isOurs || strings.Contains(ours, " "+plain(run)+" ")
		isMine = isMine || strings.Contains(mine, " "+plain(run)+" ")
	}
	if house && isOurs && !isMine {
		return event.House
	}
	return own
}

// fold returns a text in small letters, with one blank between its words.
func fold(text string) string {
	text = strings.ReplaceAll(strings.ToLower(text), "ё", "е")
	return strings.Join(strings.Fields(strings.NewReplacer("’", "'", "，", " ", ",", " ", ":", " ", "：", " ").Replace(text)), " ")
}

// goesOn reports whether a text goes on with a letter, so that the word before it is not at its end.
func goesOn(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) && !isIdeograph(first)
}
