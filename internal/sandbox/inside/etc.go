//go:build linux

package inside

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hob/internal/sandbox/proc"
)

// shown are the files and folders of the host that every command sees, below /. What is missing here is left out later.
func shown() ([]string, error) {
	all := systemFolders()
	names, err := proc.Names("/etc")
	for _, name := range names {
		if wanted(name) {
			all = append(all, "etc/"+name)
		}
	}
	for _, name := range wantedDeep() {
		all = append(all, "etc/"+name)
	}
	return all, wrap("read /etc", err)
}

// wanted says whether commands see the host's /etc/name. What is here is needed by the C library, by TLS, or by a
// language or program that many have; what may hold a secret or a person's name is not, and the files of etcFiles are made
// anew.
func wanted(name string) bool {
	switch name {
	case "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "locale.alias", "locale.conf", "gai.conf",
		"host.conf", "protocols", "services", "rpc", "networks", "ethertypes",
		"os-release", "lsb-release", "debian_version", "alpine-release", "redhat-release", "fedora-release", "arch-release",
		"mime.types", "magic", "magic.mime", "inputrc", "profile", "bash.bashrc", "bashrc", "shells", "terminfo", "mtab",
		"alternatives", "fonts", "perl", "python", "gnutls", "crypto-policies",
		"vim", "nanorc", "wgetrc", "manpath.config", "groff", "papersize", "paperspecs", "texmf", "php", "R", "xml", "sgml",
		"lynx", "emacs", "ghostscript", "libpaper.d":
		return true
	}
	return strings.HasPrefix(name, "python3") || strings.HasPrefix(name, "java-") || strings.HasPrefix(name, "ImageMagick-")
}

// wantedDeep are those of which only a part is shown: certificates without their keys.
func wantedDeep() []string {
	return []string{
		"ssl/certs", "ssl/openssl.cnf", "ssl/cert.pem", "ssl/certs.pem",
		"pki/tls/certs", "pki/tls/cert.pem", "pki/tls/openssl.cnf", "pki/ca-trust/extracted",
		"ca-certificates/extracted", "maven/m2.conf", "maven/logging",
	}
}

// etcFiles are the files of /etc that are written for a command. There is no resolv.conf: names are looked up by nobody but
// the proxy.
func etcFiles(home string) [][2]string {
	uid, gid := strconv.Itoa(unix.Getuid()), strconv.Itoa(unix.Getgid())
	passwd := "root:x:0:0:root:" + home + ":/bin/sh\nnobody:x:65534:65534:nobody:" + home + ":/bin/sh\n"
	group := "root:x:0:\nnogroup:x:65534:\n"
	if uid != "0" && uid != "65534" {
		passwd += "hob:x:" + uid + ":" + gid + ":hob:" + home + ":/bin/sh\n"
	}
	if gid != "0" && gid != "65534" {
		group += "hob:x:" + gid + ":\n"
	}
	return [][2]string{
		{"passwd", passwd},
		{"group", group},
		{"hosts", "127.0.0.1 localhost hob\n::1 localhost\n"},
		{"nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files\nnetworks: files\nprotocols: files\nservices: files\n"},
	}
}

// layEtc makes /etc in the new root, in which the working folder is, with the files that are written for a command.
func layEtc(home string) error {
	if err := unix.Mkdir("etc", 0o755); err != nil {
		return wrap("make /etc", err)
	}
	for _, f := range etcFiles(home) {
		if err := writeFile("etc/"+f[0], os.O_CREATE|os.O_EXCL, f[1]); err != nil {
			return wrap("make /etc/"+f[0], err)
		}
	}
	return nil
}

// writeFile writes a file that is opened with flags.
func writeFile(path string, flags int, content string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|flags, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close())
}
