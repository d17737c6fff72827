// A partition's stored events in its newest checkpoint: each app's files, and their parts that a
// query needs. The log after `seq` has the rest; `stored-read.ts` reads both.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Ordinal, Seq } from '../../../engine/base/brand.ts';
import {
  checkpointNames,
  checkpointsPath,
  type HistoryFile,
  newestManifest,
} from '../../../storage/checkpoint.ts';
import type { FoundRows, WantedEvents } from './event-file.ts';
import { OpenedFiles } from './opened-files.ts';

interface AskedFile {
  /** A query's fixed cost, in rows of equal cost. */
  readonly questionRows: number;
  find(wanted: WantedEvents): Iterable<FoundRows>;
}

export class EventHistory {
  /** The files cover log blocks up to here; 0 without a checkpoint. */
  readonly seq: Seq;
  readonly #files = new Map<Ordinal, HistoryFile[]>();
  readonly #open: (listed: HistoryFile) => AskedFile;

  constructor(seq: Seq, listed: readonly HistoryFile[], open: (listed: HistoryFile) => AskedFile) {
    this.seq = seq;
    this.#open = open;
    for (const file of listed) {
      const files = this.#files.get(file.app);
      if (files === undefined) this.#files.set(file.app, [file]);
      else files.push(file);
    }
    for (const files of this.#files.values()) files.sort((a, b) => b.maxSeq - a.maxSeq);
  }

  /** Newest event first; late events make days overlap in seq. */
  filesOf(app: Ordinal): readonly HistoryFile[] {
    return this.#files.get(app) ?? [];
  }

  /** UTC days with an app's events since the epoch, newest first. */
  daysOf(app: Ordinal): readonly number[] {
    return [...new Set(this.filesOf(app).map(({ day }) => day))].sort((a, b) => b - a);
  }

  /** Throws `HistoryGone`, and `DamagedEvents` for a damaged directory. */
  open(listed: HistoryFile): AskedFile {
    return this.#open(listed);
  }

  /** Possible matches, newest file first; unpacks only read columns. Throws like `find`. */
  *find(app: Ordinal, wanted: WantedEvents): Generator<FoundRows> {
    const { fromMs, toMs, beforeSeq } = wanted;
    for (const listed of this.filesOf(app)) {
      if (fromMs !== undefined && listed.maxAtMs < fromMs) continue;
      if (toMs !== undefined && listed.minAtMs >= toMs) continue;
      if (beforeSeq !== undefined && listed.minSeq >= beforeSeq) continue;
      yield* this.#open(listed).find(wanted);
    }
  }
}

/** For a partition without a checkpoint. */
export const noHistory = new EventHistory(0, [], () => {
  throw new Error('there is no history');
});

interface Known {
  /** The manifest it came from. */
  readonly mark: string;
  readonly history: EventHistory;
}

/** By partition path, least recently used first. A manifest lists all files: read it once. */
const known = new Map<string, Known>();
const knownMax = 64;
const opened = new OpenedFiles();

export function newestHistory(partitionPath: string): EventHistory {
  const mark = markOf(partitionPath);
  let found = known.get(partitionPath);
  known.delete(partitionPath);
  if (found === undefined || mark === undefined || found.mark !== mark) {
    const manifest = newestManifest(partitionPath);
    if (manifest === undefined) return noHistory;
    const history = new EventHistory(manifest.seq, manifest.history, (listed) =>
      opened.open(partitionPath, listed),
    );
    // If the manifest changed during the read, the next query rereads it.
    if (mark === undefined || mark !== markOf(partitionPath)) return history;
    found = { mark, history };
  }
  known.set(partitionPath, found);
  for (const path of known.keys()) {
    if (known.size <= knownMax) break;
    known.delete(path);
  }
  return found.history;
}

/** The newest checkpoint's name and manifest time; `undefined` without one. */
function markOf(partitionPath: string): string | undefined {
  const [name] = checkpointNames(partitionPath);
  if (name === undefined) return undefined;
  const path = join(checkpointsPath(partitionPath), name, 'manifest.json');
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${name} ${stat.ino} ${stat.mtimeMs}`;
}
