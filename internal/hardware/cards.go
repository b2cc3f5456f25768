package hardware

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed cards.txt
var cardFile string

// cardRates are the lines of cards.txt, in bytes a second by name.
var cardRates = sync.OnceValue(func() map[string]float64 {
	rates := map[string]float64{}
	for line := range strings.Lines(cardFile) {
		rate, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(rate); err == nil {
			rates[name] = float64(n) * 1e9
		}
	}
	return rates
})

// CardRate is how many bytes a second the cards read of their memory, by their names: that of the slowest, because each
// token passes all of them. 0 is unknown.
func CardRate(cards []Card) (rate float64) {
	for i, c := range cards {
		if one := cardRates()[c.Name]; i == 0 || one < rate {
			rate = one
		}
	}
	return rate
}
