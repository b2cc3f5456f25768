{~a|b} -> END
