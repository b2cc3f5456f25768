#!/bin/sh
# Before the files go for good: the service ends. An upgrade lets it run until the new files are there.
set -e
case "$1" in
remove | deconfigure | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now hob.service || true
	fi
	;;
esac
