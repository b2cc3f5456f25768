package policy_test

import (
	"strings"
	"testing"
)

// A word that only looks like a host names none: what people write of programs, files and sentences would else be somewhere to
// send to, and strangers choose what the files are called that they send.
func TestWordsThatLookLikeHosts(t *testing.T) {
	words := strings.Fields(`node.js asp.net config.io readme.me configure.ac main.cc go.tf pkg.pm stop.It wttr.in notes.md
		clip.mov paper.ps script.py lib.rs run.sh libc.so archive.zip Makefile.am build.do index.pl view.la socket.io vue.js
		next.js D3.js three.js crates.io draw.io backup.bz data.ai photo.cr letter.doc report.page index.app page.dev table.ms
		image.ai song.fm movie.tv mail.st thread.id end.So ready.Go v1.re`)
	if len(words) != 45 {
		t.Fatalf("there are %d words", len(words))
	}
	for _, word := range words {
		host := strings.ToLower(word)
		for _, text := range []string{
			word, "please look at " + word + ".", "`" + word + "`", "(" + word + ")", "is it " + word + "? yes", word + ":443", word + "#top",
			"打开" + word + "，谢谢", word + "?q=1", "notes/" + word, "./" + word + "/x", "~/" + word + "/x", "src/" + word + "/x", `C:\` + word + `\x`,
			"bob@" + word, word + ", and", "-" + word + "/x", word + "./x", word + `\/x`,
		} {
			for _, url := range []string{"http://" + host + "/?q=secret", "https://" + host + "/"} {
				if got := found(t, url, text); got != "" {
					t.Errorf("%s in %q is %q", url, text, got)
				}
			}
		}
		for _, text := range []string{"https://" + word, "see http://" + word + "/x", "www." + word} {
			if got := found(t, "https://"+host+"/?q=1", text); got != "named" {
				t.Errorf("%s in %q is %q, want named", host, text, got)
			}
		}
	}
	for text, want := range map[string]string{
		"wttr.in/Berlin": "exact", "look at wttr.in/ please": "named", "wttr.in:443/x": "named", "wttr.in/Berlin.": "exact", "wttr.in": "",
		"(wttr.in/Paris)": "named", "wttr.in / Berlin": "", "wttr.in，/Berlin": "",
	} {
		if got := found(t, "https://wttr.in/Berlin", text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	// A folder that looks like a host is one of the two. What nobody calls a host, and strangers may call a file, is a folder.
	for text, host := range map[string]string{"node.js/x": "node.js", "notes.md/x": "notes.md", "conf.d/x": "conf.d", "x.git/config": "x.git", "a.ts/b": "a.ts"} {
		if got := found(t, "https://"+host+"/x", text); got != "" {
			t.Errorf("%q is %q", text, got)
		}
	}
}
