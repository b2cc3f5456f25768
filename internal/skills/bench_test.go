package skills_test

import (
	"fmt"
	"testing"

	"hob/internal/skills"
	"hob/internal/tools"
)

// BenchmarkSearch looks through 200 tools in 30 skills for what a message is about, which is to take less than a millisecond.
func BenchmarkSearch(b *testing.B) {
	var all []skills.Skill
	for i := range 30 {
		s := skills.Skill{Name: fmt.Sprintf("skill-%02d", i), Keywords: []string{fmt.Sprintf("topic%02d", i), "天气"}, Tags: []string{"house", "garden"},
			Description: fmt.Sprintf("Does what has to do with topic number %d, which is described at some length", i)}
		for k := range 7 {
			if i*7+k < 200 {
				s.Tools = append(s.Tools, built(b, tools.Build(fmt.Sprintf("tool_%02d_%d", i, k)).Desc("Does a part of the topic, as its manual says.").Keyword("part")))
			}
		}
		all = append(all, s)
	}
	for name, message := range map[string]string{
		"words": "please look after topic07 in the Garden, and tell me what tool_12_3 is good for", "nothing": "qqq", "chinese": "明天的云多不多", "blank": " ",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				skills.Search(all, message, 0)
			}
		})
	}
}
