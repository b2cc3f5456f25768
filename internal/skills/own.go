package skills

import (
	_ "embed" // own.toml
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed own.toml
var ownWords string

var ownSkills = sync.OnceValue(func() (all map[string]Skill) {
	if _, err := toml.Decode(ownWords, &all); err != nil {
		panic(err) // a mistake in the source
	}
	return all
})

// Own returns one of the skills that hob itself has: its name, and its words of own.toml. It has no tools yet.
func Own(name string) Skill {
	s := ownSkills()[name]
	s.Name = name
	return s
}
