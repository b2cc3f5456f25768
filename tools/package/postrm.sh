#!/bin/sh
# After the files are gone. What hob knows stays, also after a purge, unless a person said otherwise. The user stays: files that it
# owns may be anywhere.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
[ "$1" = purge ] || exit 0

delete=false
if [ -e /usr/share/debconf/confmodule ]; then
	. /usr/share/debconf/confmodule
	if [ -e /var/lib/hob ] || [ -e /etc/hob ]; then
		db_fset hob/remove-state seen false || true
		db_input high hob/remove-state || true
		db_go || true
		if db_get hob/remove-state; then
			delete=$RET
		fi
	fi
	db_purge || true
	db_stop
fi
if [ "$delete" = true ]; then
	rm -rf /var/lib/hob /etc/hob
elif [ -e /var/lib/hob ]; then
	echo 'What hob knows is left in /var/lib/hob.'
fi
