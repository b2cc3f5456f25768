Hello. <- side
* One -> END
=== side
* Two -> END
