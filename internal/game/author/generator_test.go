package author_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"hob/internal/game/author"
)

// property is a property of a schema, or one of its items.
type property struct {
	name string
	*schema
}

// schema is the schema of a question, with the properties in their order.
type schema struct {
	Type       string
	Enum       []string
	Items      *schema
	MinItems   int
	Properties ordered
}

type ordered []property

// UnmarshalJSON keeps the order in which the properties stand.
func (o *ordered) UnmarshalJSON(raw []byte) error {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		p := property{name: fmt.Sprint(name), schema: &schema{}}
		if err := dec.Decode(p.schema); err != nil {
			return err
		}
		*o = append(*o, p)
	}
	return nil
}

// bank is what a model of the tests writes in a language.
type bank struct{ which, what, sentences []string }

func banks() map[string]bank {
	return map[string]bank{
		"en": {
			[]string{"Old", "Narrow", "Silent", "Copper", "Grey", "Broken", "Salt", "Northern", "Blind", "Quiet", "Upper", "Winter"},
			[]string{"Lantern", "Gallery", "Harbour", "Widow", "Ledger", "Staircase", "Chapel", "Keeper", "Kettle", "Orchard", "Ferry", "Letter", "Cellar", "Bell"},
			[]string{
				"The wind comes in from the sea, and nobody has closed the shutters.", "A chair stands on the table, with its legs in the air.",
				"You hear the rain on the roof and a clock that is slow.", "They were married in this room, and it still smells of wax.",
				"There is a letter for you, but it has not been written yet.", "On the wall hangs a map of an island that is not there.",
			},
		},
		"ru": {
			[]string{"Старая", "Узкая", "Тихая", "Медная", "Серая", "Сломанная", "Соляная", "Северная", "Слепая", "Верхняя", "Зимняя", "Дальняя"},
			[]string{"лампа", "галерея", "гавань", "вдова", "книга", "лестница", "часовня", "сторожка", "кружка", "роща", "лодка", "записка", "кладовая", "дверца"},
			[]string{
				"С моря дует ветер, и ставни никто не закрыл.", "На столе стоит стул ножками вверх.", "Вы слышите дождь на крыше и часы, которые отстают.",
				"Здесь их венчали, и до сих пор пахнет воском.", "Для вас есть письмо, но его ещё не написали.", "На стене висит карта острова, которого нет.",
			},
		},
		"zh": {
			[]string{"老", "窄", "静", "铜", "灰", "破", "盐", "北", "盲", "高", "冬", "远"},
			[]string{"灯", "长廊", "港口", "寡妇", "账本", "楼梯", "礼拜堂", "守塔人", "水壶", "果园", "渡船", "书信", "地窖", "铃铛"},
			[]string{"海风吹进来，没有人关上窗板。", "桌上倒放着一把椅子。", "你听见屋顶的雨声，还有一只走慢的钟。", "他们就在这间屋里成的亲，到现在还有蜡的气味。", "有一封给你的信，可是还没有写。", "墙上挂着一张没有的岛的地图。"},
		},
	}
}

// fault is something that a model does wrong.
type fault string

const (
	unknownID     fault = "unknown id"
	missingKey    fault = "missing key"
	inACircle     fault = "locked in a circle"
	wrongLanguage fault = "wrong language"
	cutJSON       fault = "cut JSON"
	empty         fault = "empty"
	prose         fault = "words around it"
	marks         fault = "marks that a tale must not have"
	tooLong       fault = "a text that is too long"
	tooMany       fault = "too many items"
	tooFew        fault = "too few items"
	sameName      fault = "two of one name"
	wrongType     fault = "a number for a text"
	nothingSaid   fault = "empty texts"
)

func faults() []fault {
	return []fault{unknownID, missingKey, inACircle, wrongLanguage, cutJSON, empty, prose, marks, tooLong, tooMany, tooFew, sameName, wrongType, nothingSaid}
}

// drafter is a model that answers each question with what fits its schema, and makes a fault at some: one of a kind for each part, at so
// many questions for it as chance says.
type drafter struct {
	*rand.Rand
	lang  string
	fault fault          // of the question now, "" for none
	left  map[string]int // by the schema of a part: how often its fault is still made
	kind  map[string]fault
	made  map[fault]int
	used  map[string]bool // names
	since []string        // names of this answer
}

func newDrafter(seed uint64, lang string) *drafter {
	return &drafter{Rand: rand.New(rand.NewPCG(seed, 24)), lang: lang, left: map[string]int{}, kind: map[string]fault{}, made: map[fault]int{}, used: map[string]bool{}}
}

// ask is an [author.Asker].
func (d *drafter) ask(_ context.Context, q author.Question) (answer, model string, err error) {
	var s schema
	if err := json.Unmarshal(q.Schema, &s); err != nil {
		return "", "", fmt.Errorf("the schema cannot be read: %w: %s", err, q.Schema)
	}
	part := string(q.Schema)
	if _, known := d.kind[part]; !known {
		d.kind[part] = faults()[d.IntN(len(faults()))]
		d.left[part] = d.IntN(16) - 12 // of sixteen parts thirteen have none, and one is never right
	} else { // names that were not kept may be given again
		for _, name := range d.since {
			delete(d.used, name)
		}
	}
	d.fault, d.since = "", nil
	if d.left[part] > 0 {
		d.left[part]--
		d.fault = d.kind[part]
		d.made[d.fault]++
	}
	text := d.value("", &s)
	switch d.fault {
	case cutJSON:
		runes := []rune(text)
		text = string(runes[:len(runes)*(1+d.IntN(8))/9])
	case empty:
		text = []string{"", "{}", "null", "   ", "[]"}[d.IntN(5)]
	case prose:
		text = "Here is the tale:\n```json\n" + text + "\n```\nI hope you like it!"
	}
	return text, "fake:1b", nil
}

// value writes a value of a schema.
func (d *drafter) value(name string, s *schema) string {
	switch s.Type {
	case "object":
		var parts []string
		for i, p := range s.Properties {
			if d.fault == missingKey && i == len(s.Properties)/2 {
				continue
			}
			parts = append(parts, fmt.Sprintf("%q: %s", p.name, d.value(p.name, p.schema)))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case "array":
		n := s.MinItems
		switch d.fault {
		case tooMany:
			n += 2
		case tooFew:
			n--
		}
		var items []string
		for range n {
			items = append(items, d.value(name, s.Items))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	raw, _ := json.Marshal(d.text(name, s))
	if d.fault == wrongType && name != "hero" {
		return "17"
	}
	return string(raw)
}

// text writes a text: one of those that are asked for, a name or sentences.
func (d *drafter) text(name string, s *schema) string {
	switch {
	case d.fault == nothingSaid:
		return " "
	case len(s.Enum) > 0 && d.fault == unknownID:
		return "area_moon"
	case len(s.Enum) > 0 && d.fault == inACircle && (name == "to" || name == "from"):
		return s.Enum[len(s.Enum)-1]
	case len(s.Enum) > 0:
		return s.Enum[d.IntN(len(s.Enum))]
	case slices.Contains([]string{"name", "key", "what", "hero", "title", "role", "danger", "weather", "style"}, name):
		return d.name()
	}
	b := banks()[d.language()]
	text := b.sentences[d.IntN(len(b.sentences))]
	switch name {
	case "pitch":
	case "text": // no two goals are the same
		text = fmt.Sprint(d.name(), ": ", text)
	default:
		text += " " + b.sentences[d.IntN(len(b.sentences))]
	}
	switch d.fault {
	case marks:
		text = "<b>" + text + "</b> [x] | `y` \u202e http://z"
	case tooLong:
		text = strings.Repeat(text+" ", 40)
	}
	return text
}

// language is that of the tale, or another one.
func (d *drafter) language() string {
	if d.fault == wrongLanguage {
		return map[string]string{"en": "ru", "ru": "en", "zh": "en"}[d.lang]
	}
	return d.lang
}

func (d *drafter) name() string {
	b := banks()[d.language()]
	if d.fault == sameName {
		return b.which[0] + b.what[0]
	}
	for {
		blank := " "
		if d.lang == "zh" {
			blank = ""
		}
		name := b.which[d.IntN(len(b.which))] + blank + b.what[d.IntN(len(b.what))]
		if !d.used[name] {
			d.used[name] = true
			d.since = append(d.since, name)
			return name
		}
	}
}
