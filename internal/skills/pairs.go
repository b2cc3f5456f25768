package skills

import (
	"iter"
	"unicode"
)

// pair is two neighbouring letters of a script that is written without blanks: most words of it are two letters long.
type pair [2]rune

// pickByPairs picks from n things, each with its words, by the pairs that they share with a message. A pair that many
// things have says less of each.
func pickByPairs(message string, n int, words func(i int) []string) []picked {
	number := map[pair]int{} // of a pair of the message
	for p := range pairs(message) {
		if _, ok := number[p]; !ok && !isEmptyPair(p) {
			number[p] = len(number)
		}
	}
	if len(number) == 0 {
		return nil
	}
	shared := make([][]int, n)         // the numbers of the pairs that a thing has
	having := make([]int, len(number)) // how many things have a pair
	latest := make([]int, len(number)) // the last thing that was found to have it, from 1
	for i := range n {
		for _, text := range words(i) {
			for p := range pairs(text) {
				k, ok := number[p]
				if !ok || latest[k] == i+1 {
					continue
				}
				latest[k] = i + 1
				having[k]++
				shared[i] = append(shared[i], k)
			}
		}
	}
	return pick(n, func(i int) (p points) {
		for _, k := range shared[i] {
			p += max(1, points(10/having[k]))
		}
		return p
	})
}

// pairs yields the pairs of a text in their order.
func pairs(text string) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		var before rune
		for _, r := range text {
			if !isUnspaced(r) {
				before = 0
				continue
			}
			if before != 0 && !yield(pair{before, r}) {
				return
			}
			before = r
		}
	}
}

// isUnspaced reports whether r belongs to a script that is written without blanks, or, as Korean, with endings on the words.
func isUnspaced(r rune) bool {
	switch {
	case r < 0x1100: // before all of them
		return false
	case 0x4E00 <= r && r <= 0x9FFF, r == 'ー': // nearly all of them; the mark of a long vowel belongs to no script
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// isEmptyPair reports whether a pair is a word that stands in any sentence and says nothing of what it is about.
func isEmptyPair(p pair) bool {
	switch string(p[:]) {
	case "什么", "怎么", "怎样", "如何", "可以", "能够", "需要", "一个", "一下", "一些", "这个", "那个", "这些", "那些", "我们", "你们", "他们",
		"自己", "没有", "不是", "就是", "还是", "如果", "因为", "所以", "但是", "以及", "或者", "帮我", "给我", "请问", "谢谢", "你好":
		return true
	}
	return false
}
