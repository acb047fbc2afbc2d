#!/bin/bash
# Runs a command among hosts that are reached by ssh, and prints how long it took: the time of the clock, and that of
# processors on all hosts together. The hosts are network namespaces with a server for ssh in each.
#     lab/ssh-hosts.sh 4 bin/rankwire run -n 64 --hosts HOSTS:16 --ssh SSH -cp DIR Ring
# HOSTS:16 becomes 10.77.0.1:16,10.77.0.2:16 and so on, and SSH the command that reaches them. Needs root, ip and sshd.
# REPEAT=5 runs it five times.
set -u

hosts=$1
shift
scratch=$(mktemp -d)
prefix=rw$$-
servers=()

clean() {
    for pid in "${servers[@]}"; do kill "$pid" 2> /dev/null; done
    wait
    for host in hub $(seq "$hosts"); do ip netns del "$prefix$host" 2> /dev/null; done
    rm -rf "$scratch"
}
trap clean EXIT
trap 'exit 1' INT TERM

add() {
    ip netns add "$prefix$1" || exit 1
    ip -n "$prefix$1" link set lo up
}

on() {
    where=$1
    shift
    nsenter --net="/run/netns/$prefix$where" "$@"
}

add hub
ip -n "${prefix}hub" link add br0 type bridge
ip -n "${prefix}hub" addr add 10.77.0.254/24 dev br0
ip -n "${prefix}hub" link set br0 up
ssh-keygen -q -t ed25519 -N '' -f "$scratch/server"
ssh-keygen -q -t ed25519 -N '' -f "$scratch/user"
cat > "$scratch/sshd_config" << END
HostKey $scratch/server
AuthorizedKeysFile $scratch/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
UseDNS no
AcceptEnv RANKWIRE_DIR
END
cat > "$scratch/ssh_config" << END
Host *
IdentityFile $scratch/user
IdentitiesOnly yes
IdentityAgent none
UserKnownHostsFile /dev/null
GlobalKnownHostsFile /dev/null
StrictHostKeyChecking no
LogLevel ERROR
SendEnv RANKWIRE_DIR
Port 2222
END
mkdir -p /run/sshd
list=
for host in $(seq "$hosts"); do
    add "$host"
    ip link add e0 netns "$prefix$host" type veth peer name "p$host" netns "${prefix}hub"
    ip -n "${prefix}hub" link set "p$host" master br0 up
    ip -n "$prefix$host" addr add "10.77.0.$host/24" dev e0
    ip -n "$prefix$host" link set e0 up
    list=$list${list:+,}10.77.0.$host
done

words=()
for word in "$@"; do
    case $word in
        HOSTS) words+=("$list") ;;
        HOSTS:*) words+=("${list//,/:${word#HOSTS:},}:${word#HOSTS:}") ;;
        SSH) words+=("ssh -F $scratch/ssh_config") ;;
        *) words+=("$word") ;;
    esac
done

# A server counts the time of what it has run when it ends.
serve() {
    for host in $(seq "$hosts"); do
        nsenter --net="/run/netns/$prefix$host" /usr/sbin/sshd -D -e -f "$scratch/sshd_config" -p 2222 \
            >> "$scratch/log" 2>&1 < /dev/null &
        servers+=($!)
    done
    for host in $(seq "$hosts"); do
        for try in $(seq 100); do
            on hub bash -c "exec 3<> /dev/tcp/10.77.0.$host/2222" 2> /dev/null && break
            sleep 0.02
        done
    done
}

status=0
for run in $(seq "${REPEAT:-1}"); do
    serve
    times > "$scratch/before"
    from=$(date +%s%N)
    on hub "${words[@]}" || status=$?
    to=$(date +%s%N)
    for pid in "${servers[@]}"; do kill "$pid" && wait "$pid"; done
    servers=()
    times > "$scratch/after"
    awk -v ns=$((to - from)) '
        function seconds(time,    part) { split(time, part, /[ms]/); return part[1] * 60 + part[2] }
        FNR == 2 { user = seconds($1) - user; kernel = seconds($2) - kernel }
        END {
            printf "%.2f s, processors %.2f s (program %.2f s, kernel %.2f s)\n", ns / 1e9, user + kernel, user, kernel
        }
        ' "$scratch/before" "$scratch/after" >&2
done
exit "$status"
