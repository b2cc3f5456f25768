-> a
=== a
* x
{TURNS_SINCE(-> a)} -> END
