# What the scripts of tools/package-test have in the chroot.
set -eu
fail() { echo "FAIL: $*" >&2; exit 1; }
# has fails unless what it reads has the words.
has() { text=$(cat); case "$text" in *"$1"*) ;; *) fail "wanted \"$1\" in: $text" ;; esac; }
# as_hob runs a command as the user of the service.
as='setpriv --reuid=hob --regid=hob --init-groups env HOME=/var/lib/hob'
as_hob() { $as "$@"; }
# until_has WHAT COMMAND WORDS waits for words in what a command prints.
until_has() {
	tries=0
	while ! $2 2>&1 | grep -q -- "$3"; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || fail "$1: no \"$3\" after a minute: $($2 2>&1)"
		sleep 0.2
	done
}
