"""Reads 3,000 generated phrases with two other readers, chrono-node and dateparser, and writes what they say.

    npm install --prefix DIR chrono-node@2.10.3      and Debian's python3-dateparser 1.1.6
    TZ=Europe/Berlin NODE_PATH=DIR/node_modules python3 run.py > phrases.tsv

A row is a language, a phrase, and the local time by chrono and by dateparser; "-" is none. They run nowhere else: hob
has neither. TestDifferential holds hob's reading against both, and differential.md classes where they differ.
"""

import datetime
import itertools
import json
import os
import random
import subprocess
import sys

import dateparser

NOW = datetime.datetime(2026, 6, 10, 9, 0)  # a Wednesday
EACH = 750  # phrases of a language


def en():
    days = ["today", "tomorrow", "the day after tomorrow", "Monday", "on Tuesday", "on Wednesday", "Thursday", "on Friday",
            "next Friday", "next Tuesday", "this Friday", "on Saturday", "Sunday", "3 December", "December 3", "on December 3rd",
            "on the 3rd of December", "Dec 3, 2026", "on 3 December 2026", "2026-12-03", "12/25", "on 3/12", "14/11/2026",
            "in 2 days", "in three weeks", "in a month", "in a week", "next week", "next month", "a week from Friday"]
    clocks = ["at 6", "at 11", "at 6pm", "at 7 am", "at 6:30", "at 18:00", "at 06:45", "at 6:30 pm", "at noon", "at midnight",
              "at half past six", "at quarter to seven", "at ten past eight", "in the morning", "in the afternoon",
              "in the evening", "at night", "at 9 in the morning", "at 8 in the evening", "at 12:15 am", "at 5 o'clock"]
    amounts = ["in %s %s" % (n, u) for n in ["5", "ten", "90", "two", "twenty five"] for u in ["seconds", "minutes", "hours", "days", "weeks", "months"]]
    amounts += ["in half an hour", "in an hour", "in an hour and a half", "in 2 hours and 15 minutes", "in 1h 30m", "in 1.5 hours", "in a quarter of an hour",
                "2 hours from now", "3 days from now", "in 2h", "in 45 min", "tonight", "this evening", "this afternoon", "this weekend", "at the end of the month"]
    return days, clocks, amounts, "%s %s", True


def de():
    days = ["heute", "morgen", "übermorgen", "Montag", "am Dienstag", "am Mittwoch", "Donnerstag", "am Freitag", "nächsten Freitag",
            "nächsten Dienstag", "diesen Freitag", "am Samstag", "Sonntag", "3. Dezember", "am 3. Dezember", "am 3. Dezember 2026", "am 3.12.", "am 3.12.2026",
            "03.12.2026", "2026-12-03", "in 2 Tagen", "in drei Wochen", "in einem Monat", "in einer Woche", "nächste Woche", "nächsten Monat",
            "am dritten Dezember", "am 1. Juli"]
    clocks = ["um 6", "um 11", "um 6 Uhr", "um 18 Uhr", "um 18:00", "um 6:30 Uhr", "um 18.45 Uhr", "um 06:45", "um halb sechs", "um Viertel nach sieben",
              "um Viertel vor acht", "um dreiviertel sechs", "um zehn nach acht", "um fünf vor halb sieben", "um 7 Uhr morgens", "um 8 Uhr abends", "mittags",
              "um Mitternacht", "morgens", "nachmittags", "abends", "um sieben"]
    amounts = ["in %s %s" % (n, u) for n in ["5", "zehn", "90", "zwei", "fünfundzwanzig"] for u in ["Sekunden", "Minuten", "Stunden", "Tagen", "Wochen", "Monaten"]]
    amounts += ["in einer halben Stunde", "in einer Stunde", "in anderthalb Stunden", "in zweieinhalb Stunden", "in 2 Stunden und 15 Minuten", "in einer Viertelstunde",
                "in einer Dreiviertelstunde", "heute Abend", "heute Nachmittag", "morgen früh", "am Wochenende", "Ende des Monats", "in 45 Min"]
    return days, clocks, amounts, "%s %s", True


def ru():
    days = ["сегодня", "завтра", "послезавтра", "понедельник", "во вторник", "в среду", "четверг", "в пятницу", "в следующую пятницу", "в следующий вторник",
            "в эту пятницу", "в субботу", "воскресенье", "3 декабря", "3 декабря 2026", "третьего декабря", "3.12.2026", "03.12.2026", "2026-12-03",
            "через 2 дня", "через три недели", "через месяц", "через неделю", "на следующей неделе", "в следующем месяце", "1 июля"]
    clocks = ["в 6", "в 11", "в 6 часов", "в 18:00", "в 6:30", "в 06:45", "в 6 вечера", "в 7 утра", "в 3 часа дня", "в полседьмого", "в четверть восьмого",
              "без четверти восемь", "без десяти девять", "в полдень", "в полночь", "утром", "днём", "вечером", "в семь часов", "в 8 часов вечера", "в час дня"]
    amounts = ["через %s %s" % (n, u) for n, u in itertools.product(["5", "десять", "90", "двадцать пять"], ["секунд", "минут", "часов", "дней", "недель", "месяцев"])]
    amounts += ["через полчаса", "через час", "через полтора часа", "через 2 часа 15 минут", "через минуту", "через два часа", "через три дня", "сегодня вечером",
                "завтра утром", "на выходных", "в конце месяца", "через пару часов", "через четверть часа"]
    return days, clocks, amounts, "%s %s", True


def zh():
    days = ["今天", "明天", "后天", "大后天", "周一", "星期二", "周三", "星期四", "周五", "下周五", "下星期二", "这周五", "周六", "星期天", "12月3日", "12月3号", "十二月三日",
            "2026年12月3日", "2026-12-03", "两天后", "三周后", "一个月后", "一周后", "下周", "下个月", "7月1日"]
    clocks = ["6点", "11点", "18点", "六点半", "三点一刻", "上午9点", "早上7点", "下午3点", "下午三点半", "晚上8点", "晚上十点", "中午", "中午12点", "凌晨3点", "18:00", "6:30",
              "早上", "下午", "晚上", "半夜", "傍晚六点", "差五分七点"]
    amounts = ["%s%s后" % (n, u) for n in ["5", "十", "90", "两", "二十五"] for u in ["秒", "分钟", "小时", "天", "周", "个月"]]
    amounts += ["半小时后", "一个小时后", "一个半小时后", "两个半小时后", "2小时15分钟后", "一刻钟后", "今晚", "明晚", "明早", "周末", "月底", "三天以后", "10分钟之后"]
    return days, clocks, amounts, "%s%s", False


def phrases(lang, make):
    days, clocks, amounts, join, swap = make()
    every = list(amounts) + list(days) + list(clocks)
    every += [(d + " " + c if d[-1:].isdigit() else join % (d, c)) for d in days for c in clocks]
    if swap:
        every += [join % (c, d) for d in days for c in clocks]
    every = sorted(set(every))
    random.Random(26).shuffle(every)
    chosen = amounts + [p for p in every if p not in set(amounts)]
    return [(lang, p) for p in chosen[:EACH]]


def by_dateparser(lang, text):
    settings = {"RELATIVE_BASE": NOW, "PREFER_DATES_FROM": "future", "DATE_ORDER": "DMY"}
    try:
        at = dateparser.parse(text, languages=[lang], settings=settings)
    except Exception as problem:  # it raises what it likes
        return "-"
    return at.replace(tzinfo=None).isoformat(timespec="seconds") if at else "-"


def by_chrono(rows):
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chrono.cjs")
    out = subprocess.run(["node", program], input=json.dumps(rows), capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def main():
    rows = []
    for lang, make in (("en", en), ("de", de), ("ru", ru), ("zh", zh)):
        chosen = phrases(lang, make)
        more = 0
        while len(chosen) < EACH:  # the words for the thing to do stand behind a time, too
            text = chosen[more][1] + {"en": " call Ana", "de": " Ana anrufen", "ru": " позвонить Ане", "zh": "给安娜打电话"}[lang]
            chosen.append((lang, text))
            more += 1
        rows += chosen
    for (lang, text), chrono in zip(rows, by_chrono(rows)):
        print(lang, text, chrono, by_dateparser(lang, text), sep="\t")


if __name__ == "__main__":
    sys.exit(main())
