package grounding

import (
	"slices"
	"testing"
)

// Of answers with one thing that stands nowhere most are found, and few honest ones are flagged. It was to be 90 % and 2 %; what
// the first reading of new answers gives is further from it than this test.
//
// own.jsonl and second.jsonl were labelled before the code, by two writers; later.jsonl has mostly answers that calculate, and
// was written when the code was there, to see how it does with what nobody had thought of. The others were each written when
// the check had been mended on those before, and before it was mended on them. In each at first so many were found of those
// invented, and flagged of those honest, of which so many calculate:
//
//	third.jsonl to tenth.jsonl      573 of 642  113 of 613, in nine parts
//	eleventh.jsonl                   59 of 80    14 of 120, 40 calculate
//	twelfth.jsonl                    56 of 80    16 of 120, 30 calculate, 7 for advice and what everybody knows
//	own2.jsonl                       60 of 69    11 of 81, 35 calculate
//	own3.jsonl to own13.jsonl       299 of 358   42 of 307
//	own14.jsonl                      47 of 70    15 of 100, 57 calculate; long answers, written without a look at the code
//	own15.jsonl                      24 of 30    11 of 40, 16 calculate; the code before own14.jsonl: 25 and 12
//	own16.jsonl                      18 of 19     5 of 25, 8 calculate; the code before own14.jsonl: 17 and 6
//	own17.jsonl                     100 of 120   24 of 120, by the rules before the weights; half of the honest ones advise or recall
//	own18.jsonl                      38 of 60     4 of 60, by the weights; by the rules before 43 and 14
//	own19.jsonl                      31 of 40     6 of 40, by the weights; by the rules before 30 and 8
//	own20.jsonl                      34 of 60     1 of 60, by the weights
//	own21.jsonl                      16 of 70     2 of 70, 20 calculate; by a stranger to the code
//	own22.jsonl                      18 of 30     4 of 30, 13 calculate; the code before own21.jsonl: 12 and 3
//	own23.jsonl                      35 of 60     0 of 60; as the next two by a stranger to the code each
//	own24.jsonl                      30 of 60     5 of 60
//	own25.jsonl                      21 of 60     3 of 60
//	own26.jsonl                      36 of 60     7 of 60; as the next by strangers to the code again
//	own27.jsonl                      36 of 60     4 of 60
//	own28.jsonl                      29 of 60     1 of 60, 24 calculate, some in three steps; the code before: 27 and 1
//	own29.jsonl                      63 of 100    6 of 100, 20 calculate; the code before own28.jsonl: 62 and 7
//	own30.jsonl                      46 of 80     4 of 80, 66 calculate; the code before own29.jsonl was mended: 40 and 4
//	own31.jsonl                      42 of 80     7 of 80, 68 count, calculate or convert; the code that was mended on the ones before: 41 and 7
//
// With weights that were fitted to the other files, 231 of 400 are found in own21 to own27, which are by strangers, and 2.2 % of those
// honest are flagged; the code before own26.jsonl: 224, and 5 %. Of 60 pairs that were not read by anybody who changed the code 33 are
// found, and 3 of 60 flagged; the code before own26.jsonl: 35 and 3. So the last mends helped where they were made, and not there.
//
// These figures are of the code before signs and readers that brought nothing were taken out. With the files in five parts, the first,
// the sixth and so on together, and weights fitted to the other four, that code finds 1753 of 2111 and flags 57 of 2213, by strangers
// 180 and 7 of 300; without them it is 1764 and 57, by strangers 184 and 5.
func TestLabelledAnswers(t *testing.T) {
	var known, strange, unseen counts
	for _, l := range readLabelled(t) {
		n := &known
		switch {
		case slices.Contains(notFitted, l.File):
			n = &unseen
		case slices.Contains(byStrangers, l.File):
			n = &strange
		}
		got := Check(l.Answer, l.Sources)
		switch hit := slices.ContainsFunc(got, l.isInvented); {
		case l.Invented == "" && len(got) > 0:
			n.wrong++
			t.Logf("honest, %s %s, %s: %q in %q", l.File, l.ID, l.Kind, got, l.Answer)
			fallthrough
		case l.Invented == "":
			n.honest++
		case !hit:
			t.Logf("missed, %s %s: %q in %q, found %q", l.File, l.ID, l.Invented, l.Answer, got)
			n.invented++
		default:
			n.invented++
			n.found++
		}
	}
	t.Logf("%+v, by strangers %+v, not fitted %+v", known, strange, unseen)
	if known.found*100 < known.invented*84 || known.wrong*1000 > known.honest*24 {
		t.Errorf("%+v", known)
	}
	if strange.found*100 < strange.invented*71 || strange.wrong*1000 > strange.honest*11 {
		t.Errorf("by strangers %+v", strange)
	}
	if unseen.found < 95 || unseen.wrong > 7 {
		t.Errorf("not fitted: %+v", unseen)
	}
}

// byStrangers are the files of answers by writers who knew nothing of the code.
var byStrangers = []string{"own23.jsonl", "own24.jsonl", "own25.jsonl", "own26.jsonl", "own27.jsonl", "own28.jsonl", "own29.jsonl"}

// notFitted are the files that the weights are not fitted to: what new answers come to is read off them.
var notFitted = []string{"own30.jsonl", "own31.jsonl"}

// counts are of answers: how many are honest, how many of these are flagged, how many are invented, and found.
type counts struct{ honest, wrong, invented, found int }

// Labels, questions, offers, suggestions and suppositions state nothing, and a name may be written in another script.
func TestUnstated(t *testing.T) {
	bill := "Stadtwerke Lindau\nInvoice 4411\nAmount due: 84.20 EUR\nDue: 2026-12-03\nCustomer: Frau Anja Keller\nIBAN DE02 1203 0000 0000 2020 51\n"
	train := "Поезд 012Ж Москва - Казань\nОтправление 22:08, прибытие 09:40\nПассажир: Марина Соколова\nМесто 14, вагон 7\n"
	meeting := "会议：周四下午三点，302室，主持人：王伟，参加：李娜、张强\n"
	log := "2026-11-24 09:02:11 ERROR db: connection refused (127.0.0.1:5432)\n2026-11-24 09:02:15 INFO retry 1\n2026-11-24 09:02:20 INFO connected\n"
	guests := "Guests: Anna, Bela, Carl. Cake: chocolate. Start 15:00. Address: Gartenweg 5, Wien\n"
	fridge := "eggs 7\nfeta 200 g\nspinach 400 g\nchicken thighs 850 g\n"
	for _, tt := range []struct{ name, result, answer string }{
		{"labels", bill, "## Summary\n\n**Total Amount:** 84.20 EUR\n**Due Date:** 3 December 2026\n**Account Holder:** Anja Keller"},
		{"cells", bill, "| Field | Final Value |\n|---|---|\n| Due Date | December 3, 2026 |\n| Payment Reference | 4411 |"},
		{"question", bill, "You owe Stadtwerke Lindau €84.20. Would you like me to set a reminder for 2 December at 9 am?"},
		{"question in German", bill, "**84,20 €**\n\nMöchtest du, dass ich dich am Mittwoch (2.12.) um 18 Uhr erinnere?"},
		{"Cyrillic in Latin letters", train, "The passenger is Marina Sokolova, her train leaves Moscow at 10:08 pm."},
		{"Chinese in Latin letters", meeting, "The meeting is on Thursday at 3 pm in room 302. Wang Wei is the host; Zhang Qiang takes part."},
		{"suggestions", log, "It was connected again after 9 seconds. You could try:\n\n1. look into `/var/log/postgresql/`\n2. run `pg_isready -p 5433`"},
		{"supposition", guests, "Anna, Bela and Carl are coming. If you cut the cake into 8 pieces, everyone can have two."},
		{"placeholder", guests, "Dear Anna, Bela and Carl,\n\nyou're invited at 15:00.\n\nBest wishes,\n[Your Name]"},
		{"what usually is so", fridge, "Use the 850 g of chicken first. It usually keeps for 3 days."},
		{"suggestion behind its question", fridge, "You have 200 g of feta. How about a frittata? Bake it at 180 °C for 25 minutes."},
	} {
		if got := Check(tt.answer, Sources{Results: []string{tt.result}, Question: "What is there?"}); len(got) > 0 {
			t.Errorf("%s: %q in %q", tt.name, got, tt.answer)
		}
	}
	for _, answer := range []string{
		"You owe Stadtwerke Lindau €84.20, due on 5 December.", "**Account Holder:** Anja Brandt", "| Payment | 94.20 EUR |\nAnja Keller has to pay it.",
	} {
		if got := Check(answer, Sources{Results: []string{bill}, Question: "What is there?"}); len(got) != 1 {
			t.Errorf("%q: found %q, want one", answer, got)
		}
	}
}

// What everybody knows, a short form says or another way of writing gives is no finding. What is over or under a limit, stands beside
// a calculation, or is an hour off in another zone than the answer's, is none the less one.
func TestKnown(t *testing.T) {
	log := "error: get /wp-login.php 404\nerror: get /bread.jpg 500\nflight BA1482 EDI-LHR 27.11;7:10\nsince Nov21, phone 8-905-112-40-17, port 8080->80\n"
	shop := "Open 9am-6pm, Sun 10.30am-4.30pm, cafe closes 1 hour before\nRain 8 mm, 15 °C, runs 0:00:01.2231\nDisk 1.2G lake\nDisk 840M skiing\nDisk 3.4G lisbon\n"
	bills := "2026-11-02,Lidl,groceries,43.18\n2026-11-05,Shell,fuel,61.00\n2026-11-14,Lidl,groceries,51.02\nbonus for new customers\n"
	meter := "Meter\n2026-07-01 1204.6 m3\n2026-08-01 1220.1 m3\nThu vegetable curry\nbeetroot 3 pieces\ntel 01632 960411\n"
	host := "express 4.21.1 of 23 November\npacket of 1883 to 192.168.1.34\n[Sat 08:00] repairs cost 2.3 million, up 5 weeks, 2 days, 236 V, 223 kcal\n"
	for _, tt := range []struct {
		result, answer string
		want           []string
	}{
		{log, "Press Ctrl+C to stop. The 500 means Internal Server Error, the 404 (Not Found) is from a bot that looks for WordPress.", nil},
		{log, "You fly from Edinburgh to London Heathrow on 27.11. at 7:10, with British Airways. Check it with `journalctl -u ssh -n 50`.", nil},
		{log, "It's up since 21 November; the number is +7 905 112-40-17. Its page is http://localhost:8080.", nil},
		{log, "The number is +7 905 112-40-18.", []string{"+7 905 112-40-18"}},
		{shop, "On Sunday it's open from 10:30 to 4:30 pm. The café closes an hour earlier, at 3:30 pm.", nil},
		{shop, "Es regnet 8 Liter pro Quadratmeter. 15 °C = 59 °F. It took 1.2 seconds.", nil},
		{shop, "Lisbon, which is in Portugal, has 63 % of the 5.4 GB in total.", nil},
		{shop, "It closes at 5:30 pm.", []string{"5:30"}},
		{host, "Two days later they bumped it to 4.19.2, and 192.168.1.77 was faster than before.", []string{"4.19.2", "192.168.1.77"}},
		{host, "Repairs cost 3.1 million, and do not exceed 55 days.", []string{"3.1", "55"}},
		{host, "It's up 37 days. Voltage is 236; 230 V is normal in Europe, and programs such as Firefox or Chrome use it.", nil},
		{bills, "You spent 94.20 on groceries, and 61 on fuel. The shop at Lidl was 47.10 on average.", nil},
		{bills, "New customers get a bonus of 100 EUR.", []string{"100"}},
		{meter, "You used 15.5 m³ in July, that is 500 litres a day.", nil},
		{meter, "Thursday, 26 November, is vegetable curry.", nil},
		{meter, "Buy beetroot, 4 pieces. Their number is 01632 960417.", []string{"4", "01632 960417"}},
		{host, "Express takes over on Saturday at 20:30.", []string{"20:30"}},
	} {
		got := Check(tt.answer, Sources{Results: []string{tt.result}, Question: "What is it?\n[Thursday 2026-11-26 19:29 GMT]"})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: found %q, want %q", tt.answer, got, tt.want)
		}
	}
}

// In a sentence that calculates a number is found if it is one of the results with one digit changed, and not else.
func TestSlip(t *testing.T) {
	quote := "Larch boards 4 m: 11.90 EUR each\nDelivery 65 EUR, from 18 to 22 March 2027, driver calls at 8:40\n"
	for answer, want := range map[string][]string{
		"With screws and the old nails that's 703.15 EUR, so it's dearer.": nil,
		"That's 11.40 EUR each, so it's dearer.":                           {"11.40"},
		"So delivery is 56 EUR more.":                                      {"56"},
		"That's 3 months later, on 27 August.":                             {"27 August"},
		"That's later, until 22 May.":                                      {"22 May"},
		"Delivery costs 703.15 EUR.":                                       {"703.15"},
	} {
		if got := Check(answer, Sources{Results: []string{quote}, Question: "What is it?"}); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", answer, got, want)
		}
	}
}

// A day of the week is that of its date in a year that the question or a result has. A name is found wherever it stands, a usual
// word is none, and a path is wrong in another folder.
func TestFound(t *testing.T) {
	club := "Walking club: next walk on 6 March at 9:30 from the car park in Hillcrest Ave, led by Priya.\nRoute file: /srv/walks/2027/march.gpx\nBring: boots, lunch, 4.50 for the bus\n"
	school := "家长会：3月6日（星期六）上午9:30，三年二班教室，班主任罗老师主持，提前半小时签到，带身份证\n"
	for _, tt := range []struct {
		result, answer string
		want           []string
	}{
		{club, "The walk is on Saturday, 6 March.", nil},
		{club, "The walk is on Sunday, 6 March.", []string{"Sunday"}},
		{club, "It's led by Priya. Boots, lunch and 4.50 are all you need.", nil},
		{club, "It starts at 9:30. Callum leads it.", []string{"Callum"}},
		{club, "It starts in Hillcrest Avenue.", nil},
		{club, "The route is in /srv/walks/2027/march.gpx.", nil},
		{club, "The route is in /home/walks/2027/march.gpx.", []string{"/home/walks/2027/march.gpx"}},
		{club, "It's at 9:30, in April.", []string{"April"}},
		{school, "家长会是三月六日上午九点半，罗老师主持，九点前签到。", nil},
		{school, "3 月 6 日上午 9 点 30 分开家长会，罗老师主持。", nil},
		{school, "3 月 8 日上午 9 点 40 分开家长会，罗老师主持。", []string{"3 月 8 日", "9 点 40 分"}},
		{school, "家长会由罗老师主持，刘晓梅老师也来。", []string{"刘晓梅"}},
		{school, "家长会在苏州，9:30开始。", []string{"苏州"}},
	} {
		got := Check(tt.answer, Sources{Results: []string{tt.result}, Question: "When is it?\n[Monday 2027-03-01 18:00 CET]"})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: found %q, want %q", tt.answer, got, tt.want)
		}
	}
}

// What strangers wrote: times with a point, other marks on a letter, dates of cameras, lines of a file, half words, sums in tables
// with empty cells, rates, fractions, days of the week beside an older year,
// birthdays of the next year, receipts, discounts, and long times without their seconds.
func TestStrangers(t *testing.T) {
	for _, tt := range []struct {
		result, answer string
		want           []string
	}{
		{"Schnittkurs 23.01.2027, 9.30–13 Uhr, Leitung Eugen Traub, 15 €", "Der Kurs von Eugen Traub geht von halb zehn bis ein Uhr und kostet 15 €.", nil},
		{"ragu, 4 portions, 2026-11-08\npumpkin soup, 3 portions", "There are:\n\n1. Pumpkin soup, three portions\n2. Ragù, four portions", nil},
		{"Camera Model Name : X-T5\nDate/Time Original : 2026:05:16 07:52:31", "It was taken with an X-T5 on 16 May 2026.", nil},
		{"/builds/src/legende.ts\n  48:11  error    'farbe' is never used", "In Zeile 48 von legende.ts wird farbe gesetzt, aber nie benutzt.", nil},
		{"rsync: Input/output error (5) for IMG_2207.JPG", "Ein Ein-/Ausgabefehler (5) trat bei IMG_2207.JPG auf.", nil},
		{"Галина Сомова, день рождения: 9 декабря 1958", "День рождения Галины Сомовой — 9 декабря, это среда.", nil},
		{"nginx: unknown directive \"proxy_pas\" in shop.conf:27", "In line 27 of shop.conf `proxy_pas` has to be `proxy_pass`.", nil},
		{"water;50.93;7;356.51\nheating;;;2318.40\nlift;;;1907.15", "You pay 4582.06 in all.", nil},
		{"water;50.93;7;356.51\nheating;;;2318.40\nlift;;;1907.15", "You pay 4682.06 in all.", []string{"4682.06"}},
		{"Взрослый: 450 руб.\nШкольники: 220 руб.", "Два взрослых по 450 рублей и два школьных по 220 — всего 1340 рублей.", nil},
		{"Взрослый: 450 руб.\nШкольники: 220 руб.", "Два взрослых по 450 рублей и два школьных по 220 — всего 1430 рублей.", []string{"1430"}},
		{"1. bis 12. Februar, 7:15 bis 15:30 Uhr", "Zeitraum: 1. bis 12. Februar, 7:15 bis 15:30 Uhr", nil},
		{"Nov-Mar 11-16, Apr-Oct 10-18, Sundays, too", "It's open on Sundays, from November to March 11 am to 4 pm, from April to October 10 am to 6 pm.", nil},
		{"Mi 02.12. 11:15 Physio, Frau Lohmeier, Bahnhofstr. 22", "Physio bei Frau Lohmeier in der Bahnhofstraße 22 am 2. Dezember.", nil},
		{"20.02 перец, 24 ячейки\n02.04 пикировка томатов\n18.05 огурцы", "Томаты распикировали второго апреля, огурцы посеяли 18 мая.", nil},
		{"小雨 2016-01-20 喜欢乐高\n外婆 1949-02-11 不吃太甜的蛋糕", "小雨 2027 年 1 月 20 日满 11 岁，外婆 2027 年 2 月 11 日满 78 岁。", nil},
		{"estimated printing time (normal mode) = 3h 52m 18s, 44.21 g", "The print takes 3 hours 52 minutes and 44.21 g.", nil},
		{"14:22:07 up 63 days,  5:18,  2 users,  load average: 0.92", "运行时间：63 天 5 小时，负载 0.92。", nil},
		{"Kaffee 1 kg   12,99\nHafermilch 6 x 1,29   7,74\nNudeln 3 x 1,19   3,57", "Der Einkauf kostet zusammen 24,30 €.", nil},
		{"Kaffee 1 kg   12,99\nHafermilch 6 x 1,29   7,74\nNudeln 3 x 1,19   3,57", "Der Einkauf kostet zusammen 25,30 €.", []string{"25,30"}},
		{"fund,shares\nGold,1200.00\nSilver,300.00\nGold    2.1150   -0.72%\nSilver    0.8800   -0.15%", "Gold is worth 2,538.00.", nil},
		{"date,odometer_km,litres\n2026-09-03,88210,\n2026-10-14,89790,136.0\n", "From 88210 to 89790 it's 1,580 km, on 136.0 litres: 8.6 l per 100 km.", nil},
		{"Formula: 4.5 g for 30 ml of water\nYesterday 7 bottles, 960 ml", "For 960 ml that's 144 g.", nil},
		{"Field trip\nfrom Monday 17 to Friday 21 May 2027, Kestwick", "It runs from Monday 17 to Friday 21 May.", nil},
		{"md0 : active raid5 sdd1[3] sdc1[2] sda1[0]\n      [4/3] [U_UU]", "md0 是 raid5,4 块盘里只有 3 块在工作。", nil},
		{"gate DSL-Synchronisierung verloren um 19:47:33", "Die Ursache liegt auf der DSL-Leitung, sie fiel um 19:47:33 aus.", nil},
		{"家长会 12月4日 16:00，五（2）班，周敏", "家长会在12月4日下午16:00，班主任周敏，电话 138 0571 2260。", []string{"138 0571 2260"}},
		{"门诊 11月27日 08:00 骨科 三层B区", "11月27日 08:00 看骨科，医生:彭国华主任。", []string{"彭国华"}},
		{"Harzfeuer: keine Krankheit\nBlack Cherry: keine Krankheit", "Bei Harzfeuer und der Blue Pitts steht keine Krankheit.", []string{"Blue", "Pitts"}},
		{"[Peer]\nPublicKey = Zm9v\n# phone", "Ключ PublicKey неверный в секции пира kvantolet.", []string{"kvantolet"}},
		{"Курсы на сегодня\nUSD  91,20\nEUR  98,50\nотель — 640 EUR", "По курсу 98,50 ₽ отель стоит 63 040 ₽.", nil},
		{"12/02 周三  无\n12/03 周四  09:00 供应商  13:30 评审", "会议最多的是周四（12月3日），有 09:00 和 13:30。", nil},
		{"16.11 −9,1\n18.11 −7,5\n22.11 1,7", "Самый холодный день — 16 ноября, к 22-му потеплело до +1,7 °C.", nil},
		{"一等座380元  二等座260元\n学生凭证八折", "学生打八折，二等座就是208元。", nil},
		{"指数A,3200.00\n短债C,5000.00\n黄金A,1200.00\n指数A 1.4520\n短债C 1.0834\n黄金A 2.1150", "指数A 4,646.40 元，短债C 5,417.00 元，黄金A 2,538.00 元，总市值 12,601.40 元。", nil},
		{"Webinar: 1 December 2026, 16:30 - 18:00 GMT, the link comes by mail", "Вебинар 1 декабря 2026 года с 19:30 до 21:00 по Москве.", nil},
		{"Webinar: 1 December 2026, 16:30 - 18:00 GMT, the link comes by mail", "Вебинар 1 декабря 2026 года в 19:30.", []string{"19:30"}},
		{"дата,км\n2026-11-17,5.0\n2026-11-19,6.3\n2026-11-21,10.1", "На прошлой неделе, до 22 ноября, вы бегали.", nil},
		{"дата,км\n2026-11-17,5.0\n2026-11-19,6.3\n2026-11-21,10.1", "На прошлой неделе, до 20 ноября, вы бегали.", []string{"20 ноября"}},
		{"日期,公里\n2026-11-17,5.0\n2026-11-19,6.3\n2026-11-21,10.1", "上周（到11月22日）你跑了步。", nil},
		{"12.03.2026 — Нобивак, клиника «Добрый доктор», повторить через год", "Повторить прививку Нобивак надо через год, 12 марта 2027 года.", nil},
		{"2026-11-24 09:02  First Direct  18:25\n2026-11-24 16:40  Mum  42:10\n2026-11-25 11:15  First Direct  07:50\n2026-11-27 09:31  First Direct  31:05", "You spent 57 minutes and 20 seconds on the phone to First Direct.", nil},
		{"2026-11-24 09:02  First Direct  18:25\n2026-11-24 16:40  Mum  42:10\n2026-11-25 11:15  First Direct  07:50\n2026-11-27 09:31  First Direct  31:05", "You spent 67 minutes and 20 seconds on the phone to First Direct.", []string{"67 minutes and 20 seconds"}},
		{"停止施肥，待三月新芽萌动再恢复，花盆放窗台", "停肥到三月，花盆放窗台。", nil},
		{"日期,高压,低压,心率\n2026-11-24,138,82,71\n2026-11-25,142,85,74\n2026-11-26,136,80,70\n2026-11-27,144,85,73", "这四天平均是 140/83，心率 72。", nil},
		{"Kündigung mit einer Frist von drei Monaten zum Quartalsende, Gerlinde Aumüller, Landshut", "Wer zum 31. März gehen will, schreibt Gerlinde Aumüller bis 31. Dezember.", nil},
		{"Nahtzugabe 0,7 cm ist enthalten, ca. 5 h", "Die Nahtzugabe von 0,7 mm ist schon enthalten.", []string{"0,7"}},
		{"Техническая вода будет подвезена к подъезду 2 с 4 часов. Аварийная служба: 44-18-30.", "Техническую воду привезут к подъезду 4.", []string{"4"}},
		{"日期,疫苗,剂次,状态\n2026-12-09,乙肝,3,预约 09:30\n2027-01-11,麻腮风,1,未预约", "下次是 12 月 9 日周四，打乙肝第 3 剂。", []string{"周四"}},
	} {
		got := Check(tt.answer, Sources{Results: []string{tt.result}, Question: "Что, was, what? Для двоих взрослых и двух школьников\n[Wednesday 2026-11-25 14:10 CET]"})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: found %q, want %q", tt.answer, got, tt.want)
		}
	}
}
