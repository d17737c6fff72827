// The stored events of one partition as listed by its newest checkpoint: each app's files, and
// which parts of them a query needs. Together with the log after `seq` they are all events;
// `stored-read.ts` reads both.

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
  /** The fixed cost of a query, as the number of rows that take as long. */
  readonly questionRows: number;
  find(wanted: WantedEvents): Iterable<FoundRows>;
}

export class EventHistory {
  /**
   * Events of log blocks up to here are in the files, later ones in the log; 0 without a
   * checkpoint.
   */
  readonly seq: Seq;
  readonly #files = new Map<Ordinal, HistoryFile[]>();
  readonly #open: (listed: HistoryFile) => AskedFile;

  /** `open` opens a listed file. */
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

  /** An app's files, newest event first. Days overlap in seq where events arrived late. */
  filesOf(app: Ordinal): readonly HistoryFile[] {
    return this.#files.get(app) ?? [];
  }

  /** The UTC days since the epoch with events of an app, newest first. */
  daysOf(app: Ordinal): readonly number[] {
    return [...new Set(this.filesOf(app).map(({ day }) => day))].sort((a, b) => b - a);
  }

  /** Throws `HistoryGone`, and `DamagedEvents` for a damaged directory. */
  open(listed: HistoryFile): AskedFile {
    return this.#open(listed);
  }

  /**
   * The rows of an app's files that may match, block by block. Only the columns that you read are
   * unpacked. The newest file comes first; days may be mixed. Throws like `EventFile.find`.
   */
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
  /** The manifest that it was read from. */
  readonly mark: string;
  readonly history: EventHistory;
}

/**
 * By path of the partition, least recently used first. A manifest lists every file of a partition,
 * so it is read once.
 */
const known = new Map<string, Known>();
const knownMax = 64;
const opened = new OpenedFiles();

/** The current history of a partition's directory. */
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
    // A manifest that was replaced during the read is read again by the next query.
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

/** The name of the newest checkpoint and the time of its manifest; `undefined` without one. */
function markOf(partitionPath: string): string | undefined {
  const [name] = checkpointNames(partitionPath);
  if (name === undefined) return undefined;
  const path = join(checkpointsPath(partitionPath), name, 'manifest.json');
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${name} ${stat.ino} ${stat.mtimeMs}`;
}
