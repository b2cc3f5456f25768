-> a
=== a
+ round -> a
