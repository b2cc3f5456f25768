VAR n = 1
~ more(n)
{n} -> END
=== function more(ref x)
~ x = x + 1
