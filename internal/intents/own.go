package intents

type ownKind struct{}
