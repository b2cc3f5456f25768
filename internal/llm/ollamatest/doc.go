// Package ollamatest runs a real Ollama server with a model made by hand. Tests use it wherever a claim is about the
// model's side of the wire. Package ollamaserver builds and runs the server, and [Install] creates the scripted models
// on it. [Run] does all of it for a test:
//
//	server := ollamatest.Run(t)
//	model, err := ollama.New(ollama.Config{Hosts: []string{server.URL()}, Dial: dial, Model: ollamatest.OneTool})
//
// # The scripted models
//
// All of them are one file of weights, a finite automaton in which the last token decides the next one, and differ in
// their template alone. A template prints the conversation and, after each thing that somebody says to the model, a
// marker: one for a person's words, one for each tool's result, one for each tool's failure. A failure is a result that
// begins with "error" or "Error". From each marker a chain of tokens leads through what the model says, tool calls
// included, to the end of the reply. So the words of a conversation never matter, only who spoke last and, of a tool,
// which. A model's constants say what it does; the exact answers are constants too.
//
// A model makes its tool calls only where the request offers the tools, as a real one would; without them it answers in
// words. Its vocabulary has about a thousand common English words and every pair of letters, so that a prompt has
// roughly as many tokens as it would for a real model: one for each three or four bytes of English or JSON. Other
// scripts take one token a byte.
//
// # What a prompt costs
//
// [RunDebugging] gives a test a server that logs how many tokens of each prompt were found in its cache and how many had
// to be evaluated; [Server.Prefills] reads that, and [Server.Loads] how often a model was loaded.
//
// # What callers must not assume
//
// That a server outlives its parent: it and its runners are killed when the process that started them dies, however it
// dies. That ports or folders are stable. That the server can reach anything but loopback: it has no proxy, and its own cloud
// features are switched off. That a model is free right after a cancelled request: see the note at endlessRests in
// scenario.go, which is about every Ollama and not only this one. That this runs anywhere but on Unix.
package ollamatest
