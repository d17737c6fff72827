// Where the admin socket of a data directory is. A unix socket's path may have only some hundred
// bytes, and a data directory's may be longer: then the directory is named by a descriptor, where
// the system has /proc.

import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';

const nameBytesMax = 100; // 108 on Linux and 104 elsewhere, with the byte that ends it

/** An address to listen at or to connect to. */
interface AdminAddress {
  readonly path: string;
  /** Call it when the address is not needed any more. */
  release(): void;
}

/**
 * The address of `<dataDir>/admin.sock`. Throws where its path is too long and there is no way
 * round.
 */
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
