// A real partition whose machine is a few lines: it notes the numbers that it was given, in order.

import type { Machine } from '../../../../engine/actor/machine.ts';
import type { Entry, Message } from '../../../../engine/actor/message.ts';
import { Partition } from '../../../../engine/actor/partition.ts';
import type { PartitionStore } from '../../../../engine/actor/store.ts';
import type { Rng } from '../../../../engine/base/rng.ts';
import { AgeClock } from '../../../../engine/time/age-clock.ts';
import type { Clock } from '../../../../engine/time/clock.ts';
import { Documents } from '../../../../storage/documents.ts';
import type { MemoryStore } from '../../../../storage/memory.ts';

const owner = 1;

interface Noted extends Entry {
  readonly id: number;
}

interface NoteMessage extends Message {
  readonly id: number;
}

export interface NotedMemory {
  readonly partition: Partition;
  readonly ids: number[];
}

interface NotedOptions {
  /** What it commits to. */
  readonly over: PartitionStore;
  /** What it folds first. */
  readonly files: MemoryStore;
  readonly clock: Clock;
  readonly rng: Rng;
  /** Runs a turn soon. */
  readonly soon: (task: () => void) => void;
}

/** Memory from the files, not started. */
export function openNoted({ over, files, clock, rng, soon }: NotedOptions): NotedMemory {
  const ids: number[] = [];
  const machine: Machine = {
    ages: new AgeClock(),
    rebase: () => {},
    documentsOf: (_owner, stored) => stored,
    decide: (message) => {
      const { id } = message as NoteMessage;
      const noted: Noted = { kind: 'noted', owner, id };
      return { outcome: 'accepted', reply: id, entries: [noted] };
    },
    apply: (entry) => {
      ids.push((entry as Noted).id);
    },
    timerMessage: () => ({ kind: 'none' }),
    pump: () => undefined,
    recover: () => [],
    parts: () => [],
    restore: () => {},
  };
  const partition = new Partition({
    index: 0,
    store: over as never,
    documents: new Documents(over),
    machine,
    clock,
    rng,
    scheduler: { soon, wakeAt: () => {} },
    limits: { commitsInFlightMax: 1 },
    emit: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  for (const { seq, block } of files.blocks(1, Number.POSITIVE_INFINITY))
    partition.replay(seq, block);
  return { partition, ids };
}

/** Asks the partition to note a number; `answer` says whether it is in the log. */
export function note(
  { partition }: NotedMemory,
  id: number,
  answer: (isAcknowledged: boolean) => void,
): void {
  const message: NoteMessage = { kind: 'note', id };
  partition.deliver({
    to: owner,
    lane: 'express',
    deadlineMs: Number.POSITIVE_INFINITY,
    message,
    bytes: undefined,
    answer: ({ ok }) => answer(ok),
  });
}
