package grounding

import (
	"slices"
	"testing"
)

// What can be calculated from the results, the question and the answer itself follows; a value that is near is none of it.
func TestFollows(t *testing.T) {
	budget := "item,budget,actual\nfloor,12000,11650\nkitchen,18000,19800\nlamps,3500,3120\n"
	offers := "Dorn\nBox sign 200 x 50 cm\nPrice EUR 1,690, mounting EUR 280\nLead time 3 weeks\nMaas\nPainted panel\nEUR 820 plus EUR 150 mounting\n"
	bank := "date;payee;amount\n2026-11-16;Stadtwerke;-214.60\n2026-11-16;Oakfield;+500.00\n2026-11-17;Colbeck;-1150.00\n2026-11-19;Pell;+1059.10\n"
	speed := "date,down,ping\n2026-11-19,92.4,6\n2026-11-20,94.0,5\n2026-11-21,41.8,19\n2026-11-22,93.4,6\n"
	meter := "date;meter;kwh;note\n2026-01-01;1EMH;48210;\n2026-04-01;1EMH;49165;\n2026-07-01;1EMH;50402;3 weeks away\n"
	prices := "Museum\nAdults: 450\nPupils: 220\nPensioners: 250\n"
	shares := "fund,shares\nIndex A,3200.00\nGold,1200.00\n"
	values := "Index A    1.4520   +0.38%\nGold    2.1150   -0.72%\n"
	bakery := "item,sold,price\nbrownies,58,1.20\nflapjacks,31,1.00\nslices,40,1.50\n"
	shopping := "[ ] Kaffee 1 kg  12,99\n[ ] Hafermilch 6 x 1,29  7,74\n[ ] Käse 400 g  6,36\n[ ] Nudeln 3 x 1,19  3,57\n[ ] Tee 2 kg  4,40\n[ ] Kerzen  5,49\n"
	power := "month;kwh;eur\n2026-05;241;84.35\n2026-06;228;79.80\n2026-07;219;76.65\n2026-08;233;81.55\n2026-09;246;86.10\n2026-10;268;93.80\n"
	for _, tt := range []struct {
		results        []string
		answer, number string
		follows        bool
	}{
		{[]string{budget}, "The floor was 350 cheaper.", "350", true},
		{[]string{budget}, "The floor was 353 cheaper.", "353", false},
		{[]string{offers}, "Maas costs EUR 970 with mounting.", "970", true},
		{[]string{offers}, "Maas costs EUR 960 with mounting.", "960", false},
		{[]string{bank}, "1,364.60 went out, and 1,559.10 came in.", "1,364.60", true},
		{[]string{bank}, "1,374.60 went out, and 1,559.10 came in.", "1,374.60", false},
		{[]string{speed}, "Without that day it's 93.3 on average.", "93.3", true},
		{[]string{meter}, "From April to July you used 1237 kWh.", "1237", true},
		{[]string{prices}, "For two adults and three pupils it's 1560.", "1560", true},
		{[]string{prices}, "For two adults and three pupils it's 1565.", "1565", false},
		{[]string{shares, values}, "The index is worth 4,646.40, all of it 7,184.40.", "4,646.40", true},
		{[]string{shares, values}, "The index is worth 4,646.40, all of it 7,184.40.", "7,184.40", true},
		{[]string{shares, values}, "The index is worth 4,656.40.", "4,656.40", false},
		{[]string{bakery}, "The sale brought 160.60.", "160.60", true},
		{[]string{bakery}, "The sale brought 161.60.", "161.60", false},
		{[]string{shopping}, "Das kostet zusammen 40,55 €.", "40,55", true},
		{[]string{shopping}, "Das kostet zusammen 40,65 €.", "40,65", false},
		{[]string{power}, "From July to September it was 698 kWh.", "698", true},
		{[]string{power}, "From July to September it was 699 kWh.", "699", false},
		{[]string{"Power 320 W, 39 dB, runs 8 hours"}, "At 320 W 8 hours take 2.56 kWh.", "2.56", true},
		{[]string{"Keep it between 68 and 77 °F"}, "Keep it between 20 and 25 °C.", "20", true},
		{[]string{"25p per kWh, standing charge 60p\nused: 320 kWh, 30 days"}, "320 kWh at 25p are £80.00.", "80.00", true},
		{[]string{"奶奶 1944-12-19\n今天 2026-11-25"}, "再过 24 天是奶奶的生日。", "24", true},
		{[]string{offers}, "For the van that's (19 + 61) × 3.55 = 284.00 more.", "284.00", true},
		{[]string{offers}, "For the van that's (19 + 61) × 3.55 = 285.00 more.", "285.00", false},
		{[]string{"v0.9.4 (2026-05-02)\nv0.9.3 (2026-03-18)"}, "It came six and a half weeks later.", "six and a half", true},
		{[]string{"v0.9.4 (2026-05-02)\nv0.9.3 (2026-03-18)"}, "It came five and a half weeks later.", "five and a half", false},
		{[]string{"per 1 kg of plums: 500 g gelling sugar", "plums: 1.4 kg"}, "For 1.4 kg of plums you need 700 g of gelling sugar.", "700", true},
		{[]string{"per 1 kg of plums: 500 g gelling sugar", "plums: 1.4 kg"}, "For 1.4 kg of plums you need 750 g of gelling sugar.", "750", false},
		{[]string{"Bank holidays in England 2027\n1 January\n26 March\n29 March\n3 May\n31 May"}, "There are five.", "five", true},
		{[]string{"Bank holidays in England 2027\n1 January\n26 March\n29 March\n3 May\n31 May"}, "There are eight.", "eight", false},
	} {
		c := newChecker(tt.answer, Sources{Results: tt.results, Question: "How much is it?"})
		c.read()
		i := slices.IndexFunc(c.claims, func(x claim) bool { return x.text == tt.number })
		if i < 0 || c.claims[i].ok != tt.follows {
			t.Errorf("%q: %s follows: %v, want %v", tt.answer, tt.number, !tt.follows, tt.follows)
		}
	}
}
