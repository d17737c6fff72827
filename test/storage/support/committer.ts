// A process that works through the workload on one partition, two commits in flight, and reports
// each turn on the descriptor of `acknowledge` once it is durable. Exits with 70 on a fatal commit,
// as the host does. Arguments: a JSON object, see `CommitterOptions`.

import { openSync, writeSync } from 'node:fs';
import { openPartition } from '../../../storage/environment.ts';
import { acknowledgement } from './power-cut.ts';
import { dropEvery, keptBlocks, turnOf } from './workload.ts';

/** What the process is told. */
export interface CommitterOptions {
  readonly dataDir: string;
  readonly turns: number;
  readonly commitLimitMs?: number;
  /** Polls for the visibility of each turn and reports when it was first seen, too. */
  readonly watch?: boolean;
  /** Drops no blocks, so that the file only grows. */
  readonly keep?: boolean;
  /** Where `recorder.c` records the writes: acknowledgments go between them. */
  readonly recordFile?: string;
}

const options: CommitterOptions = JSON.parse(process.argv[2] ?? '{}');
const record = options.recordFile === undefined ? undefined : openSync(options.recordFile, 'a');
const say = (line: string) => writeSync(1, `${line}\n`);

const store = openPartition({
  dataDir: options.dataDir,
  partition: 0,
  partitions: 1,
  nowMs: 0,
  commitLimitMs: options.commitLimitMs ?? 10_000,
  onFatal: (error) => {
    say(`fatal ${error.message} (${error.cause})`);
    process.exit(70);
  },
});
say(`open ${store.durableSeq}`);

// The last document of a turn that it leaves in place; the workload's values name their turn.
const visible = (seq: number) => {
  const changes = new Map(
    turnOf(seq).documents.map(({ key, value }) => [key.toString(), { key, value }]),
  );
  const written = [...changes.values()].find(({ value }) => value !== undefined);
  if (written?.value === undefined) return store.durableSeq >= seq;
  const seen = store.get(written.key);
  return seen !== undefined && Buffer.from(seen).equals(written.value);
};

const inFlightMax = options.watch ? 1 : 2;
let next = store.durableSeq + 1;
await new Promise<void>((resolve) => {
  const fill = () => {
    while (next <= options.turns && store.inFlight < inFlightMax) give(next++);
  };
  const give = (seq: number) => {
    const turn = turnOf(seq);
    const startedMs = performance.now();
    const poll = options.watch ? setInterval(() => watch(seq, startedMs), 1) : undefined;
    store.commit(turn, () => {
      clearInterval(poll);
      if (record !== undefined) writeSync(record, acknowledgement(seq));
      if (options.watch && !visible(seq)) say(`hidden ${seq}`);
      say(`durable ${seq} ${Math.round(performance.now() - startedMs)}`);
      if (seq % dropEvery === 0 && !options.keep) void store.dropBlocks(seq - keptBlocks, 1000);
      if (seq === options.turns) resolve();
      else setImmediate(fill);
    });
  };
  const watch = (seq: number, startedMs: number) => {
    if (visible(seq)) say(`visible ${seq} ${Math.round(performance.now() - startedMs)}`);
  };
  if (next > options.turns) resolve();
  fill();
});
await store.close();
say('done');
