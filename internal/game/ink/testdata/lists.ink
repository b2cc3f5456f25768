LIST colours = red, (green)
{colours} -> END
