package grounding

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// language is the language of an answer, as far as it matters which words are written with a capital.
type language int

const (
	unknownLanguage language = iota
	otherLanguage
	german
)

// languageOf finds the language of a text in lower case by its small words.
func languageOf(low string) language {
	de, en := 0, 0
	for _, w := range words(low) {
		switch w {
		case "der", "die", "das", "und", "ist", "nicht", "ein", "eine", "im", "am", "für", "mit", "uhr", "den", "dem", "sind", "du", "sie", "von", "zu", "auf", "es", "wird", "kostet", "hat", "beträgt", "ich", "sich", "bis", "auch":
			de++
		case "the", "and", "is", "of", "to", "in", "a", "for", "with", "on", "it", "are", "was", "you", "at", "has", "that":
			en++
		}
	}
	switch {
	case de > en:
		return german
	case en > de:
		return otherLanguage
	}
	return unknownLanguage
}

// words splits a text into its runs of letters; of Chinese each pair of neighbours is one.
func words(text string) []string {
	var all []string
	begin := -1
	var last rune
	lastAt := 0
	for i, r := range text {
		han := unicode.Is(unicode.Han, r)
		if letter := unicode.IsLetter(r) && !han; letter && begin < 0 {
			begin = i
		} else if !letter && begin >= 0 {
			all, begin = append(all, text[begin:i]), -1
		}
		if han && unicode.Is(unicode.Han, last) {
			all = append(all, text[lastAt:i+utf8.RuneLen(r)])
		}
		last, lastAt = r, i
	}
	if begin >= 0 {
		all = append(all, text[begin:])
	}
	return all
}

func isHan(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.Is(unicode.Han, r)
}

// numberWord returns the number that a word in lower case stands for.
func numberWord(w string) (float64, bool) {
	switch w {
	case "one", "ein", "eine", "einen", "einem", "einer", "eins", "один", "одна", "одно", "одного", "одной":
		return 1, true
	case "two", "both", "zwei", "zweier", "beide", "два", "две", "двух", "двумя", "оба", "обе":
		return 2, true
	case "three", "drei", "dreier", "три", "трёх", "трех", "трое":
		return 3, true
	case "four", "vier", "четыре", "четырёх", "четырех", "четверо":
		return 4, true
	case "five", "fünf", "пять", "пяти":
		return 5, true
	case "six", "sechs", "шесть", "шести":
		return 6, true
	case "seven", "sieben", "семь", "семи":
		return 7, true
	case "eight", "acht", "восемь", "восьми":
		return 8, true
	case "nine", "neun", "девять", "девяти":
		return 9, true
	case "ten", "zehn", "десять", "десяти":
		return 10, true
	case "eleven", "elf", "одиннадцать":
		return 11, true
	case "twelve", "dozen", "zwölf", "dutzend", "двенадцать":
		return 12, true
	case "thirteen", "dreizehn", "тринадцать":
		return 13, true
	case "fourteen", "vierzehn", "четырнадцать":
		return 14, true
	case "fifteen", "fünfzehn", "пятнадцать":
		return 15, true
	case "sixteen", "sechzehn", "шестнадцать":
		return 16, true
	case "seventeen", "siebzehn", "семнадцать":
		return 17, true
	case "eighteen", "achtzehn", "восемнадцать":
		return 18, true
	case "nineteen", "neunzehn", "девятнадцать":
		return 19, true
	case "twenty", "zwanzig", "двадцать":
		return 20, true
	case "thirty", "dreißig", "тридцать":
		return 30, true
	case "forty", "vierzig", "сорок":
		return 40, true
	case "fifty", "fünfzig", "пятьдесят":
		return 50, true
	case "sixty", "sechzig", "шестьдесят":
		return 60, true
	case "seventy", "siebzig", "семьдесят":
		return 70, true
	case "eighty", "achtzig", "восемьдесят":
		return 80, true
	case "ninety", "neunzig", "девяносто":
		return 90, true
	case "hundred", "hundert", "сто":
		return 100, true
	}
	return 0, false
}

// hanNumber returns the number that begins a text in Chinese numerals, and its bytes.
func hanNumber(s string) (float64, int) {
	digits := map[rune]float64{'一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9, '零': 0}
	total, now, n := 0.0, 0.0, 0
	for _, r := range s {
		d, ok := digits[r]
		switch {
		case ok:
			now = d
		case r == '十':
			total, now = total+max(now, 1)*10, 0
		case r == '百' && n > 0:
			total, now = total+max(now, 1)*100, 0
		default:
			return total + now, n
		}
		n += utf8.RuneLen(r)
	}
	return total + now, n
}

// monthOf returns the number of a month by its name, 0 for another word.
func monthOf(w string) int {
	for i, names := range [12]string{
		"jan|january|januar|jänner|января|январь|январе|янв", "feb|february|februar|февраля|февраль|феврале|фев", "mar|march|märz|mär|марта|март|марте",
		"apr|april|апреля|апрель|апреле|апр", "may|mai|мая|май|мае", "jun|june|juni|июня|июнь|июне", "jul|july|juli|июля|июль|июле",
		"aug|august|августа|август|августе|авг", "sep|sept|september|сентября|сентябрь|сентябре|сен", "oct|okt|october|oktober|октября|октябрь|октябре|окт",
		"nov|november|ноября|ноябрь|ноябре|ноя", "dec|dez|december|dezember|декабря|декабрь|декабре|дек",
	} {
		for name := range strings.SplitSeq(names, "|") {
			if w == name {
				return i + 1
			}
		}
	}
	return 0
}

// dimension is what a unit measures.
type dimension int

const (
	noDimension dimension = iota
	length
	mass
	duration
	data
	temperature
	speed
	volume
	energy
	money
	percent
	area
	rotation
)

// unit is a unit of measure: its dimension, and how many of the dimension's base it has. Of data the factor is that of
// powers of 1000, and binary that of 1024. Of money the base is a currency.
type unit struct {
	dim            dimension
	factor, binary float64
	base           string
}

// unitOf returns the unit that a word or a sign in lower case names.
func unitOf(w string) (unit, bool) {
	u := func(d dimension, f float64) (unit, bool) { return unit{dim: d, factor: f}, true }
	cur := func(base string) (unit, bool) { return unit{dim: money, factor: 1, base: base}, true }
	bytes := func(n int, binary bool) (unit, bool) {
		f, b := 1.0, 1.0
		for range n {
			f, b = f*1000, b*1024
		}
		if binary {
			f = b
		}
		return unit{dim: data, factor: f, binary: b}, true
	}
	switch w {
	case "%", "percent", "prozent", "процентов", "процента", "процент":
		return u(percent, 1)
	case "mm", "millimeter", "millimetres", "millimeters", "мм", "毫米":
		return u(length, .001)
	case "cm", "centimeter", "centimeters", "centimetres", "zentimeter", "см", "厘米":
		return u(length, .01)
	case "m", "meter", "meters", "metre", "metres", "metern", "м", "метров", "метра", "метр", "米":
		return u(length, 1)
	case "km", "kilometer", "kilometers", "kilometre", "kilometres", "kilometern", "км", "километров", "километра", "公里", "千米":
		return u(length, 1000)
	case "mile", "miles", "mi", "meilen", "meile", "миль", "мили", "миля", "英里":
		return u(length, 1609.344)
	case "nautical", "nm", "seemeilen":
		return u(length, 1852)
	case "ft", "feet", "foot", "fuß":
		return u(length, .3048)
	case "inch", "inches", "zoll":
		return u(length, .0254)
	case "mg", "milligram", "milligrams", "milligramm", "мг", "毫克":
		return u(mass, .001)
	case "g", "gram", "grams", "gramm", "г", "грамм", "граммов", "克":
		return u(mass, 1)
	case "kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramm", "кг", "килограммов", "килограмма", "公斤", "千克":
		return u(mass, 1000)
	case "lb", "lbs", "фунта", "磅":
		return u(mass, 453.592)
	case "oz", "ounces":
		return u(mass, 28.3495)
	case "t", "tonnes", "tons", "tonnen", "т", "тонн", "тонны", "吨":
		return u(mass, 1e6)
	case "ns", "nanoseconds":
		return u(duration, 1e-9)
	case "µs", "μs", "us", "microseconds", "mikrosekunden":
		return u(duration, 1e-6)
	case "ms", "milliseconds", "millisekunden", "мс", "毫秒":
		return u(duration, .001)
	case "s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden", "с", "сек", "секунд", "секунды", "секунда", "秒":
		return u(duration, 1)
	case "min", "mins", "minute", "minutes", "minuten", "мин", "минут", "минуты", "минута", "分钟", "分":
		return u(duration, 60)
	case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "ч", "час", "часа", "часов", "小时":
		return u(duration, 3600)
	case "day", "days", "tag", "tage", "tagen", "день", "дня", "дней", "天":
		return u(duration, 86400)
	case "week", "weeks", "woche", "wochen", "неделя", "недели", "недель", "неделю", "周":
		return u(duration, 7*86400)
	case "month", "months", "monat", "monate", "monaten", "месяц", "месяца", "месяцев", "个月":
		return u(duration, 30.44*86400)
	case "year", "years", "jahr", "jahre", "jahren", "год", "года", "лет":
		return u(duration, 365.25*86400)
	case "b", "byte", "bytes", "байт", "字节":
		return bytes(0, false)
	case "kb", "kilobytes", "кб":
		return bytes(1, false)
	case "mb", "megabytes", "megabyte", "мб":
		return bytes(2, false)
	case "gb", "gigabytes", "gigabyte", "гб":
		return bytes(3, false)
	case "tb", "terabytes", "terabyte", "тб":
		return bytes(4, false)
	case "kib":
		return bytes(1, true)
	case "mib":
		return bytes(2, true)
	case "gib":
		return bytes(3, true)
	case "tib":
		return bytes(4, true)
	case "°c", "°", "grad", "градусов", "градуса", "градус", "度", "℃", "celsius":
		return unit{dim: temperature, factor: 1, base: "c"}, true
	case "°f", "fahrenheit":
		return unit{dim: temperature, factor: 1, base: "f"}, true
	case "m/s", "м/с":
		return u(speed, 1)
	case "km/h", "kmh", "км/ч":
		return u(speed, 1/3.6)
	case "mph":
		return u(speed, .44704)
	case "ml", "milliliter", "millilitres", "мл", "毫升":
		return u(volume, .001)
	case "cl":
		return u(volume, .01)
	case "l", "liter", "liters", "litre", "litres", "литров", "литра", "литр", "л", "升":
		return u(volume, 1)
	case "wh":
		return u(energy, 1)
	case "kwh", "kilowattstunden", "квтч", "度电":
		return u(energy, 1000)
	case "mwh":
		return u(energy, 1e6)
	case "m²", "qm", "sqm", "м²", "平方米", "quadratmeter", "quadratmetern":
		return u(area, 1)
	case "ha", "hektar", "hectares", "га":
		return u(area, 1e4)
	case "rpm":
		return u(rotation, 1)
	case "€", "eur", "euro", "euros", "евро", "欧元":
		return cur("eur")
	case "£", "gbp", "pound", "pounds", "pfund", "фунтов":
		return cur("gbp")
	case "$", "usd", "dollar", "dollars", "долларов", "美元":
		return cur("usd")
	case "₽", "rub", "рубль", "рубля", "рублей", "руб", "rubel":
		return cur("rub")
	case "元", "块", "¥", "cny", "rmb", "yuan":
		return cur("cny")
	case "chf", "franken", "francs":
		return cur("chf")
	}
	return unit{}, false
}

// weekdayOf returns the day of the week that a word names.
func weekdayOf(w string) (time.Weekday, bool) {
	for i, names := range [7]string{
		"sunday|sonntag|воскресенье|星期日|星期天|周日", "monday|montag|понедельник|星期一|周一", "tuesday|dienstag|вторник|星期二|周二",
		"wednesday|mittwoch|среда|среду|星期三|周三", "thursday|donnerstag|четверг|星期四|周四", "friday|freitag|пятница|пятницу|星期五|周五",
		"saturday|samstag|sonnabend|суббота|субботу|星期六|周六",
	} {
		for name := range strings.SplitSeq(names, "|") {
			if w == name || w == name+"s" {
				return time.Weekday(i), true
			}
		}
	}
	return 0, false
}

// scaleOf is what a word behind a number multiplies it by, 0 for another word.
func scaleOf(w string) float64 {
	switch w {
	case "thousand", "tausend", "тысяч", "тысячи", "тысяча", "тыс", "千":
		return 1e3
	case "万":
		return 1e4
	case "million", "millions", "millionen", "mio", "млн", "миллионов", "миллиона":
		return 1e6
	case "billion", "milliarden", "mrd", "млрд", "миллиардов":
		return 1e9
	}
	return 0
}

// isLabel reports whether a number behind a word is a name: platform 3.
func isLabel(w string) bool {
	return strings.Contains(" platform gleis track seat coach room raum zimmer floor gate terminal line linie bus page seite port chapter kapitel apartment "+
		"wagen platz путь вагон место кабинет платформа платформы квартира класс error fehler zeile ", " "+w+" ")
}
