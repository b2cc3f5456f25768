#!/bin/sh
# After the files are there: the user, its folders, and, after an upgrade, the new program for the service that runs.
# dpkg says "configure OLD-VERSION", or what went wrong; rpm says how many versions are installed.
set -e

before=
case "$1" in
configure) before=$2 ;;
1) ;;
[2-9]) before=yes ;;
*) exit 0 ;;
esac

# debconf learns the question that a purge asks. What it prints to is not a terminal's.
if [ "$1" = configure ] && [ -e /usr/share/debconf/confmodule ]; then
	. /usr/share/debconf/confmodule
	db_stop
fi

if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers hob.conf
elif ! getent passwd hob >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/hob --no-create-home --shell /usr/sbin/nologin --comment 'hob personal agent' hob
fi
if command -v systemd-tmpfiles >/dev/null 2>&1; then
	systemd-tmpfiles --create hob.conf
else
	install -d -m 0750 -o root -g hob /etc/hob
	install -d -m 0700 -o hob -g hob /var/lib/hob
fi

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
	[ -z "$before" ] || systemctl try-restart hob.service || true
fi
if [ -z "$before" ]; then
	echo 'hob is installed. "hob setup" sets it up for you alone; "sudo hob setup --service system" as a service of this machine.'
fi
