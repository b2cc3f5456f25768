package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"hob/internal/event"
	"hob/internal/policy"
	"hob/internal/tools"
)

// A decision may take 50 µs, with many grants and a long conversation in which the address is not found.
func BenchmarkJudge(b *testing.B) {
	var p policy.Policy
	for i := range 50 {
		p.Grants = append(p.Grants, event.Grant{Tool: "fetch", Host: fmt.Sprintf("host%d.example.com", i)})
	}
	for i := range 20 {
		p.Hosts = append(p.Hosts, fmt.Sprintf("all%d.example.com", i))
	}
	for name, words := range map[string][]string{
		"prose":     sentences("Please have a look at notes/shop.md. And then at www.example.com/a, if there is time. ", 40<<10),
		"addresses": sentences("https://www.example.com/2026/11/what-a-title.html or https://b.example.org.de/?q=not+this+one ", 40<<10),
		"dots":      {strings.Repeat(".", 40<<10)},
		"chinese":   sentences("请看一下这个网页。然后告诉我，谢谢。", 40<<10),
	} {
		for address, aim := range map[string]tools.Resource{"plain": at("https://b.example.org/a?b=c"), "idn": at("https://例子.example.org/")} {
			call := fetch(both, aim)
			call.Words = words
			b.Run(name+"/"+address, func(b *testing.B) {
				for b.Loop() {
					if r := p.Judge(b.Context(), call); r.Verdict != policy.Ask {
						b.Fatal(said(r))
					}
				}
			})
		}
	}
}

// sentences returns messages of about a kilobyte each, n bytes in all.
func sentences(one string, n int) []string {
	var all []string
	for n > 0 {
		text := strings.Repeat(one, 1<<10/len(one))
		all, n = append(all, text), n-len(text)
	}
	return all
}
