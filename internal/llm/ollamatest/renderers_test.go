package ollamatest_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"hob/internal/llm"
	"hob/internal/llm/ollamatest"
)

// lost is how many bytes at the end of one prompt the next one does not begin with: at the second step of a turn, at its
// third, and at the next turn.
type lost [3]int

// Real models' prompts are written by code of Ollama's own for each family. A conversation that only grows makes prompts
// that only grow, but for the opening of the reply at their end, which some families write otherwise once there is a
// reply behind it: 19 bytes are an empty <think>, 17 are <｜Assistant｜>.
//
// The exception is what a model thought in a turn, here 500 bytes and more. Qwen 3.5, Gemma 4 and Nemotron take it out of
// the prompt when somebody says something new, whether hob sends it again or not, and the whole turn before is read again.
// It is why turns with tools are better played without thinking. GLM and Laguna print what they are sent: there it is
// dropping the thoughts of earlier turns that makes the server read them again.
func TestRenderersOfRealModels(t *testing.T) {
	server := ollamatest.Run(t)
	for _, c := range []struct{ renderer, parser string }{
		{"cogito", "cogito"}, {"deepseek3.1", "deepseek3"}, {"functiongemma", "functiongemma"}, {"gemma4", "gemma4"}, {"glm-4.7", "glm-4.7"},
		{"laguna", "laguna"}, {"lfm2", "lfm2"}, {"nemotron-3-nano", "nemotron-3-nano"}, {"olmo3", "olmo3"},
		{"qwen3-coder", "qwen3-coder"}, {"qwen3-vl-instruct", "qwen3-vl-instruct"}, {"qwen3.5", "qwen3.5"},
	} {
		want := map[string][3]lost{ // the others lose nothing, ever
			"cogito":          {{0, 17, 17}, {8, 25, 25}, {8, 25, 25}},
			"deepseek3.1":     {{0, 0, 0}, {6, 0, 0}, {6, 0, 0}},
			"gemma4":          {{0, 0, 0}, {0, 0, 508}, {0, 0, 508}},
			"glm-4.7":         {{0, 0, 0}, {0, 0, 0}, {0, 0, 560}},
			"laguna":          {{0, 0, 0}, {0, 0, 0}, {0, 0, 570}},
			"nemotron-3-nano": {{38, 38, 38}, {31, 31, 628}, {31, 31, 628}},
			"qwen3.5":         {{19, 19, 19}, {0, 0, 634}, {0, 0, 634}},
		}[c.renderer]
		t.Run(c.renderer, func(t *testing.T) {
			name := "rendered-as-" + c.renderer
			err := server.Client().Create(t.Context(), &api.CreateRequest{
				Model: name, From: ollamatest.Plain, Renderer: c.renderer, Parser: c.parser,
			}, func(api.ProgressResponse) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			got := [3]lost{
				lostBetweenPrompts(t, newChat(t, server, name), llm.ThinkOff, "", false),
				lostBetweenPrompts(t, newChat(t, server, name), llm.ThinkOn, "The cat comes first.", false),
				lostBetweenPrompts(t, newChat(t, server, name), llm.ThinkOn, "The cat comes first.", true),
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("bytes lost without thinking, with it, and with it dropped (-want +got):\n%s", diff)
			}
		})
	}
}

// lostBetweenPrompts renders the steps of a conversation in which the model thought so before each reply. With forget its
// thoughts are not sent any more when the next turn begins.
func lostBetweenPrompts(t *testing.T, c *chat, think llm.Think, thought string, forget bool) lost {
	t.Helper()
	messages := conversation()
	for i := range messages {
		if messages[i].Role == llm.AssistantRole {
			messages[i].Thinking = thought
		}
	}
	c.req.Options.Think = think
	var all lost
	before := ""
	for i, n := range []int{1, 3, 5, 7} {
		c.req.Messages = slices.Clone(messages[:n])
		if forget && i == 3 {
			for j := range c.req.Messages {
				c.req.Messages[j].Thinking = ""
			}
		}
		prompt := c.rendered()
		if i > 0 {
			kept := 0
			for kept < min(len(before), len(prompt)) && before[kept] == prompt[kept] {
				kept++
			}
			all[i-1] = len(before) - kept
		}
		before = prompt
	}
	return all
}
