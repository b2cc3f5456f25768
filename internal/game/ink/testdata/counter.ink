VAR n = 0
-> a
=== a
~ n = n + 1
{n}
+ again -> a
* end -> END
