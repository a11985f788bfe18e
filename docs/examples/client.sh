#!/usr/bin/env bash
# Talks to the bridge with mosquitto_pub and mosquitto_sub.
#
# usage: docs/examples/client.sh devices BRIDGE
#        docs/examples/client.sh call TOPIC [PAYLOAD]
#        docs/examples/client.sh follow TOPIC [COUNT]
#        docs/examples/client.sh drive ROBOT SECONDS [SPEED]
#   devices   lists the devices of a bridge, one a line
#   call      sends a command or a request, and prints its answer
#   follow    prints a state or an event, now and whenever it changes, COUNT times or until Ctrl-C
#   drive     drives a robot forward for so long, and stops it
#
# BROKER_HOST and BROKER_PORT say where the broker is (localhost, 1883).
# Exit codes: 0 done, 1 the bridge refused, 64 wrong usage, 69 no broker or no answer.
set -eu

broker=(-h "${BROKER_HOST:-localhost}" -p "${BROKER_PORT:-1883}")
user=$(id -un)

usage() {
	sed -n '4,7s/^# \{0,1\}//p' "$0" >&2
	exit 64
}

# Sends a message and prints the answer to it: on a topic of our own, with our own correlation data.
call() {
	local topic=$1 payload=${2-} id="$$-$RANDOM" line answer=''
	local reply="reply/$user/$id"
	exec 3< <(
		# Line by line: we must know when the subscription is in force before we ask.
		exec stdbuf -oL mosquitto_sub "${broker[@]}" -V 5 -d -q 1 -C 1 -W 10 -t "$reply" -F 'answer %D %p' 2>&1
	)
	while read -r line <&3; do
		case $line in
		Subscribed*)
			mosquitto_pub "${broker[@]}" -V 5 -q 1 -t "$topic" -m "$payload" \
				-D publish response-topic "$reply" -D publish correlation-data "$id"
			;;
		"answer $id "*) answer=${line#"answer $id "} ;;
		esac
	done
	exec 3<&-
	[ -n "$answer" ] || {
		echo "no answer to $topic within 10 s" >&2
		exit 69
	}
	printf '%s\n' "$answer"
	case $answer in
	*'"status":"ok"'*) ;;
	*) exit 1 ;;
	esac
}

devices() {
	# The answer is one JSON object; a shell needs no more of it than the names.
	call "bridge/$1/request/devices" | grep -o '"name":"[^"]*","family":"[^"]*"' |
		sed 's/"name":"\(.*\)","family":"\(.*\)"/\1 \2/'
}

follow() {
	mosquitto_sub "${broker[@]}" -t "$1" ${2:+-C "$2"} || exit 69
}

# A drive command is a lease of 300 ms: the robot stops by itself if we fall silent. So it is renewed every 100 ms for
# as long as it is wanted, and ended by a stop. `hold` names this press of the stick: if a person stops the robot
# meanwhile, what we still send moves nothing.
drive() {
	local seconds=$2 speed=${3:-0.3} hold=$((RANDOM * 32768 + RANDOM)) end
	robot=$1 # not local: it is used when the script ends
	trap 'mosquitto_pub "${broker[@]}" -q 1 -t "$robot/stop/set" -n' EXIT
	trap 'exit 0' INT TERM
	end=$((SECONDS + seconds))
	while [ $SECONDS -lt $end ]; do
		echo "{\"direction\":0,\"speed\":$speed,\"duration_ms\":300,\"hold\":$hold}"
		sleep 0.1
	done | mosquitto_pub "${broker[@]}" -q 0 -l -t "$robot/drive/set" || exit 69
}

case ${1-}:$# in
devices:2 | call:[23] | follow:[23] | drive:[34]) "$@" ;;
*) usage ;;
esac
