// What owners of one log told their callers, held against what a reader makes of the log.

import { turnOf } from '../../../../engine/log/frame.ts';
import { LogReader } from '../../../../engine/log/log-reader.ts';
import type { LoggedFrame } from '../../../../engine/log/partition-log.ts';

/** A turn, and how its append ended. */
export interface Told {
  readonly seq: number;
  /** Unlike that of any other turn. */
  readonly payload: string;
  readonly end: 'committed' | 'fenced' | 'unknown';
}

/** Adds to `findings`, and returns how many frames are void. */
export function auditOwners(
  frames: readonly LoggedFrame[],
  told: readonly Told[],
  findings: string[],
): number {
  const reader = new LogReader();
  const turns = new Map<number, string>();
  let term = 0;
  try {
    for (const { position, bytes } of frames) {
      const frame = reader.take(position, bytes);
      if (frame === undefined) continue;
      if (frame.term < term) findings.push(`term ${frame.term} after ${term}`);
      term = frame.term;
      if (frame.kind !== 'turn') continue;
      if (turns.has(frame.seq)) findings.push(`two turns ${frame.seq}`);
      turns.set(frame.seq, Buffer.from(turnOf(frame).block).toString());
    }
  } catch (error) {
    findings.push(String(error));
  }
  const inLog = new Set(turns.values());
  const committed = new Map<number, string>();
  for (const { seq, payload, end } of told) {
    if (end === 'committed' && turns.get(seq) !== payload)
      findings.push(`turn ${seq} was acknowledged and is not in the log: ${payload}`);
    if (end === 'committed') {
      const other = committed.get(seq);
      if (other !== undefined && other !== payload)
        findings.push(`turn ${seq} was acknowledged twice: ${other}, ${payload}`);
      committed.set(seq, payload);
    }
    if (end === 'fenced' && inLog.has(payload))
      findings.push(`a refused turn is in the log: ${payload}`);
  }
  return reader.voids;
}
