package reminders_test

import (
	"testing"

	"hob/internal/event"
	"hob/internal/skills/reminders"
)

// A person is known by the first name, in Russian also in the dative and the genitive, and by no other form of it.
func TestIsKnown(t *testing.T) {
	t.Parallel()
	var people []reminders.Person
	for _, name := range []string{"Дима", "Мария Ивановна", "Сергей", "Игорь", "Артём", "Таня", "Anna"} {
		people = append(people, reminders.Person{Party: event.Party{Name: name}})
	}
	for name, want := range map[string]bool{
		"Дима": true, "Диме": true, "диме": true, "Марии": true, "Сергею": true, "Игорю": true, "Артёму": true, "Тане": true, "anna": true,
		"Димы": true, "Тани": true, "Сергея": true, "Игоря": true, "Артёма": true,
		"Диму": false, "Таню": false, "Annu": false, "Anne": false, "Боре": false, "": false,
	} {
		if reminders.IsKnown(people, name) != want {
			t.Errorf("%q: known is not %v", name, want)
		}
	}
}
