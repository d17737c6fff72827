// Lists and redrives dead letters. Recovered letters stay in the table until retention, so a turn
// reads a bounded number of rows: a page may be short or empty, and only `nextCursor: null` ends
// the list.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  type DocumentWrite,
  refused,
} from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { type DeadLetterRow, deadLetters } from '../../../storage/tables/send.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { erasedLetter, personOfLetter } from './erased.ts';
import type { Origin, TransactionalEntry, TransactionalProtocol } from './protocol.ts';
import { readableRow, readableSend } from './read-row.ts';
import type { SendsView } from './view.ts';

type Redriven = Extract<TransactionalEntry, { kind: 'send.redriven' }>;
type RedrivenTarget = Redriven['targets'][number];
type Reply<K extends keyof TransactionalProtocol> = TransactionalProtocol[K]['reply'];

/** Letters per redrive call. */
const redriveMax = 1_000;
/** Letters per read (about 40 ms of a turn), and reads per redrive. */
const pageRows = 10_000;
const pagesMax = 2;

/** Oldest first. Letters of erased people are shown without personal data. */
export function listDeadLetters(
  app: SendsView,
  { lane, reason, limit, cursor }: MessageOf<TransactionalProtocol, 'dead_letter.list'>,
  { documents }: Context,
): Decision<Reply<'dead_letter.list'>> {
  const wrong = checkCursor(cursor);
  if (wrong !== undefined) return refused(wrong);
  const isFiltered = lane !== undefined || reason !== undefined;
  const page = pageFrom(documents, cursor, isFiltered ? pageRows : Math.min(limit + 1, pageRows));
  const items: DeadLetterRow[] = [];
  for (const letter of page.letters) {
    if (lane !== undefined && letter.lane !== lane) continue;
    if (reason !== undefined && letter.reason !== reason) continue;
    if (items.length === limit) return accepted({ items, nextCursor: letter.id });
    const person = personOfLetter(letter);
    const isErased = person !== undefined && app.people.erased.has(person);
    items.push(isErased ? erasedLetter(letter) : letter);
  }
  return accepted({ items, nextCursor: page.next });
}

/**
 * Redrives the named letters, or the open ones from the cursor on. Skips letters under redrive,
 * sends that are still open, and sends that are gone or cannot be read.
 */
export function redriveDeadLetters(
  app: SendsView,
  { ids, reason, all, cursor }: MessageOf<TransactionalProtocol, 'dead_letter.redrive'>,
  { owner, nowMs, documents }: Context,
): Decision<Reply<'dead_letter.redrive'>> {
  const wrong = checkCursor(cursor);
  if (wrong !== undefined) return refused(wrong);
  const taken = new Set<string>();
  const writes: DocumentWrite[] = [];
  // A send has one job, so all its letters go into one entry.
  const bySend = new Map<string, Redriven & { readonly targets: RedrivenTarget[] }>();
  const nextCursor = takeLetters();
  return accepted(
    { redriven: taken.size, nextCursor },
    { entries: [...bySend.values()], documents: writes },
  );

  /** Returns where the next call continues; `null` at the end. */
  function takeLetters(): string | null {
    if (ids !== undefined) {
      for (const id of ids.slice(0, redriveMax)) {
        const letter = readableRow(documents, deadLetters, [id]);
        if (letter !== undefined) take(letter);
      }
      return null;
    }
    let next: string | null | undefined = cursor;
    for (let pages = 0; pages < pagesMax && next !== null; pages++) {
      const page = pageFrom(documents, next, pageRows);
      for (const letter of page.letters) {
        if (all !== true && letter.reason !== reason) continue;
        if (taken.size === redriveMax) return letter.id;
        take(letter);
      }
      next = page.next;
    }
    return next ?? null;
  }

  function take(letter: DeadLetterRow): void {
    const { id, sendId, deviceId } = letter;
    if (letter.recoveredMs !== undefined || letter.redrivenMs !== undefined) return;
    if (taken.has(id) || app.outbox.jobs.has(sendId)) return;
    const person = recipientOf(letter, owner, documents);
    if (person === undefined) return;
    taken.add(id);
    writes.push({ table: deadLetters, key: [id], value: { ...letter, redrivenMs: nowMs } });
    const entry = bySend.get(sendId) ?? {
      kind: 'send.redriven' as const,
      owner,
      sendId,
      person: app.people.canonical(person),
      atMs: nowMs,
      targets: [],
      ...(letter.origin === undefined ? {} : { origin: letter.origin as Origin }),
    };
    entry.targets.push({ deviceId, channel: letter.channel as ChannelId, deadLetter: id });
    bySend.set(sendId, entry);
  }
}

/**
 * A marketing send has no row, but its letter names the person; it can be redriven while its
 * content copy exists.
 */
function recipientOf(
  letter: DeadLetterRow,
  owner: Ordinal,
  documents: DocumentReader,
): PersonOrdinal | undefined {
  if (letter.origin === undefined) return readableSend(documents, owner, letter.sendId)?.person;
  const { copy } = letter.origin as Origin;
  const isKept = readableRow(documents, contentCopies, [copy]) !== undefined;
  return isKept ? personOfLetter(letter) : undefined;
}

/**
 * Fewer than `rows` letters from an id on; the one after them begins the next page. Skips damaged
 * ones.
 */
function pageFrom(
  documents: DocumentReader,
  from: string | undefined,
  rows: number,
): { readonly letters: readonly DeadLetterRow[]; readonly next: string | null } {
  const lost: string[] = [];
  const page = documents.range(deadLetters, {
    ...(from === undefined ? {} : { from: [from] }),
    limit: rows,
    damaged: ([id]) => lost.push(id as string),
  });
  const read = page.map(({ value }) => value);
  if (read.length + lost.length < rows) return { letters: read, next: null };
  const [lastRead = '', lastLost = ''] = [read.at(-1)?.id, lost.at(-1)];
  if (lastRead > lastLost) read.pop();
  return { letters: read, next: lastRead > lastLost ? lastRead : lastLost };
}

function checkCursor(cursor: string | undefined): Fault | undefined {
  if (cursor === undefined || /^dl_\w{26}$/.test(cursor)) return undefined;
  return fieldFault('cursor', 'invalid cursor for this list');
}
