package ollamatest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/ollama/ollama/api"
)

const (
	// RandomAnswer is what a model of random weights says to everything.
	RandomAnswer = "Good evening."
	// RandomLoop is a prompt that it goes on with for as long as it may, for a test to count how fast it writes.
	RandomLoop = "<|loop|>"

	randomBack = "<|back|>" // follows RandomLoop, and is followed by it
	randomEnd  = "<|end|>"  // ends a reply
)

// Shape is the size of a model of architecture qwen3.
type Shape struct {
	Blocks, Width, FeedWidth   int
	Heads, KeyHeads, HeadWidth int // KeyHeads is how many heads the keys have, and the values
	Vocabulary                 int // at least 2,000 tokens: it is cut there
}

// Qwen3Shape is the shape of Qwen3-0.6B.
func Qwen3Shape() Shape {
	return Shape{Blocks: 28, Width: 1024, FeedWidth: 3072, Heads: 16, KeyHeads: 8, HeadWidth: 128, Vocabulary: 151936}
}

// InstallRandom creates a model of random weights in Q8_0, in which Qwen publishes its small models. It costs the server what a
// trained model of that shape costs. It answers with [RandomAnswer], whatever is said. Template and parameters are Ollama's.
func InstallRandom(ctx context.Context, client *api.Client, name, template string, parameters map[string]any, s Shape) error {
	sum := sha256.New()
	if err := s.write(sum); err != nil {
		return fmt.Errorf("make random model: %w", err)
	}
	digest := fmt.Sprintf("sha256:%x", sum.Sum(nil))
	out, in := io.Pipe() // the same bytes again: they are half a gigabyte, too many for memory, and for a second file
	defer out.Close()
	go func() { in.CloseWithError(s.write(in)) }()
	if err := client.CreateBlob(ctx, digest, out); err != nil {
		return fmt.Errorf("upload random model: %w", err)
	}
	request := &api.CreateRequest{Model: name, Files: map[string]string{"random.gguf": digest}, Template: template, Parameters: parameters}
	if err := client.Create(ctx, request, func(api.ProgressResponse) error { return nil }); err != nil {
		return fmt.Errorf("create random model %s: %w", name, err)
	}
	return nil
}

// write writes the model's file, the same bytes each time.
func (s Shape) write(w io.Writer) error {
	tokens, merges := randomTokens(s.Vocabulary)
	texts, types := make([]string, len(tokens)), make([]int32, len(tokens))
	var end int
	for i, t := range tokens {
		texts[i], types[i] = t.Text, int32(t.Type)
		if t.Text == randomEnd {
			end = i
		}
	}
	facts := []pair{
		{"general.architecture", "qwen3"},
		{"general.name", "random"},
		{"general.file_type", uint32(7)}, // Q8_0
		{"qwen3.block_count", uint32(s.Blocks)},
		{"qwen3.context_length", uint32(40960)},
		{"qwen3.embedding_length", uint32(s.Width)},
		{"qwen3.feed_forward_length", uint32(s.FeedWidth)},
		{"qwen3.attention.head_count", uint32(s.Heads)},
		{"qwen3.attention.head_count_kv", uint32(s.KeyHeads)},
		{"qwen3.attention.key_length", uint32(s.HeadWidth)},
		{"qwen3.attention.value_length", uint32(s.HeadWidth)},
		{"qwen3.attention.layer_norm_rms_epsilon", float32(1e-6)},
		{"qwen3.rope.freq_base", float32(1e6)},
		{"tokenizer.ggml.model", "gpt2"},
		{"tokenizer.ggml.pre", "qwen2"},
		{"tokenizer.ggml.tokens", texts},
		{"tokenizer.ggml.token_type", types},
		{"tokenizer.ggml.merges", merges},
		{"tokenizer.ggml.add_bos_token", false},
		{"tokenizer.ggml.bos_token_id", uint32(end)},
		{"tokenizer.ggml.eos_token_id", uint32(end)},
	}
	return writeGGUF(w, facts, s.tensors(tokens))
}

// spokenDimensions is how many dimensions of an embedding, the first ones, decide what the model says: a block of Q8_0. The blocks
// of the model write nothing to them, and its last norm leaves out all others, so what it says depends on the last token alone.
const spokenDimensions = q8Numbers

// spoken returns the embedding of a token in the first dimensions.
//
// They are three pairs. In a pair, of the vectors p = (1, 1) and q = (1, -1), the last norm, whose weights there are 1 and -1 times
// the same number, makes the product of p and q positive, and of each with itself 0. So after a token p1, which nearly all are,
// comes the one with q1, the answer; its 5 p2 is followed by q2, the end; p3 and q3 follow each other for ever.
func spoken(text string) [spokenDimensions]int8 {
	switch text {
	case RandomAnswer:
		return [spokenDimensions]int8{1, -1, 5, 5}
	case randomEnd:
		return [spokenDimensions]int8{0, 0, 1, -1}
	case RandomLoop:
		return [spokenDimensions]int8{0, 0, 0, 0, 1, 1}
	case randomBack:
		return [spokenDimensions]int8{0, 0, 0, 0, 1, -1}
	}
	return [spokenDimensions]int8{1, 1}
}

// spokenWeight is so large that neither temperature nor a repeat penalty changes what is said.
const spokenWeight = 1000

func (s Shape) tensors(tokens []token) []tensor {
	random := rand.NewPCG(1, 2)
	matrix := func(name string, columns, rows, empty int) tensor {
		return tensor{name, q8Tensor, columns, rows, func(w io.Writer) error { return writeRandom(w, random, columns, rows, empty) }}
	}
	all := []tensor{
		{"token_embd.weight", q8Tensor, s.Width, s.Vocabulary, func(w io.Writer) error { return writeEmbeddings(w, random, s.Width, tokens) }},
		vector("output_norm.weight", s.Width, func(i int) float32 {
			if i >= 6 {
				return 0
			}
			return spokenWeight * float32(1-2*(i%2))
		}),
	}
	queries, keys := s.Heads*s.HeadWidth, s.KeyHeads*s.HeadWidth
	for i := range s.Blocks {
		of := func(name string) string { return fmt.Sprintf("blk.%d.%s.weight", i, name) }
		all = append(all,
			ones(of("attn_norm"), s.Width),
			matrix(of("attn_q"), s.Width, queries, 0),
			ones(of("attn_q_norm"), s.HeadWidth),
			matrix(of("attn_k"), s.Width, keys, 0),
			ones(of("attn_k_norm"), s.HeadWidth),
			matrix(of("attn_v"), s.Width, keys, 0),
			matrix(of("attn_output"), queries, s.Width, spokenDimensions),
			ones(of("ffn_norm"), s.Width),
			matrix(of("ffn_gate"), s.Width, s.FeedWidth, 0),
			matrix(of("ffn_up"), s.Width, s.FeedWidth, 0),
			matrix(of("ffn_down"), s.FeedWidth, s.Width, spokenDimensions),
		)
	}
	return all
}

func ones(name string, width int) tensor {
	return vector(name, width, func(int) float32 { return 1 })
}

func vector(name string, width int, at func(int) float32) tensor {
	return tensor{name, float32Tensor, width, 0, func(w io.Writer) error {
		var bytes []byte
		for i := range width {
			bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(at(i)))
		}
		_, err := w.Write(bytes)
		return err
	}}
}

// Half floats, of which the first and the last are scales of Q8_0.
const (
	halfOne   = 0x3c00
	halfTen   = 0x4900
	halfSmall = 0x0c00 // 0.00024: random bytes times this have a deviation of 0.018, which is about that of trained weights
)

// writeRandom writes a matrix whose first rows are empty.
func writeRandom(w io.Writer, random *rand.PCG, columns, rows, empty int) error {
	row := make([]byte, columns/q8Numbers*q8Bytes)
	for i := range rows {
		if i >= empty {
			fillRandom(row, random)
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// writeEmbeddings writes a random embedding for each token, except for its first dimensions.
func writeEmbeddings(w io.Writer, random *rand.PCG, width int, tokens []token) error {
	row := make([]byte, width/q8Numbers*q8Bytes)
	for _, t := range tokens {
		fillRandom(row, random)
		binary.LittleEndian.PutUint16(row, halfOne)
		for i, n := range spoken(t.Text) {
			row[2+i] = byte(n)
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// fillRandom fills a row of blocks of Q8_0.
func fillRandom(row []byte, random *rand.PCG) {
	for ; len(row) > 0; row = row[q8Bytes:] {
		binary.LittleEndian.PutUint16(row, halfSmall)
		for i := 2; i < q8Bytes; i += 8 {
			binary.LittleEndian.PutUint64(row[i:], random.Uint64())
		}
	}
}

// randomTokens returns a vocabulary of size tokens as the tokenizers of GPT 2 and Qwen have it, and the pairs of it that merge.
//
// What comes between two blanks or before punctuation is one token where it is a common word, and otherwise one for every two
// letters. So English has some four bytes a token, like with a real vocabulary.
func randomTokens(size int) (tokens []token, merges []string) {
	known := map[string]bool{}
	add := func(text string, kind int) {
		if !known[text] {
			known[text] = true
			tokens = append(tokens, token{Text: text, Type: kind})
		}
	}
	for _, text := range []string{randomEnd, "<|begin|>", RandomLoop, randomBack} {
		add(text, controlToken)
	}
	add(RandomAnswer, userToken) // in a conversation it is the same token as when it was said, which the server's cache wants
	for b := range 256 {
		add(string(byteRune(b)), normalToken)
	}
	const letters = "\u0120abcdefghijklmnopqrstuvwxyz" // U+0120 is a blank
	for _, first := range letters {
		for _, second := range letters {
			add(string(first)+string(second), normalToken)
			merges = append(merges, string(first)+" "+string(second))
		}
	}
	for piece := range strings.FieldsSeq(schemaPieces) {
		add(piece, normalToken)
		add("\u0120"+piece, normalToken)
		add(piece+"\u010a", normalToken) // which is the end of a line
	}
	for _, after := range []string{"", "s", "d", "ed", "ing", "er", "ly"} {
		for word := range strings.FieldsSeq(commonWords + schemaWords) {
			for _, before := range []string{"\u0120", "", `"`, "_", "("} {
				add(before+word+after, normalToken)
				add(before+strings.ToUpper(word[:1])+word[1:]+after, normalToken)
			}
		}
	}
	for i := len(tokens); i < size; i++ {
		add(fmt.Sprintf("<rest %d>", i), unusedToken)
	}
	return tokens[:size], merges
}

// byteRune is how that vocabulary writes a byte: what is no letter is moved out of the way.
func byteRune(b int) rune {
	switch {
	case b == 0xad:
		return 0x143
	case b <= 0x20:
		return rune(b + 0x100)
	case b >= 0x7f && b <= 0xa0:
		return rune(b + 0xa2)
	}
	return rune(b)
}

// What the description of tools is made of, beside common words.
const (
	schemaWords = " boolean array enum items integer default minimum maximum optional e g id url json markdown workspace directory " +
		"execute schedule cron memory agent tool tools skill skills prompt session user assistant system path paths"
	schemaPieces = `": ": "," "," ":{" ":{ "}, "}} "}}} }} }}} }}}} {" {" ": [ ["  "] "], ]} "]} "]}} ," ", }, },{" ." .", .", ") )." ), (" ; : -- ** ** ## ### ` + "`, `. `: `) ```"
)
