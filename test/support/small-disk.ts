// A disk of a few megabytes that a test may fill to the last byte, where this process may mount.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { assert } from '../../engine/base/assert.ts';

/** Mounts an empty disk at `path`; false where only root may do that. */
export function mountDisk(t: Pick<Test, 'teardown'>, path: string, size: string): boolean {
  mkdirSync(path, { recursive: true });
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  if (mount.status !== 0) return false;
  t.teardown(() => spawnSync('umount', ['-l', path]));
  return true;
}

const fileName = 'of-another-program';
/** As long as the test's process lives. The file is named from the inside: see `Filler`. */
const script = `while kill -0 "$0" 2>/dev/null; do
  cat /dev/zero >>${fileName} 2>/dev/null
  sleep 0.001
done`;

/** Another program that takes every byte of a disk, also those that become free. */
export class Filler {
  readonly #path: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  /** It works inside the disk: once that is unmounted, it must not fill the one below. */
  constructor(t: Pick<Test, 'teardown'>, disk: string) {
    assert(statSync(disk).dev !== statSync(dirname(disk)).dev, 'only a small disk is filled');
    this.#path = join(disk, fileName);
    this.#child = spawn('sh', ['-c', script, String(process.pid)], {
      cwd: disk,
      detached: true,
      stdio: 'ignore',
    });
    this.#exited = once(this.#child, 'exit');
    t.teardown(() => this.end());
  }

  /** Ends it and gives back what it took. */
  async end(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      process.kill(-(this.#child.pid as number), 'SIGKILL');
    await this.#exited;
    rmSync(this.#path, { force: true });
  }
}

export function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
