package campaigns

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hob/internal/display"
	"hob/internal/exit"
	"hob/internal/game"
	"hob/internal/game/eventlog"
	"hob/internal/game/exec"
	"hob/internal/game/ink"
	"hob/internal/game/saves"
	"hob/internal/game/world"
	"hob/internal/skills/gamemaster"
)

// ImportResult describes an imported campaign.
type ImportResult struct {
	Campaign string
	Turns    int64
	Warnings []string // faults of a save that were kept
}

// Import makes a campaign from an export or a save. An ID of "" is the file's name. With cut, it
// drops the torn end of a log. It checks a log completely before it keeps anything.
func Import(ctx context.Context, j Journal, file File, cut bool, im game.Import) (ImportResult, error) {
	if err := CheckLang(im.Lang); err != nil {
		return ImportResult{}, err
	}
	if im.ID == "" {
		if im.ID = strings.TrimSuffix(filepath.Base(file.Path), filepath.Ext(file.Path)); CheckName(im.ID) != nil {
			return ImportResult{}, exit.Errorf(exit.Usage, "%s does not say what the campaign is called: give it a name with --name", file)
		}
	}
	if err := CheckName(im.ID); err != nil {
		return ImportResult{}, err
	}
	data, err := file.Read()
	if err != nil {
		return ImportResult{}, err
	}
	if ink.IsStory(data) {
		return ImportResult{}, exit.Errorf(exit.Usage, "%s is a story in Ink, and no campaign: hob game tale add %s makes a tale of it", file, file)
	}
	in := ImportResult{Campaign: im.ID}
	err = createCampaign(ctx, j, gamemaster.Campaign{ID: im.ID, Strange: true}, func(log eventlog.Storage, opt eventlog.Options) (string, error) {
		im.Opt, im.Party = opt, true
		t, warnings, err := readCampaign(ctx, data, log, cut, im)
		if err != nil {
			return "", exit.Errorf(exit.Failed, "import %s: %v", file, explainTorn(err, data))
		}
		in.Turns, in.Warnings = t.Turns(), warnings
		return t.World().Self().Title, nil
	})
	return in, err
}

// readCampaign reads a campaign into a log. With cut, it drops the torn end of hob's own log.
func readCampaign(ctx context.Context, data []byte, log eventlog.Storage, cut bool, im game.Import) (t *eventlog.Log, warnings []string, err error) {
	if !cut || !saves.IsLog(data) {
		return game.Read(ctx, data, log, im)
	}
	t, n, err := eventlog.Recover(ctx, bytes.NewReader(data), log, im.Opt)
	if n > 0 {
		warnings = []string{"its end was not whole: " + display.Count(n, "byte") + " cut away"}
	}
	return t, warnings, err
}

// explainTorn adds advice to the error of a log whose only fault is a torn last line.
func explainTorn(err error, data []byte) error {
	var damaged *eventlog.DamagedError
	whole := int64(bytes.Count(data, []byte("\n")))
	if !errors.As(err, &damaged) || bytes.HasSuffix(data, []byte("\n")) || whole == 0 || damaged.Line != whole+1 {
		return err
	}
	return errors.New("its last line was not written whole: use an undamaged copy, or take what stands before it with hob game import --cut")
}

// Report is the result of checking a log.
type Report = eventlog.Report

// Verify reads the whole log of a campaign. It checks each byte, each state against the one before,
// each die against the seed, and the world.
func Verify(ctx context.Context, t *eventlog.Log) (Report, error) {
	return t.Verify(ctx, (*world.World).Validate)
}

// VerifyFile is [Verify] for an export.
func VerifyFile(ctx context.Context, file File) (Report, error) {
	data, err := file.Read()
	if err != nil {
		return Report{}, err
	}
	if !saves.IsLog(data) {
		return Report{}, exit.Errorf(exit.Usage, "%s is no export of hob's: only these can be verified", file)
	}
	opt := Options()
	t, err := eventlog.Import(ctx, bytes.NewReader(data), eventlog.NewMemoryStorage(), opt)
	if err != nil {
		return Report{}, exit.Errorf(exit.Failed, "%s: %v", file, explainTorn(err, data))
	}
	return Verify(ctx, t)
}

// CheckShape returns an error for an unknown export format. "" is the whole log.
func CheckShape(shape string) error {
	if shape != "" && !slices.Contains(game.Shapes(), shape) {
		return exit.Errorf(exit.Usage, "--as %s: there are hob, 000, 002 and 003", shape)
	}
	return nil
}

// Export writes the whole log of a campaign for the shape "", else its state in that shape.
func Export(ctx context.Context, w io.Writer, t *eventlog.Log, shape string) error {
	if shape == "" {
		return t.Export(ctx, w)
	}
	state, err := game.State(ctx, t, shape)
	if err == nil {
		_, err = w.Write(append(state, '\n'))
	}
	return err
}

// ExportFile is [Export] to a file.
func ExportFile(ctx context.Context, path string, t *eventlog.Log, shape string) error {
	return WriteFile(path, func(w io.Writer) error { return Export(ctx, w, t, shape) })
}

// Save writes a campaign to a file: its state where the name ends in .json, else the whole log.
func Save(ctx context.Context, path string, t *eventlog.Log) error {
	shape := ""
	if strings.EqualFold(filepath.Ext(path), ".json") {
		shape = saves.Own
	}
	return ExportFile(ctx, path, t, shape)
}

// OpenGame opens the game in a file, to be played line by line in memory. out is the file to save
// it to, or ""; it is checked first. Faults of a save that allow to play it are warnings.
func OpenGame(ctx context.Context, path, out string, im game.Import) (g *exec.Game, warnings []string, err error) {
	if err := CheckLang(im.Lang); err != nil {
		return nil, nil, err
	}
	if err := CheckTarget(out); err != nil {
		return nil, nil, err
	}
	data, err := File{Path: path}.Read()
	if err != nil {
		return nil, nil, err
	}
	im.Opt = Options()
	if g, warnings, err = exec.Open(ctx, data, im, time.Now); err != nil {
		return nil, nil, exit.Errorf(exit.Usage, "%s: %v", path, err)
	}
	return g, warnings, nil
}
