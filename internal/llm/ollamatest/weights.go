package ollamatest

import (
	"encoding/binary"
	"io"
)

// The sizes of what is in the automaton's only block. All of its weights are zero.
const (
	automatonHead = 32 // of the one attention head
	automatonFeed = 32 // of the feed-forward layer
)

// facts are those of a GGUF file of architecture llama.
func (a *automaton) facts() []pair {
	texts, scores, types := make([]string, len(a.Tokens)), make([]float32, len(a.Tokens)), make([]int32, len(a.Tokens))
	for i, t := range a.Tokens {
		texts[i], scores[i], types[i] = t.Text, t.Score, int32(t.Type)
	}
	return []pair{
		{"general.architecture", "llama"},
		{"general.file_type", uint32(halfTensor)},
		{"general.name", "hob-scripted"},
		{"llama.block_count", uint32(1)},
		{"llama.context_length", uint32(contextLength)},
		{"llama.embedding_length", uint32(a.width())},
		{"llama.feed_forward_length", uint32(automatonFeed)},
		{"llama.attention.head_count", uint32(1)},
		{"llama.attention.head_count_kv", uint32(1)},
		{"llama.attention.key_length", uint32(automatonHead)},
		{"llama.attention.value_length", uint32(automatonHead)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-5)},
		{"llama.rope.dimension_count", uint32(automatonHead)},
		{"llama.vocab_size", uint32(len(a.Tokens))},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.tokens", texts},
		{"tokenizer.ggml.scores", scores},
		{"tokenizer.ggml.token_type", types},
		{"tokenizer.ggml.unknown_token_id", uint32(0)},
		{"tokenizer.ggml.bos_token_id", uint32(beginToken)},
		{"tokenizer.ggml.eos_token_id", uint32(endToken)},
		{"tokenizer.ggml.add_space_prefix", false},
	}
}

// width is the length of an embedding: a dimension for each token with a successor, one for all others, rounded up.
func (a *automaton) width() int { return (len(a.Next) + 1 + 31) / 32 * 32 }

// tensors are the weights. Every token that has a successor gets a dimension of its own, all the others share dimension 0,
// and an embedding is one-hot. The only block has zero weights, so the residual carries the last token's embedding
// unchanged to the output matrix, whose row of token t has a weight at each dimension that t follows. The root mean
// square norm multiplies the one-hot by the square root of the width, so the successor's logit stands more than a
// hundred above the rest and neither temperature nor a repeat penalty changes what is said.
func (a *automaton) tensors() []tensor {
	width, words := a.width(), len(a.Tokens)
	embedding, output := make([]uint16, words*width), make([]uint16, words*width)
	output[endToken*width] = halfTen // dimension 0: everything that has no successor
	dimensions := 1
	for i := range a.Tokens {
		to, follows := a.Next[i]
		if !follows {
			embedding[i*width] = halfOne
			continue
		}
		embedding[i*width+dimensions] = halfOne
		output[to*width+dimensions] = halfTen
		dimensions++
	}
	zeros := func(name string, columns, rows int) tensor {
		return halves(name, make([]uint16, columns*rows), columns, rows)
	}
	return []tensor{
		halves("token_embd.weight", embedding, width, words),
		halves("output.weight", output, width, words),
		ones("output_norm.weight", width),
		ones("blk.0.attn_norm.weight", width),
		ones("blk.0.ffn_norm.weight", width),
		zeros("blk.0.attn_q.weight", width, automatonHead),
		zeros("blk.0.attn_k.weight", width, automatonHead),
		zeros("blk.0.attn_v.weight", width, automatonHead),
		zeros("blk.0.attn_output.weight", automatonHead, width),
		zeros("blk.0.ffn_gate.weight", width, automatonFeed),
		zeros("blk.0.ffn_up.weight", width, automatonFeed),
		zeros("blk.0.ffn_down.weight", automatonFeed, width),
	}
}

// halves is a matrix of half floats.
func halves(name string, values []uint16, columns, rows int) tensor {
	return tensor{name, halfTensor, columns, rows, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, values) }}
}
