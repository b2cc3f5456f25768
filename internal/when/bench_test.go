package when_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/when"
)

// BenchmarkRead reads what people write, and texts that are much longer: twice the text takes about twice the time.
func BenchmarkRead(b *testing.B) {
	now := parseNow(b, "2026-11-24 10:20 Europe/Berlin")
	short := map[string]string{
		"en": "remind me every Monday and Thursday at half past seven in the evening to take the bins out",
		"de": "erinnere mich jeden Montag und Donnerstag um halb acht abends daran, die Tonne rauszustellen",
		"ru": "напомни каждый понедельник и четверг в полвосьмого вечера вынести мусор",
		"zh": "每周一和周四晚上七点半提醒我倒垃圾",
	}
	for _, lang := range []string{"en", "de", "ru", "zh"} {
		for _, size := range []int{1, 1500, 3000, 6000, 12_000} {
			text := short[lang]
			if size > 1 {
				text = strings.Repeat(text+" ", size/len(text)+1)
			}
			b.Run(fmt.Sprintf("%s/%d", lang, size), func(b *testing.B) {
				for b.Loop() {
					_, _ = when.Read(text, lang, now)
				}
			})
		}
	}
}
