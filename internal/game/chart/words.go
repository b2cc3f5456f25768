package chart

// sign is one of the signs of a map that its legend explains.
type sign int

const (
	signHere sign = iota
	signFog
	signOpen
	signClosed
	signLocked
	signOneWay
	signStairs
	signUp
	signDown
	signParty
	signPeople
	signThings
	signTrail
	signCount
)

// doorSign returns the sign of a door, and false for no door.
func doorSign(d Door) (s sign, ok bool) {
	n := doorStrength(d)
	return signOpen + sign(n-1), n > 0
}

// words are what a map says of itself.
type words struct {
	title, unknown                  string // of a map and of a room without a name
	north, metres, shown, of, apart string
	and                             string // what is left out of a list
	meaning                         [signCount]string
}

// wordsOf returns the words of a language; what is not Russian or Chinese is English.
func wordsOf(lang string) *words {
	switch lang {
	case "ru":
		return &words{title: "Карта", unknown: "неизвестное место", north: "С", metres: "м", shown: "показано мест:", of: "из",
			apart: "близкие места раздвинуты", and: "и ещё:",
			meaning: [signCount]string{"вы здесь", "ещё не посещено", "открытая дверь", "закрытая дверь", "запертая дверь",
				"путь в одну сторону", "лестница", "путь наверх", "путь вниз", "участник", "кто-то есть", "что-то есть", "ваш путь"}}
	case "zh":
		return &words{title: "地图", unknown: "未知地点", north: "北", metres: "米", shown: "显示地点:", of: "/",
			apart: "相近的地点已分开绘制", and: "其余:",
			meaning: [signCount]string{"当前位置", "尚未到访", "开着的门", "关着的门", "锁着的门", "单向通道", "楼梯", "向上", "向下", "队员", "有人", "有物品", "走过的路"}}
	}
	return &words{title: "Map", unknown: "unknown place", north: "N", metres: "m", shown: "places shown:", of: "of",
		apart: "places close together are drawn apart", and: "and more:",
		meaning: [signCount]string{"you are here", "not visited yet", "open door", "closed door", "locked door", "one way",
			"stairs", "a way up", "a way down", "a member of the party", "people", "things", "your trail"}}
}

// explainSigns returns what the signs that were used and have a look mean, each after it.
func (w *words) explainSigns(used [signCount]bool, looks [signCount]string, is string) (out []string) {
	for s, yes := range used {
		if yes && looks[s] != "" {
			out = append(out, looks[s]+is+w.meaning[s])
		}
	}
	return out
}
