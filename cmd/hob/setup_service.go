package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"hob/internal/app"
	"hob/internal/atomicfile"
	"hob/internal/display"
	"hob/internal/doctor"
)

// userUnit is the systemd unit for one person, which make install puts beside the program.
const userUnit = "hob-user.service"

// installService sets hob up as a systemd service, if the person wants that.
func (u *setup) installService(ctx context.Context) error {
	const name = "service"
	u.say("\n" + u.words.Text("service.what"))
	kind, err := u.ask(ctx, u.service, u.words.Text("service.ask"), noneWord)
	if err != nil {
		return err
	}
	switch {
	case kind == "user":
		if err := u.startUserService(ctx); err != nil {
			u.failed(name, "service.steps.user", err)
			return ctx.Err()
		}
		u.found(doctor.OK, name, "", "service.user", userUnit)
	case kind == "system" && !app.IsRoot():
		u.found(doctor.Weak, name, "sudo systemctl enable --now hob", "service.root")
	case kind == "system":
		if err := systemctl(ctx, "enable", "--now", "hob"); err != nil {
			u.failed(name, "service.steps", err)
			return ctx.Err()
		}
		u.found(doctor.OK, name, "", "service.system")
	case kind == noneWord:
		u.found(doctor.OK, name, "", "service.none")
	default:
		u.say(u.words.Text("service.wrong", strconv.Quote(kind)))
		return u.installService(ctx)
	}
	return nil
}

// startUserService copies the installed unit to the person's systemd folder and starts it.
func (u *setup) startUserService(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(program), "../lib/systemd/user", userUnit))
	if err != nil {
		return errors.New("there is no " + userUnit + " beside this program: make install, also with PREFIX=~/.local, puts it there")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "ExecStart=") {
			lines[i] = "ExecStart=" + program + " serve"
		}
	}
	path := filepath.Join(home, ".config/systemd/user", userUnit)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	err = atomicfile.ReplaceText(path, 0o644, strings.Join(lines, "\n"))
	if err == nil {
		err = systemctl(ctx, "--user", "daemon-reload")
	}
	if err == nil {
		err = systemctl(ctx, "--user", "enable", "--now", userUnit)
	}
	return err
}

// systemctl runs systemctl. Its error is the output of a failed run.
func systemctl(ctx context.Context, args ...string) error {
	out, err := exec.CommandContext(ctx, "systemctl", args...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("there is no systemctl: this machine is not run by systemd")
	}
	if err != nil {
		return errors.New("systemctl " + strings.Join(args, " ") + ": " + display.OneLine(strings.TrimSpace(string(out))+" ("+err.Error()+")"))
	}
	return nil
}
