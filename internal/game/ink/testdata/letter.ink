# title: The Letter
# author: nobody
Das ist kein Deutsch, but a letter. # tag
It says "come < now > or never [soon]".
* [{1 + 1} o'clock]
  Glue<>
  d together.
* (late) Later -> late_knot
- {late: never|You went on time.}
-> END
=== late_knot
You are late.
-> DONE
