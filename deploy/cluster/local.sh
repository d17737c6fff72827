#!/bin/sh
# Three nats-servers, three engines and the sandbox's providers on loopback, to see a cluster lose one
# of them: `local.sh start`, `local.sh kill engage2`, `local.sh run engage2`, `local.sh stop`. Needs
# nats-server 2.14 or newer in PATH and a built server (`npm run build`).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
engage="$here/../../dist/cli/main.js"
folder=${FOLDER:-"$PWD/cluster"}
nats=${NATS_SERVER:-nats-server}
all="nats1 nats2 nats3 providers engage1 engage2 engage3"

routes='["nats://127.0.0.1:6221", "nats://127.0.0.1:6222", "nats://127.0.0.1:6223"]'
servers=127.0.0.1:4221,127.0.0.1:4222,127.0.0.1:4223
monitors=http://127.0.0.1:8221,http://127.0.0.1:8222,http://127.0.0.1:8223
providers=http://127.0.0.1:8502

usage() {
  echo "usage: local.sh start|stop|status|kill <name>|run <name>   names: $all" >&2
  exit 2
}

pid_of() {
  pid=$(cat "$folder/$1.pid" 2>/dev/null || true)
  if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; then echo "$pid"; fi
}

write_nats_conf() {
  cat >"$folder/$1.conf" <<CONF
server_name: $1
listen: "127.0.0.1:422$2"
http: "127.0.0.1:822$2"
max_payload: 8MB
cluster { name: local, listen: "127.0.0.1:622$2", routes: $routes, no_advertise: true }
jetstream { store_dir: "$folder/$1", sync_interval: always, max_memory_store: 64MB, max_file_store: 64GB }
CONF
}

# Each in a group of its own, so that a kill takes all its processes.
background() {
  name=$1
  shift
  setsid "$@" >>"$folder/$name.log" 2>&1 &
  echo $! >"$folder/$name.pid"
}

# Runs a command with the settings of an engine.
with_settings() {
  number=$1
  shift
  env \
    ENGAGE_MODE=live \
    ENGAGE_VAPID_SUBJECT=mailto:ops@example.com \
    ENGAGE_PUBLIC_URL=http://127.0.0.1:8401 \
    ENGAGE_MASTER_KEY="$(cat "$folder/master-key")" \
    ENGAGE_BOOTSTRAP_TOKEN="$(cat "$folder/bootstrap-token")" \
    ENGAGE_PER_IP_PER_MINUTE=0 \
    ENGAGE_SHARDS=1 ENGAGE_DISPATCHERS=1 \
    ENGAGE_FCM_URL=$providers/fcm \
    ENGAGE_GOOGLE_TOKEN_URL=$providers/google/token \
    ENGAGE_ALLOW_PRIVATE_NETWORKS=1 \
    ENGAGE_PORT="840$number" ENGAGE_METRICS_PORT="845$number" \
    ENGAGE_DATA_DIR="$folder/engage$number" \
    ENGAGE_CLUSTER=local ENGAGE_CLUSTER_NODE="engage$number" \
    ENGAGE_CLUSTER_LISTEN="127.0.0.1:841$number" \
    ENGAGE_CLUSTER_NATS=$servers ENGAGE_CLUSTER_NATS_MONITORS=$monitors \
    "$@"
}

run() {
  name=$1
  number=${name#"${name%?}"}
  if [ -n "$(pid_of "$name")" ]; then echo "$name runs already"; return; fi
  case $name in
  nats[123])
    write_nats_conf "$name" "$number"
    background "$name" "$nats" -c "$folder/$name.conf"
    ;;
  providers)
    background "$name" env ENGAGE_SANDBOX_PORT=8502 ENGAGE_SANDBOX_SMTP_PORT=8503 \
      node "$engage" sandbox
    ;;
  engage[123]) with_settings "$number" "$0" background "$name" node "$engage" start ;;
  *) usage ;;
  esac
  echo "$name started"
}

kill_hard() {
  pid=$(pid_of "$1")
  if [ -z "$pid" ]; then echo "$1 does not run"; return; fi
  kill -9 "-$pid"
  rm -f "$folder/$1.pid"
  echo "$1 killed"
}

status() {
  for name in $all; do
    if [ -n "$(pid_of "$name")" ]; then echo "$name runs"; else echo "$name does not run"; fi
  done
  for number in 1 2 3; do
    if [ -z "$(pid_of "engage$number")" ]; then continue; fi
    with_settings "$number" node "$engage" cluster || true
    return
  done
}

mkdir -p "$folder"
case ${1:-} in
start)
  [ -f "$folder/master-key" ] || head -c 32 /dev/urandom | base64 >"$folder/master-key"
  [ -f "$folder/bootstrap-token" ] || head -c 24 /dev/urandom | base64 >"$folder/bootstrap-token"
  for name in $all; do run "$name"; done
  for number in 1 2 3; do
    tries=0
    until curl -fs "http://127.0.0.1:845$number/readyz" >/dev/null 2>&1; do
      tries=$((tries + 1))
      if [ $tries -gt 120 ]; then
        echo "engage$number is not ready; its log is $folder/engage$number.log" >&2
        exit 1
      fi
      sleep 1
    done
    echo "engage$number is ready: http://127.0.0.1:840$number"
  done
  ;;
stop)
  for name in engage1 engage2 engage3 providers nats1 nats2 nats3; do
    pid=$(pid_of "$name")
    if [ -n "$pid" ]; then kill -TERM "$pid"; fi
  done
  for name in $all; do
    while [ -n "$(pid_of "$name")" ]; do sleep 1; done
    rm -f "$folder/$name.pid"
  done
  echo stopped
  ;;
status) status ;;
background) # of this script's own
  shift
  background "$@"
  ;;
kill) kill_hard "${2:?$(usage)}" ;;
run) run "${2:?$(usage)}" ;;
*) usage ;;
esac
