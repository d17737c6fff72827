// A machine's files for one partition, on a disk that takes its time: one commit after another, and
// none once the process that asked for it is dead.

import type { CopyFiles } from '../../../../engine/log/copy.ts';
import type { MemoryStore } from '../../../../storage/memory.ts';

interface Disk {
  readonly now: () => number;
  readonly after: (ms: number, task: () => void) => void;
  /** Of the next commit. */
  readonly commitMs: () => number;
  readonly isThisLife: () => boolean;
}

/** `store` settles by hand. */
export function slowFiles(store: MemoryStore, disk: Disk): CopyFiles {
  let freeMs = 0;
  return new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'commit') return value.bind(target);
      return (...commit: Parameters<MemoryStore['commit']>) => {
        target.commit(...commit);
        freeMs = Math.max(freeMs, disk.now()) + disk.commitMs();
        disk.after(freeMs - disk.now(), () => {
          if (disk.isThisLife()) target.settleNext();
        });
      };
    },
  });
}
