package narration

import "strings"

// numberWord returns what a word for a number up to sixty means, 0 for any other word. Russian ones may be in the genitive.
func numberWord(w string) int64 {
	if w == "" || w[0] < 0x80 {
		tens, ones, ok := strings.Cut(w, "-")
		if ok {
			if n := numberEnglish(tens); n < 20 || n%10 != 0 {
				return 0
			}
			return numberEnglish(tens) + numberEnglish(ones)
		}
		return numberEnglish(w)
	}
	return numberRussian(w)
}

func numberEnglish(w string) int64 {
	switch w {
	case "one":
		return 1
	case "two":
		return 2
	case "three":
		return 3
	case "four":
		return 4
	case "five":
		return 5
	case "six":
		return 6
	case "seven":
		return 7
	case "eight":
		return 8
	case "nine":
		return 9
	case "ten":
		return 10
	case "eleven":
		return 11
	case "twelve":
		return 12
	case "thirteen":
		return 13
	case "fourteen":
		return 14
	case "fifteen":
		return 15
	case "sixteen":
		return 16
	case "seventeen":
		return 17
	case "eighteen":
		return 18
	case "nineteen":
		return 19
	case "twenty":
		return 20
	case "thirty":
		return 30
	case "forty":
		return 40
	case "fifty":
		return 50
	case "sixty":
		return 60
	}
	return 0
}

func numberRussian(w string) int64 {
	switch w {
	case "одно", "одного":
		return 1
	case "два", "двух", "две":
		return 2
	case "три", "трех":
		return 3
	case "четыре", "четырех":
		return 4
	case "пять", "пяти":
		return 5
	case "шесть", "шести":
		return 6
	case "семь", "семи":
		return 7
	case "восемь", "восьми":
		return 8
	case "девять", "девяти":
		return 9
	case "десять", "десяти":
		return 10
	case "одиннадцать", "одиннадцати":
		return 11
	case "двенадцать", "двенадцати":
		return 12
	case "тринадцать", "тринадцати":
		return 13
	case "четырнадцать", "четырнадцати":
		return 14
	case "пятнадцать", "пятнадцати":
		return 15
	case "шестнадцать", "шестнадцати":
		return 16
	case "семнадцать", "семнадцати":
		return 17
	case "восемнадцать", "восемнадцати":
		return 18
	case "девятнадцать", "девятнадцати":
		return 19
	case "двадцать", "двадцати":
		return 20
	case "тридцать", "тридцати":
		return 30
	case "сорок", "сорока":
		return 40
	case "пятьдесят", "пятидесяти":
		return 50
	}
	return 0
}
