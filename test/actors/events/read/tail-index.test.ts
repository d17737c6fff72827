// What a thread notes of the log after a checkpoint: it changes which blocks are read, never what
// is found.

import t from 'tap';
import { noHistory } from '../../../../actors/events/history/event-history.ts';
import { type EventDraft, encodeDrafts } from '../../../../actors/events/log/drafts.ts';
import type { EventQuery } from '../../../../actors/events/protocol.ts';
import { readEvents } from '../../../../actors/events/read/read.ts';
import { TailIndex, tailIndexOf } from '../../../../actors/events/read/tail-index.ts';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import { encodeBlock } from '../../../../engine/actor/block.ts';
import type { Entry } from '../../../../engine/actor/message.ts';
import { nowMs } from '../bodies.ts';

const app = 4101;
const other = 8197;

/** A log that counts the blocks read from it. */
class CountedLog {
  readonly eventsOf = eventsOf;
  readonly oldestSeq = 1;
  readonly #blocks: Uint8Array[] = [];
  #events = new Map<number, number>();
  read = 0;

  get durableSeq(): number {
    return this.#blocks.length;
  }

  /** Adds a block with one batch for each owner. */
  add(...batches: (readonly [owner: number, drafts: readonly EventDraft[]])[]): void {
    const entries = batches.map(([owner, drafts]): Entry => {
      const first = this.#events.get(owner) ?? 1;
      this.#events.set(owner, first + drafts.length);
      const batch = encodeDrafts(drafts, nowMs, first);
      return { kind: 'events.tracked', owner, atMs: nowMs, keyless: false, batch } as Entry;
    });
    this.#blocks.push(encodeBlock({ atMs: nowMs, entries }));
  }

  blocks(from: number, limit: number): { readonly seq: number; readonly block: Uint8Array }[] {
    const found = this.#blocks.slice(from - 1, from - 1 + limit);
    this.read += found.length;
    return found.map((block, i) => ({ seq: from + i, block }));
  }
}

const by = (person: number, name = 'x'): EventDraft => ({ person, name, atMs: nowMs });

function ask(log: CountedLog, tail: TailIndex, query: Partial<EventQuery>) {
  log.read = 0;
  const sources = { log, history: noHistory, tail, erased: new Set<number>() };
  const { found } = readEvents(app, { limit: 50, ...query }, sources);
  return { seqs: found.map(({ seq }) => seq), read: log.read };
}

function filledLog(): CountedLog {
  const log = new CountedLog();
  for (let i = 0; i < 100; i++) {
    if (i % 10 === 9) log.add([other, [by(7), by(i)]]);
    else log.add([app, [by(i), by(1000 + (i % 4))]], [other, [by(7, 'rare')]]);
  }
  return log;
}

t.test('after the first question only blocks that hold something are read', async (t) => {
  const log = filledLog();
  const tail = new TailIndex(0);
  const first = ask(log, tail, { person: 50 });
  t.equal(first.seqs.length, 1);
  t.equal(first.read, 100);
  t.same(ask(log, tail, { person: 50 }), { seqs: first.seqs, read: 1 });
  t.same(ask(log, tail, { person: 7 }).read, 1, 'another app’s person is not this one’s');
  t.same(ask(log, tail, { person: 9 }), { seqs: [], read: 0 });
  t.same(ask(log, tail, { name: 'rare' }), { seqs: [], read: 0 });
  log.add([app, [by(50, 'rare')]]);
  log.add([other, [by(50, 'rare')]]);
  t.same(ask(log, tail, { person: 50 }), { seqs: [181, ...first.seqs], read: 3 });
  t.same(ask(log, tail, { name: 'rare' }), { seqs: [181], read: 1 });
  t.same(ask(log, tail, { name: 'rare', person: 51 }), { seqs: [], read: 0 });
});

t.test('a page that is full leaves older blocks unread, and they are found later', async (t) => {
  const log = filledLog();
  const tail = new TailIndex(0);
  const page = ask(log, tail, { person: 1001, limit: 3 });
  t.equal(page.seqs.length, 3);
  t.ok(page.read < 100);
  const all = ask(log, tail, { person: 1001 });
  t.same(all.seqs, ask(log, new TailIndex(0), { person: 1001 }).seqs);
  t.equal(all.seqs.length, 20);
  const before = all.seqs[2] as number;
  t.same(ask(log, tail, { person: 1001, beforeSeq: before }).seqs, all.seqs.slice(3));
});

t.test('a later page reads none of the blocks of the pages before it', async (t) => {
  const log = new CountedLog();
  for (let i = 0; i < 1000; i++) log.add([app, [by(i, 'same')]]);
  const tail = new TailIndex(0);
  for (const query of [{ name: 'same' }, {}]) {
    let beforeSeq: number | undefined;
    let seen = 0;
    let read = 0;
    do {
      const page = ask(log, tail, { ...query, ...(beforeSeq && { beforeSeq }) });
      seen += page.seqs.length;
      beforeSeq = page.seqs.at(-1);
      if (seen > 50) read += page.read;
    } while (beforeSeq !== undefined && seen < 1000);
    t.equal(seen, 1000);
    t.ok(
      read < 2500,
      `${read} blocks are read for the other pages: some twice, none again and again`,
    );
  }
});

t.test('blocks of other times are not read', async (t) => {
  const log = new CountedLog();
  for (let i = 0; i < 100; i++) log.add([app, [{ ...by(i), atMs: nowMs - i * 1000 }]]);
  const tail = new TailIndex(0);
  const query = { fromMs: nowMs - 9_500, toMs: nowMs - 5_000 };
  t.same(ask(log, tail, query), { seqs: [10, 9, 8, 7], read: 100 });
  t.same(ask(log, tail, query), { seqs: [10, 9, 8, 7], read: 4 });
});

t.test('a block of very many names is taken to have any', async (t) => {
  const log = new CountedLog();
  log.add([app, Array.from({ length: 100 }, (_, i) => by(i, `name-${i}`))]);
  const tail = new TailIndex(0);
  t.same(ask(log, tail, { name: 'nothing' }), { seqs: [], read: 1 });
  t.same(ask(log, tail, { name: 'nothing' }), { seqs: [], read: 1 });
  t.same(ask(log, tail, { name: 'name-3' }).seqs, [4]);
});

t.test('a checkpoint ends what was noted of the log before it', async (t) => {
  const index = tailIndexOf('/nowhere', 5);
  index.add(6, [], eventsOf);
  t.equal(tailIndexOf('/nowhere', 5), index);
  t.ok(index.knows(6));
  t.notOk(index.knows(7));
  t.notOk(tailIndexOf('/nowhere', 6).knows(7));
  t.not(tailIndexOf('/nowhere', 6), index);
});
