// Tunnels, functions, temporary variables, texts, and words that only the choice has.
VAR fare = 3
VAR name = "Ilse"
-> landing
=== landing
The ferry waits. {name} holds out a hand.
- (ask)
* "I have {fare} coins[."]," you say.
  -> pay(2) -> ask
* [Give what she asks]
  -> pay(fare) -> ask
* {fare < 1} "I have nothing left[."]." She shrugs, and lets you board.
  ~ name = "the ferrywoman"
  -> across
* {fare > 0} [Walk round by the bridge] -> bridge
=== pay(n)
~ temp left = fare - n
You count {spell(n)} into her hand.
~ fare = left
{fare > 0: One is left, and she looks at it.|Your purse is empty.}
->->
=== across
The rope creaks. {name == "Ilse": Ilse|{name}} says nothing all the way.
~ temp note = "wet " + "feet"
You arrive with {note}.
-> END
=== bridge
It is a long way round, and you keep {fare} {fare == 1:coin|coins}.
-> END
=== function spell(n)
{ n:
- 1: ~ return "one coin"
- 2: ~ return "two coins"
- else: ~ return "three coins"
}
