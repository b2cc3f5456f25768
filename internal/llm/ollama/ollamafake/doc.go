// Package ollamafake is an Ollama for tests: the part of its HTTP API that hob uses, played from a script, strict in what
// it takes and as badly behaved in what it answers as the script says. For what a real server does with a real prompt see
// package ollamatest.
//
//	fake := ollamafake.New(t, ollamafake.Config{Model: "tiny:1b", Context: 4096},
//		ollamafake.CallTool("read_file", map[string]string{"path": "notes.md"}),
//		ollamafake.CloseAfter("The note sa"),
//		ollamafake.Say("The note says hello."))
//	model, err := ollama.New(ollama.Config{Transport: fake.Transport(), Model: "tiny:1b"})
//
// Each chat is answered by the next [Step]. [Forever] repeats the last one, [Choose] decides by what was asked. A chat for
// which there is no step left fails the test, and so do steps that were not asked for when it ends.
//
// # What it refuses
//
// These fail the test at once, with the request in the message, and are answered with 400; they use up no step:
//
//   - a body that is no JSON, or has a field that hob does not send; another path than those below
//   - a chat without stream:true, keep_alive, truncate:false, think, num_ctx, num_predict or temperature
//   - a role other than system, user, assistant, tool; a system message that is not the first
//   - a call without ID or name, with arguments that are no object, or with the ID of an earlier call; the name may be
//     empty, since models do that
//   - a tool's message that answers no call of the assistant's message before, the same call again, or by another name
//   - a user's or assistant's message, or the end, while a call is unanswered; an assistant's message as the last
//   - tools together with format; two tools of one name; a tool whose parameters are no schema of an object
//
// These it answers as Ollama does, and the test goes on: 404 for another model, 400 for tools or thinking that the model
// is not capable of, 400 for a prompt that is longer than the context. They use up no step either.
//
// # How it counts
//
// A prompt is rendered in a plain form, tools first, and has a token for every four bytes begun; so has a reply. Counts are
// reported as Ollama reports them: prompt_eval_count is the whole prompt, whatever was cached. The part of a prompt that
// it has in common with the prompt before is [Request].Cached; the server reports it where [Config].ReportCached says so, as
// Ollama's newest do. Reading takes a millisecond for a token that is not cached and writing ten, on paper: the fake does
// not wait. The context is num_ctx of the request, or Config.Context where that is less, as it is for a model that was
// trained on less.
//
// A reply is never cut at num_predict unless its step is [Cut].
//
// # On the wire
//
// GET /api/version, /api/tags, /api/ps; POST /api/show, /api/chat, this one with the requests without messages
// that load and unload, too. [Server.URL] serves over TCP; [Server.Transport] needs no sockets and works
// in a synctest bubble. Every answer closes its connection: over one that was used before, a client's transport repeats
// by itself a request that was dropped without an answer, and a script would not know how many steps it plays.
package ollamafake
