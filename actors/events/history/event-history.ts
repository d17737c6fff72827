// The stored events of one partition as its newest checkpoint lists them: which files an app has,
// and what of them a question needs. Together with the log after `seq` this is every event there
// is; `stored-read.ts` goes through both.

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

/** What questions need of a file. */
interface AskedFile {
  /** What a question of it costs at least, as a number of rows looked at in that time. */
  readonly questionRows: number;
  find(wanted: WantedEvents): Iterable<FoundRows>;
}

/** History as one checkpoint lists it. */
export class EventHistory {
  /**
   * Events of log blocks up to here are in its files, all others in the log; 0 when there is no
   * checkpoint.
   */
  readonly seq: Seq;
  readonly #files = new Map<Ordinal, HistoryFile[]>();
  readonly #open: (listed: HistoryFile) => AskedFile;

  /** `open` gives a file that is listed here. */
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

  /**
   * An app's files, the one with the newest event first. Days overlap in seq where events came
   * late.
   */
  filesOf(app: Ordinal): readonly HistoryFile[] {
    return this.#files.get(app) ?? [];
  }

  /** The UTC days, since the epoch, of which an app has events here, newest first. */
  daysOf(app: Ordinal): readonly number[] {
    return [...new Set(this.filesOf(app).map(({ day }) => day))].sort((a, b) => b - a);
  }

  /** Throws `HistoryGone`, and `DamagedEvents` when it can not be made out where its blocks are. */
  open(listed: HistoryFile): AskedFile {
    return this.#open(listed);
  }

  /**
   * The rows of an app's files that may be wanted, a block at a time: read the columns you need, no
   * other is unpacked. Files come newest first, days may be mixed. Throws as `EventFile.find`.
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

/** No checkpoint has been made. */
export const noHistory = new EventHistory(0, [], () => {
  throw new Error('there is no history');
});

interface Known {
  /** Which manifest it is of. */
  readonly mark: string;
  readonly history: EventHistory;
}

/**
 * By partition's path, those longest unused first. A manifest lists every file of a partition: it
 * is read once.
 */
const known = new Map<string, Known>();
const knownMax = 64;
const opened = new OpenedFiles();

/** The history of a partition's directory as it is listed now. */
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
    // Of one that came while this was read the mark is not known; the next question reads again.
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

/**
 * What the newest checkpoint is called and when its manifest was written; `undefined` when it is
 * not there.
 */
function markOf(partitionPath: string): string | undefined {
  const [name] = checkpointNames(partitionPath);
  if (name === undefined) return undefined;
  const path = join(checkpointsPath(partitionPath), name, 'manifest.json');
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${name} ${stat.ino} ${stat.mtimeMs}`;
}
