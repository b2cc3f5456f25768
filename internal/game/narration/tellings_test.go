package narration_test

import (
	"strings"
	"testing"
)

// sceneDrafts has the checker of a scene read drafts: each line is a scene, what is wrong, and the words.
func sceneDrafts(t *testing.T, lang, list string) {
	t.Helper()
	for line := range strings.Lines(list) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), "|")
		if ok {
			drafts(t, scene(t, lang, name), rest)
		}
	}
}

// What came off is not told as if it had not, nor the other way round.
func TestHowThingsCameOut(t *testing.T) {
	sceneDrafts(t, "en", `
hit|outcome|You swing, and you miss the cave rat.
hit|outcome|Your shot goes wide of the cave rat.
hit||You hit the cave rat, and its teeth miss you by an inch.
hit||You almost miss, but the blow lands. The rat misses its chance.
hit||You will not miss the mill when this is over.
miss|outcome|Your blow strikes home.
miss||You miss the cave rat by a hand's breadth.
miss||Your blow goes wide, and the rat gets up on its hind legs.
kill||The cave rat lies still. Jack is alive, and so are you.
kill||If the cave rat were still alive, you would know it.
hurt|hp|You are unharmed.
hurt|hp|There is not a scratch on you.
hurt||Jack is unharmed, but you are bleeding.
hurt||You are not unharmed, but you stand.
give|outcome|You hold out the lantern to Osric, but he refuses it, and you keep it.
give|outcome|Osric refuses to take the lantern.
give||Osric takes the lantern and refuses to meet your eye.
give||Osric takes the lantern. You keep your thoughts to yourself.
give||Osric keeps the lantern close.
get|outcome|Osric refuses to hand over the healing potion.
get|outcome|You walk back to the wheel with nothing.
get||Osric gives you the healing potion, with nothing to say for himself.
get||Osric gives you the healing potion; he refuses to say why.
take|outcome|You reach for the bone key, but it is gone.
take|outcome|You touch the bone key, and it crumbles to rust.
take|outcome|You look at the bone key, think better of it and put it back.
take||You take the bone key, and the cold is gone from your fingers.
take||You take the bone key. The rat has vanished under the wheel.
take||You take the bone key; your doubts are gone.
take|outcome|You cannot take the bone key.
take|outcome|You decide not to take the bone key.
take||You do not take the rope.
give|outcome|Osric will not take the lantern.
check|outcome|You study the wheel, but you fail to understand it.
check|outcome|The wheel means nothing to you.
check||At first it makes no sense; then you see it.
check||You understand how the wheel works, though Jack fails to.
check||You do not fail: the wheel gives up its secret.
fail|outcome|You work out how the wheel turns.
fail||You push with all your strength, but fail to move it. You cannot work it out.
put|outcome|The lantern slips through a crack and is gone.
put||You put the lantern into the iron chest, and its light is gone from the walls.
drop||The lantern slips from your hand and lands on the boards.
`)
	sceneDrafts(t, "ru", `
hit|outcome|Вы бьёте и промахиваетесь.
hit|outcome|Ваш выстрел проходит мимо крысы.
hit||Вы попадаете в пещерную крысу, и её зубы щёлкают мимо.
hit||Вы не промахиваетесь.
hit||Вы попадаете в крысу, пройдя мимо колеса.
miss|outcome|Ваш выстрел попадает в цель.
miss||Вы промахиваетесь, и крыса шипит.
kill||Крыса не шевелится. Джек жив, и вы тоже.
hurt|hp|Вы целы и невредимы.
hurt|hp|На вас ни царапины.
hurt||Джек невредим, а у вас течёт кровь.
give|outcome|Осрик отказывается взять фонарь.
give|outcome|Вы протягиваете фонарь Осрику, но оставляете его себе.
give||Осрик берёт фонарь и отказывается смотреть вам в глаза.
get|outcome|Осрик отказывается отдать лечебное зелье.
get|outcome|Вы уходите к колесу ни с чем.
get||Осрик отдаёт вам лечебное зелье и отказывается от разговора.
take|outcome|Вы тянетесь к костяному ключу, но он исчезает.
take|outcome|Костяной ключ рассыпается в пыль.
take||Вы берёте костяной ключ, и холод исчезает.
take||Вы берёте костяной ключ. Крыса исчезла под колесом.
take|outcome|Вы не берёте костяной ключ.
check||Вы смотрите на колесо, пока не понимаете его.
check|outcome|Вы смотрите на колесо, но понять его не удаётся.
check|outcome|Вы не понимаете, как оно устроено.
check||Сначала ничего не получается, потом вы понимаете.
check||Вы понимаете, как устроено колесо, хотя Джек не понимает.
fail|outcome|Вам удаётся сдвинуть колесо.
fail||Сдвинуть колесо вам не удаётся.
put||Вы кладёте фонарь в железный сундук, и тени исчезают.
drop||Фонарь выскальзывает из рук и падает на доски.
`)
	sceneDrafts(t, "zh", `
hit|outcome|你的一击落空了。
hit|outcome|你没有击中，打偏了。
hit||你击中了洞鼠，它扑上来却落空了。
miss|outcome|你的箭正中目标。
miss||你打偏了，洞鼠嘶嘶叫。
kill||洞鼠不动了。杰克还活着。
hurt|hp|你毫发无伤。
hurt||杰克毫发无伤，你却流着血。
give|outcome|你把提灯递给奥斯里克，他却拒绝了。
give|outcome|你把提灯递过去，又自己留着了。
give||奥斯里克收下提灯，拒绝看你的眼睛。
get|outcome|奥斯里克拒绝给你治疗药水。
get|outcome|你两手空空。
take|outcome|你去拿骨钥匙，它却不见了。
take||你拿起骨钥匙，心里的疑虑不见了。
take|outcome|你没有拿起骨钥匙。
take|outcome|你看了看骨钥匙，又把它放了回去。
check|outcome|你看着水轮，却看不懂它。
check||起初你看不懂，后来忽然明白了。
fail|outcome|你弄懂了水轮的原理。
fail||你用尽力气，还是失败了。
`)
}

// Doors and boxes are open or shut as they are.
func TestWhatIsOpen(t *testing.T) {
	sceneDrafts(t, "en", `
locked|state|The lock clicks open.
locked|state|The door to the Root Cellar swings open.
locked|state|You push, and the door gives way.
locked|state|You shove the door, and it opens.
nothing|state|The door of the Root Cellar stands open.
locked||The door will not open. You open your eyes.
locked||You try to open the door, but the lock holds.
locked||If the door opened, you would hear it.
locked||The way to the Flooded Crypt is open, but the door to the Root Cellar is not.
nothing||The door to the mill creaks open, and a wind comes in.
nothing||You open your mouth, and shut it again.
locked|move|You step through into the dark.
locked||You step down from the sill.
`)
	sceneDrafts(t, "ru", `
locked|state|Замок щёлкает и открывается.
locked|state|Дверь в Погреб с кореньями распахивается.
nothing|state|Дверь в Погреб с кореньями открыта.
locked||Дверь не открывается. Вы открываете глаза.
locked||Вы пытаетесь открыть дверь, но замок держит.
nothing||Вы открываете рот и снова закрываете.
`)
	sceneDrafts(t, "zh", `
locked|state|锁咔嗒一声开了。
locked|state|菜根地窖的门开了。
nothing|state|菜根地窖的门开着。
locked||门打不开。你睁开眼睛。
locked||你想打开门，锁却不动。
locked|move|你往下走进黑暗里。
`)
}

// The hour and how long things take are those of the story.
func TestWhatTimeItIs(t *testing.T) {
	sceneDrafts(t, "en", `
nothing|time|It is now 16:30.
nothing|time|It is half past three already.
nothing|time|Two hours pass before you look up.
nothing|time|You stand there for an hour.
nothing||It is 15:00. It is three o'clock now.
nothing||It is 3:00 in the afternoon.
nothing||The ferry leaves at half past five, and it was here an hour ago.
nothing||A minute passes, and then another. It would take an hour to mend this.
nothing||By 18:00 it will be dark.
nothing||You could wait for an hour.
nothing||Somebody was here an hour ago.
nothing||The wheel has stood for forty years.
`)
	sceneDrafts(t, "ru", `
nothing|time|Сейчас 16:30.
nothing|time|Уже половина пятого.
nothing|time|Прошло два часа.
nothing||Сейчас 15:00.
nothing||Прошла минута. Кто-то был здесь час назад.
nothing||К 18:00 стемнеет.
`)
	sceneDrafts(t, "zh", `
nothing|time|现在是16:30。
nothing|time|已经四点半了。
nothing|time|过了两个小时。
nothing||现在是15:00。
nothing||已经三点整了。
nothing||再过两个小时天就黑了。
`)
}

// Numbers in words are numbers.
func TestNumbersInWords(t *testing.T) {
	sceneDrafts(t, "en", `
check|number|Sixteen against twelve: the wheel is yours.
check||Fifteen against twelve: the wheel turns.
nothing||Two against one is no fair fight.
nothing|number|You count seven gold coins.
nothing|number|Twelve gold left, you think.
nothing||You count twenty gold coins. One of them is bent.
nothing||Three gold threads run through the cloth.
hurt|hp|You stagger and lose seven.
hurt||You lose four, and the rat loses its grip.
`)
	sceneDrafts(t, "ru", `
check|number|Шестнадцать против двенадцати.
check||Пятнадцать против двенадцати.
nothing|number|У вас семь золотых монет.
nothing||У вас двадцать золотых монет.
`)
	sceneDrafts(t, "zh", `
check|number|十六对十二，水轮转了。
check||十五对十二，水轮转了。
nothing|number|你数了数，七枚金币。
nothing||你数了数，二十枚金币。
`)
}

// What is given besides, or slipped into a pocket, is given.
func TestSecondGifts(t *testing.T) {
	sceneDrafts(t, "en", `
get|item|Osric gives you the healing potion and a silver ring to keep you safe.
take|item|You take the bone key and a rusty shield that leans beside it.
nothing|item|Osric slips something cold into your palm.
nothing|item|Osric presses a coin into your hand.
nothing|item|Osric hands you an envelope.
nothing|item|In return Osric gives you a small brass token.
nothing||You lift your coat from the nail.
nothing||Osric hands you a look. Osric gives you a crooked salute.
nothing||Osric presses his hand to yours. You slip your hand into your pocket.
nothing||The cold creeps into your sleeves, and a breath into your coat.
take||You take the bone key and a step back.
nothing||You lower the lantern. You raise the lantern, and it burns low.
nothing||You leave the rope where it is. Osric sets down a cup.
nothing||You remember how it would be: the door flung back, the bone key in your hand.
nothing||You imagine that you take the bone key and leave.
`)
	sceneDrafts(t, "ru", `
get|item|Осрик отдаёт вам лечебное зелье и старый плащ.
take|item|Вы берёте костяной ключ и ржавый щит.
nothing|item|Осрик суёт вам в ладонь что-то холодное.
nothing|item|Осрик протягивает вам конверт.
nothing||Осрик протягивает вам руку.
nothing||Осрик кладёт вам руку на плечо.
nothing||Вы поднимаете фонарь. Вы оставляете верёвку там, где она лежит.
nothing||Костяного ключа у вас нет.
nothing||Вы представляете, как берёте костяной ключ и уходите.
take||Вы берёте костяной ключ, и лампа гаснет.
`)
	sceneDrafts(t, "zh", `
take|item|你拿起骨钥匙，还有一面锈盾牌。
take|item|你拿起骨钥匙和绳子。
nothing|item|奥斯里克把一件又小又凉的东西塞进你的掌心。
nothing||一阵冷风落进你的袖子。
nothing||绳子你留在原地。你得找到骨钥匙。
nothing||黑暗离开了房间。
`)
}

// Somebody who is elsewhere neither comes nor sits here, whatever the order of words; nobody dies or leaves in words.
func TestComingAndGoing(t *testing.T) {
	sceneDrafts(t, "en", `
nothing|person|On an upturned crate sits Lena, peeling an apple.
nothing|person|By the wheel Lena, flour to the elbow, waves at you.
nothing||Lena's apron hangs by the wheel.
nothing||On a nail hangs Lena's apron.
nothing|death|Jack is no more.
nothing|move|Osric walks away.
nothing|move|Osric stands up and leaves the room.
nothing||Osric leaves the lantern alone.
nothing|move|Jack goes upstairs.
nothing||Osric turns away and steps closer to the wheel.
nothing|hp|Blood runs down your arm.
nothing||There is old blood on the boards.
nothing|secret|It was he who sold it all.
`)
	sceneDrafts(t, "ru", `
nothing|person|В дверь входит Лена.
nothing|person|На ящике сидит Мельничиха Лена.
nothing|person|На ящике сидит Лена.
nothing|move|Осрик встаёт и уходит.
nothing||На гвозде висит фартук Лены.
nothing|death|Джека больше нет.
nothing||Верёвки больше нет.
nothing|hp|Кровь течёт у вас по руке.
nothing||Лампа горит. Темнота покидает комнату.
`)
	sceneDrafts(t, "zh", `
nothing|person|莱娜推门进来。
nothing|person|莱娜坐在一只箱子上。
nothing|move|奥斯里克走远了。
nothing||奥斯里克走近一步。
`)
}
