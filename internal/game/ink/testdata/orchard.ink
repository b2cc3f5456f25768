// Knots, stitches, choices of each kind, gathers, once-only choices and a fallback.
VAR apples = 0
You come to the orchard gate at dusk. -> gate
=== gate
{The gate is shut.|The gate is still shut.|You know this gate by now.}
* [Climb over it] You climb, and tear a sleeve.
  -> trees
* Knock[]. Nobody comes, but a dog <>
  barks.
  -> gate
+ {apples == 0} [Wait a little] You wait, and it grows darker.
  -> gate
* -> trees.old
=== trees
= top
Apples hang over you, {apples > 0: and {apples} are in your pocket|more than you can carry}.
* [Pick a red one]
  ~ apples = apples + 1
  It is warm from the day.
* [Pick a green one]
  ~ apples = apples + 1
  It is hard as a stone.
* -> old
- -> top
= old
The old tree has nothing left to give.
{apples >= 2: Two apples are enough for a pie.}
+ [Go home] -> home
=== home
{gate > 1: Your grandmother asks where you were so long.|Your grandmother has not missed you.}
{trees.top: There are leaves in your hair.}
-> END
