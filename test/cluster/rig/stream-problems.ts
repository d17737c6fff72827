// Whether the streams themselves show two owners. An independent reader of the rules: terms begin
// with a claim and only rise, and within the newest term each turn follows the frame before.

import type { StreamFrame } from './history.ts';

/** Frames that no reader takes, of owners whose term was over. */
export function lateFrames(frames: readonly StreamFrame[]): number {
  return [...byPartition(frames).values()].reduce((sum, all) => sum + read(all).late, 0);
}

export function streamProblems(frames: readonly StreamFrame[]): string[] {
  return [...byPartition(frames)].flatMap(([partition, all]) =>
    read(all).problems.map((problem) => `partition ${partition}: ${problem}`),
  );
}

function byPartition(frames: readonly StreamFrame[]): Map<number, StreamFrame[]> {
  const found = new Map<number, StreamFrame[]>();
  for (const frame of frames) {
    const known = found.get(frame.partition);
    if (known === undefined) found.set(frame.partition, [frame]);
    else known.push(frame);
  }
  return found;
}

function read(frames: readonly StreamFrame[]): {
  readonly problems: string[];
  readonly late: number;
} {
  const problems: string[] = [];
  let late = 0;
  let newest: StreamFrame | undefined;
  /** Of the newest valid turn; a claim does not know it. */
  let seq: number | undefined;
  for (const frame of frames) {
    const isClaim = frame.kind === 'claim';
    const term = newest?.term ?? 0;
    if (newest !== undefined && (frame.term < term || (isClaim && frame.term === term))) {
      late++;
      continue;
    }
    if (newest !== undefined && !isClaim) problems.push(...discontent(frame, newest, seq));
    if (!isClaim) seq = frame.seq;
    newest = frame;
  }
  return { problems, late };
}

/** What is wrong with a frame of the newest term, or of one that nobody claimed. */
function discontent(frame: StreamFrame, newest: StreamFrame, seq: number | undefined): string[] {
  const { kind, term, writer } = frame;
  if (term > newest.term) return [`term ${term} begins without a claim`];
  if (writer !== newest.writer)
    return [`term ${term} has frames of the processes ${newest.writer} and ${writer}`];
  if (frame.before !== newest.sum)
    return [`a frame of term ${term} behind turn ${seq} does not follow the one before`];
  const next = seq === undefined ? frame.seq : seq + (kind === 'turn' ? 1 : 0);
  return frame.seq === next ? [] : [`turn ${frame.seq} of term ${term} follows turn ${seq}`];
}
