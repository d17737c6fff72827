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
import { cursorIn, cursorOf } from '../../list-order.ts';
import type { ListOrder } from '../../people/audience/protocol.ts';
import { readableRow } from '../../readable-row.ts';
import { erasedLetter, isErased, personOfLetter } from '../outbox/erased.ts';
import { readableSend } from '../outbox/readable-send.ts';
import type { SendsView } from '../outbox/reads.ts';
import type { Origin } from '../outbox/records.ts';
import type { LetterFilter, TransactionalEntry, TransactionalProtocol } from './protocol.ts';

type Redriven = Extract<TransactionalEntry, { kind: 'send.redriven' }>;
type RedrivenTarget = Redriven['targets'][number];
type Reply<K extends keyof TransactionalProtocol> = TransactionalProtocol[K]['reply'];

/** Letters per redrive call. */
const redriveMax = 1_000;
/** Letters per read (about 40 ms of a turn), and reads per redrive. */
const pageRows = 10_000;
const pagesMax = 2;

/** Letters of erased people are shown without personal data. */
export function listDeadLetters(
  app: SendsView,
  { order = 'oldest', limit, ...asked }: MessageOf<TransactionalProtocol, 'dead_letter.list'>,
  { documents }: Context,
): Decision<Reply<'dead_letter.list'>> {
  const cursor = asked.cursor === undefined ? undefined : (cursorOf(order, asked.cursor) ?? '');
  const wrong = checkCursor(cursor);
  if (wrong !== undefined) return refused(wrong);
  const { lane, reason, channel } = asked;
  const isFiltered = (lane ?? reason ?? channel) !== undefined;
  const rows = isFiltered ? pageRows : Math.min(limit + 1, pageRows);
  const page = pageFrom(documents, cursor, rows, order);
  const items: DeadLetterRow[] = [];
  for (const letter of page.letters) {
    if (!matches(letter, asked)) continue;
    if (items.length === limit) return accepted({ items, nextCursor: cursorIn(order, letter.id) });
    const person = personOfLetter(letter);
    const isHidden = person !== undefined && isErased(app.people, person);
    items.push(isHidden ? erasedLetter(letter) : letter);
  }
  return accepted({ items, nextCursor: page.next && cursorIn(order, page.next) });
}

/** Redrives named or open letters. Skips redriven ones, and sends that are open or gone. */
export function redriveDeadLetters(
  app: SendsView,
  { ids, cursor, ...filter }: MessageOf<TransactionalProtocol, 'dead_letter.redrive'>,
  { owner, nowMs, documents }: Context,
): Decision<Reply<'dead_letter.redrive'>> {
  const wrong = checkCursor(cursor);
  if (wrong !== undefined) return refused(wrong);
  const redriven = new Set<string>();
  const writes: DocumentWrite[] = [];
  // A send has one job, so all its letters go into one entry.
  const bySend = new Map<string, Redriven & { readonly targets: RedrivenTarget[] }>();
  const nextCursor = redriveAll();
  return accepted(
    { redriven: redriven.size, nextCursor },
    { entries: [...bySend.values()], documents: writes },
  );

  /** Returns where the next call continues; `null` at the end. */
  function redriveAll(): string | null {
    if (ids !== undefined) {
      for (const id of ids.slice(0, redriveMax)) {
        const letter = readableRow(documents, deadLetters, [id]);
        if (letter !== undefined) redrive(letter);
      }
      return null;
    }
    let next: string | null | undefined = cursor;
    for (let pages = 0; pages < pagesMax && next !== null; pages++) {
      const page = pageFrom(documents, next, pageRows);
      for (const letter of page.letters) {
        if (!matches(letter, filter)) continue;
        if (redriven.size === redriveMax) return letter.id;
        redrive(letter);
      }
      next = page.next;
    }
    return next ?? null;
  }

  function redrive(letter: DeadLetterRow): void {
    const { id, sendId, deviceId } = letter;
    if (letter.recoveredMs !== undefined || letter.redrivenMs !== undefined) return;
    if (redriven.has(id) || app.outbox.jobs.has(sendId)) return;
    const person = recipientOf(letter, owner, documents);
    if (person === undefined) return;
    redriven.add(id);
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

function matches(letter: DeadLetterRow, { lane, reason, channel }: LetterFilter): boolean {
  return (
    (lane === undefined || letter.lane === lane) &&
    (reason === undefined || letter.reason === reason) &&
    (channel === undefined || letter.channel === channel)
  );
}

/** A marketing send has no row, but the letter names the person; its content must still exist. */
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

/** Fewer than `rows` letters; the one after them begins the next page. Skips damaged ones. */
function pageFrom(
  documents: DocumentReader,
  from: string | undefined,
  rows: number,
  order: ListOrder = 'oldest',
): { readonly letters: readonly DeadLetterRow[]; readonly next: string | null } {
  const lost: string[] = [];
  const isNewest = order === 'newest';
  // The upper end of a range is not in it.
  const begin = from !== undefined && (isNewest ? { to: [`${from}\0`] } : { from: [from] });
  const page = documents.range(deadLetters, {
    ...begin,
    reverse: isNewest,
    limit: rows,
    damaged: ([id]) => lost.push(id as string),
  });
  const read = page.map(({ value }) => value);
  if (read.length + lost.length < rows) return { letters: read, next: null };
  const lastRead = read.at(-1)?.id;
  const lastLost = lost.at(-1);
  if (lastRead === undefined || (lastLost !== undefined && lastRead < lastLost !== isNewest))
    return { letters: read, next: lastLost ?? null };
  read.pop();
  return { letters: read, next: lastRead };
}

function checkCursor(cursor: string | undefined): Fault | undefined {
  if (cursor === undefined || /^dl_\w{26}$/.test(cursor)) return undefined;
  return fieldFault('cursor', 'invalid cursor for this list');
}
