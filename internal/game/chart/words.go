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
	drawn                           [signCount]string // how a sign looks in a picture
}

// wordsOf returns the words of a language; what is not Russian or Chinese is English.
func wordsOf(lang string) *words {
	switch lang {
	case "ru":
		return &words{title: "Карта", unknown: "неизвестное место", north: "С", metres: "м", shown: "показано мест:", of: "из",
			apart: "близкие места раздвинуты", and: "и ещё:",
			meaning: [signCount]string{"вы здесь", "ещё не посещено", "открытая дверь", "закрытая дверь", "запертая дверь",
				"путь в одну сторону", "лестница", "путь наверх", "путь вниз", "участник"},
			drawn: [signCount]string{"толстая рамка", "штриховая рамка", "две чёрточки", "поперечная черта", "черта с точкой",
				"стрелка", "пунктирная линия", "треугольник вверх", "треугольник вниз", "кружок"}}
	case "zh":
		return &words{title: "地图", unknown: "未知地点", north: "北", metres: "米", shown: "显示地点:", of: "/",
			apart: "相近的地点已分开绘制", and: "其余:",
			meaning: [signCount]string{"当前位置", "尚未到访", "开着的门", "关着的门", "锁着的门", "单向通道", "楼梯", "向上", "向下", "队员"},
			drawn:   [signCount]string{"粗框", "虚线框", "两条短线", "横线", "横线加圆点", "箭头", "点线", "上三角", "下三角", "圆圈"}}
	}
	return &words{title: "Map", unknown: "unknown place", north: "N", metres: "m", shown: "places shown:", of: "of",
		apart: "places close together are drawn apart", and: "and more:",
		meaning: [signCount]string{"you are here", "not visited yet", "open door", "closed door", "locked door", "one way",
			"stairs", "a way up", "a way down", "a member of the party"},
		drawn: [signCount]string{"thick edge", "dashed edge", "two short bars", "bar", "bar with a dot", "arrow",
			"dotted line", "triangle up", "triangle down", "circle"}}
}

// explainSigns returns what the signs that were used mean, each after how it looks.
func (w *words) explainSigns(used [signCount]bool, looks [signCount]string, is string) (out []string) {
	for s, yes := range used {
		if yes {
			out = append(out, looks[s]+is+w.meaning[s])
		}
	}
	return out
}
