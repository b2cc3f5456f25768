package skills

import (
	"slices"
	"sync"

	"hob/internal/lists"
)

// Set holds skills by name, in the order in which their names came. The zero Set is empty and ready to use. It is safe for
// concurrent use.
type Set struct {
	mu  sync.RWMutex
	all []*Skill
}

// Add puts a skill into the set; it takes the place of one of the same name. The function it returns takes that very skill
// out again: after another has taken its place, or a second time, it does nothing.
func (s *Set) Add(skill Skill) (remove func()) {
	added := &skill
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(skill.Name); i >= 0 {
		s.all[i] = added
	} else {
		s.all = append(s.all, added)
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all = slices.DeleteFunc(s.all, func(have *Skill) bool { return have == added })
	}
}

// ByName returns the skill of that name, and whether there is one.
func (s *Set) ByName(name string) (Skill, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if i := s.index(name); i >= 0 {
		return *s.all[i], true
	}
	return Skill{}, false
}

// All returns the skills.
func (s *Set) All() []Skill {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := lists.Map(s.all, func(skill *Skill) Skill { return *skill })
	return all
}

// index is where the skill of that name is, or -1.
func (s *Set) index(name string) int {
	return slices.IndexFunc(s.all, func(have *Skill) bool { return have.Name == name })
}
