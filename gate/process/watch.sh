# What guards child processes: see watchdog. Two seconds are what grace gives.
groups=
while read -r what group; do
	case $what in
	+) groups="$groups $group" ;;
	-)
		kept=
		for one in $groups; do
			test "$one" = "$group" || kept="$kept $one"
		done
		groups=$kept
		;;
	esac
done
test -n "$groups" || exit 0
for one in $groups; do kill -15 "-$one"; done
sleep 2
for one in $groups; do kill -9 "-$one"; done
