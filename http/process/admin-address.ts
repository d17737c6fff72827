// The path of a data directory's admin socket. A unix socket's path has about a hundred bytes at
// most; for longer ones a descriptor names the directory, on systems with /proc.

import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';

const nameBytesMax = 100; // 108 on Linux and 104 elsewhere, including the final NUL

interface AdminAddress {
  readonly path: string;
  /** Call it when the address is no longer needed. */
  release(): void;
}

/** `<dataDir>/admin.sock`. Throws if the path is too long and the system has no /proc. */
export function adminAddress(dataDir: string): AdminAddress {
  const path = join(dataDir, 'admin.sock');
  if (Buffer.byteLength(path) <= nameBytesMax) return { path, release: () => undefined };
  if (!existsSync('/proc/self/fd'))
    throw new Error(
      `${path} is too long for a socket path: use a data directory with a shorter path.`,
    );
  const directory = openSync(dataDir, 'r');
  return {
    path: `/proc/self/fd/${directory}/admin.sock`,
    release: () => closeSync(directory),
  };
}
