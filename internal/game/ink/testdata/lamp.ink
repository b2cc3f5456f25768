// Conditions with and, or and not, cycles and once-only alternatives, nested choices, a gather with a label, arithmetic.
VAR oil = 2
VAR lit = false
VAR steps = 0
-> night
=== night
{&The sea is grey.|The sea is black.|The sea is loud.} {!For a moment you think of sleep.}
{lit and oil > 0: The lamp turns above you.}
{not lit or oil == 0: The gallery is dark.}
* {not lit} [Light the lamp]
    You strike a match.
    ~ lit = true
    * * [Shield it with a hand]
        It holds.
    * * [Trust the glass]
        It flickers, and holds all the same.
    - - (burning) ~ oil = oil - 1
    -> night
* {lit} [Fill the tank]
    ~ oil = (oil * 3) - 1
    You pour {oil} measures in.
    -> night
+ {steps < 2} [Look out]
    ~ steps = steps + 1
    {burning: A ship answers.|There is nothing to be seen.}
    -> night
* -> morning
+ {lit && oil > 1} [Sit down and wait for morning] -> morning
=== morning
{oil mod 2 == 0: An even number of gulls.|An odd number of gulls.} {MIN(oil, 3)} of them look in.
-> END
