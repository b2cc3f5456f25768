package show

// Name returns a name as one line of what can be seen, as it is shown everywhere: who gives themselves a name may put anything into it.
func Name(s string) string { return clean(s, mostText) }
