// Which program a connection on loopback comes from, by its port: the kernel lists the socket, and
// the processes that hold it. A link names its callers by it. Linux only.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether one of these processes holds the end of the connection that has `from` as its port. */
export function holds(pids: readonly number[], from: number, to: number): boolean {
  const inode = inodeOf(from, to);
  return inode !== undefined && pids.some((pid) => socketsOf(pid).has(`socket:[${inode}]`));
}

const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;

function inodeOf(from: number, to: number): string | undefined {
  try {
    for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1)) {
      const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(hex(from)) && remote?.endsWith(hex(to))) return inode;
    }
  } catch {
    // no such list on this system
  }
  return undefined;
}

function socketsOf(pid: number): Set<string> {
  const found = new Set<string>();
  try {
    for (const name of readdirSync(`/proc/${pid}/fd`))
      try {
        found.add(readlinkSync(`/proc/${pid}/fd/${name}`));
      } catch {
        // closed in between
      }
  } catch {
    // the process has ended
  }
  return found;
}
