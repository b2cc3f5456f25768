EXTERNAL ring(n)
{ring(1)} -> END
