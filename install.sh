#!/bin/sh
# Installs reviewledger from a release: finds the platform, downloads the archive, checks its sum, and puts
# the program into ~/.local/bin:
#
#   curl -fsSL https://github.com/reviewledger/reviewledger/releases/latest/download/install.sh | sh
#
# It needs curl or wget; tar (unzip on Windows); and sha256sum, shasum or openssl. Variables:
#
#   PREFIX                the program goes to PREFIX/bin instead of ~/.local/bin; to PREFIX itself if that is called bin
#   REVIEWLEDGER_VERSION  the version, as v0.9.0, instead of the latest
#   REVIEWLEDGER_URL      where the files of the release are, instead of GitHub
#
# Exit codes: 0 installed, 1 error, 3 the release has no archive for this platform.
set -eu

fail() {
	printf 'error: %s\n' "$1" >&2
	exit "${2:-1}"
}

platform() {
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	MINGW* | MSYS* | CYGWIN*) os=windows ;;
	*) return 1 ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) return 1 ;;
	esac
}

# download NAME gets a file of the release.
download() {
	if command -v curl >/dev/null 2>&1; then
		curl -fsSL -o "$work/$1" "$url/$1"
	elif command -v wget >/dev/null 2>&1; then
		wget -q -O "$work/$1" "$url/$1"
	else
		fail 'download a release: install curl or wget first'
	fi || fail "download \"$url/$1\": see above; is there such a release, and can you reach it?"
}

# sum_of NAME prints the SHA-256 sum of a downloaded file.
sum_of() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum <"$work/$1"
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 <"$work/$1"
	elif command -v openssl >/dev/null 2>&1; then
		openssl dgst -sha256 -r <"$work/$1"
	else
		fail 'check the sum of the download: install sha256sum, shasum or openssl first'
	fi
}

# check NAME compares the sum of a downloaded file with the one that the release lists.
check() {
	listed=
	while read -r sum name; do
		if [ "$name" = "$1" ]; then
			listed=$sum
		fi
	done <"$work/SHA256SUMS"
	[ -n "$listed" ] || fail "the release at \"$url\" has no archive for $os on $arch: $other" 3
	download "$1"
	found=$(sum_of "$1")
	[ "${found%% *}" = "$listed" ] ||
		fail "check \"$url/$1\": its sum is ${found%% *}, and that of the release $listed. Nothing was installed. Try again: the download may have been cut, or the release was just replaced"
}

# place tries the program in the folder, and then gives it its name at once: one that is there stays if the
# new one does not run, and may be executed meanwhile.
place() {
	[ ! -d "$bin/$program" ] || fail "write \"$bin/$program\": it is a folder"
	new=$bin/.$$.$program
	trap 'rm -rf "$work" "$new"' EXIT
	if ! { cp "$work/$program" "$new" && chmod 755 "$new"; }; then
		fail "write to the folder \"$bin\": set PREFIX to a folder that you may write to"
	fi
	says=$("$new" version) || fail "run the new program in \"$bin\": see above; may programs in this folder be executed?"
	mv -f "$new" "$bin/$program" || fail "write \"$bin/$program\": see above"
}

main() {
	other='use Go (go install github.com/reviewledger/reviewledger/cmd/reviewledger@latest)'
	platform || fail "there are no archives for $(uname -s) on $(uname -m): $other" 3
	program=reviewledger archive=reviewledger_${os}_$arch.tar.gz
	if [ "$os" = windows ]; then
		program=reviewledger.exe archive=reviewledger_${os}_$arch.zip
	fi
	releases=https://github.com/reviewledger/reviewledger/releases
	if [ -n "${REVIEWLEDGER_URL:-}" ]; then
		url=${REVIEWLEDGER_URL%/}
	elif [ -n "${REVIEWLEDGER_VERSION:-}" ]; then
		url=$releases/download/$REVIEWLEDGER_VERSION
	else
		url=$releases/latest/download
	fi

	[ -n "${PREFIX:-}" ] || [ -n "${HOME:-}" ] || fail 'find a folder for the program: set HOME or PREFIX'
	bin=${PREFIX:-$HOME/.local}
	bin=${bin%/}
	[ "${bin##*/}" = bin ] || bin=$bin/bin
	if ! mkdir -p -- "$bin" || [ ! -w "$bin" ]; then
		fail "write to the folder \"$bin\": set PREFIX to a folder that you may write to"
	fi
	bin=$(CDPATH='' cd -- "$bin" && pwd)

	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	download SHA256SUMS
	check "$archive"
	if [ "$os" = windows ]; then
		unzip -q "$work/$archive" "$program" -d "$work"
	else
		tar -xzf "$work/$archive" -C "$work" "$program"
	fi || fail "read \"$url/$archive\": see above"
	done=Installed
	[ ! -e "$bin/$program" ] || done=Replaced
	place
	printf '%s %s:\n%s\n' "$done" "$bin/$program" "$says"
	hints
}

# hints says what is still missing before the program can be used.
hints() {
	# shellcheck disable=SC2016 # PATH is for the line that is shown
	case :$PATH: in
	*":$bin:"*)
		first=$(command -v reviewledger || true)
		[ "$first" = "$bin/$program" ] || [ -z "$first" ] || [ "$os" = windows ] || printf 'Another one comes first in PATH: %s\n' "$first"
		;;
	*) printf 'Add its folder to PATH, in ~/.profile, ~/.zshrc or the like:\n\n    export PATH="%s:$PATH"\n\n' "$bin" ;;
	esac
	command -v git >/dev/null 2>&1 || printf 'Install git, too: reviewledger needs 2.25 or newer.\n'
}

# In one piece, so that a cut download of this file does nothing.
main
