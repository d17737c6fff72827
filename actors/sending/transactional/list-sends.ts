// Lists transactional sends by time. Ids begin with the instant of acceptance, so the rows lie in
// this order already and accepting writes no index; a filter reads on. A turn looks at a bounded
// number of sends, so a page may be short or empty, and only `nextCursor: null` ends the list.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  type KeyPart,
  refused,
  type TypedTable,
} from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { type SendRow, sends } from '../../../storage/tables/send.ts';
import { sendChunks } from '../../../storage/tables/send-chunk.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { shortTitle } from '../../content/shape/short-title.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import { cursorIn, cursorOf } from '../../list-order.ts';
import type { ListOrder } from '../../people/audience/protocol.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import { readableRow } from '../../readable-row.ts';
import { isErased, shownOfErased } from '../outbox/erased.ts';
import type { SendContent } from '../outbox/records.ts';
import { chunkKeyOf, sendsOfChunk } from '../outbox/send-chunk.ts';
import { keyOfParts, partsOfKey, sendKey, sendKeyFrom } from '../outbox/send-key.ts';
import type { ListedSend, TransactionalProtocol } from './protocol.ts';
import { statusOfSend } from './status.ts';

type Asked = MessageOf<TransactionalProtocol, 'send.list'>;

type Listing = Pick<AudienceReads, 'people'> & TemplatesReads;

/** Sends that a page looks at; about 10 ms of a turn. */
const lookedMax = 1_000;
/** Rows per read: a chunk has 32 sends, and may have two megabytes. */
const ownRows = 64;
const chunkRows = 4;
/** In bytes of messages (`Decision.work`). */
const workOfSend = 512;

export function listSends(
  app: Listing,
  { order = 'newest', limit, cursor, template, ...asked }: Asked,
  { owner, documents }: Context,
): Decision<TransactionalProtocol['send.list']['reply']> {
  const templateId = template && (app.templates.get(template) ?? template);
  const filter: Filter = { ...asked, ...(templateId === undefined ? {} : { templateId }) };
  const after = cursor === undefined ? undefined : cursorOf(order, cursor);
  const place = after === undefined ? undefined : sendKey(owner, after)?.[0];
  if (cursor !== undefined && place === undefined)
    return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const range = spanOf(owner, filter, order, place as Uint8Array | undefined);
  const items: ListedSend[] = [];
  let looked = 0;
  let last = after;
  for (const row of merged(documents, order, range)) {
    if (items.length === limit || looked === lookedMax) {
      const nextCursor = cursorIn(order, last ?? row.id);
      return accepted({ items, nextCursor }, { work: looked * workOfSend });
    }
    looked++;
    last = row.id;
    const item = listedSend(app, row, documents);
    if (isWanted(item, filter)) items.push(item);
  }
  return accepted({ items, nextCursor: null }, { work: looked * workOfSend });
}

function isWanted(item: ListedSend, { status, channel, templateId }: Filter): boolean {
  if (status !== undefined && item.status !== status) return false;
  if (templateId !== undefined && item.templateId !== templateId) return false;
  return channel === undefined || item.channels.includes(channel);
}

interface Filter extends Pick<Asked, 'status' | 'channel' | 'fromMs' | 'toMs'> {
  readonly templateId?: string;
}

/** `undefined` also of a send whose content is gone. */
export function titleOfSend({ content }: Pick<SendRow, 'content'>): string | undefined {
  const { plain } = content as Partial<SendContent>;
  return plain === undefined ? undefined : shortTitle(plain);
}

/** Of an erased person only what says nothing about them. */
export function listedSend(
  app: Pick<AudienceReads, 'people'>,
  row: SendRow,
  documents: DocumentReader,
): ListedSend {
  const { id, acceptedMs, outcomes, templateId, test } = row;
  const person = app.people.canonical(row.person);
  const isHidden = isErased(app.people, row.person);
  const named = isHidden ? undefined : readableRow(documents, subscribers, [person]);
  const title = isHidden ? undefined : titleOfSend(row);
  return {
    id,
    status: statusOfSend(outcomes),
    outcomes: isHidden ? shownOfErased(outcomes) : outcomes,
    failures: { open: row.deadLettersOpen, recovered: row.deadLettersRecovered },
    acceptedMs,
    channels: [...new Set(row.targets.map((target) => target.channel))],
    ...(named === undefined ? {} : { subscriberId: named.id }),
    ...(named?.externalUserId === undefined ? {} : { externalUserId: named.externalUserId }),
    ...(title === undefined ? {} : { title }),
    ...(templateId === undefined ? {} : { templateId }),
    ...(test === true ? { test } : {}),
  };
}

/** Keys [from, to). */
interface Span {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** The period, beyond the place where the page before ended. */
function spanOf(
  owner: Ordinal,
  { fromMs = 0, toMs }: Filter,
  order: ListOrder,
  place: Uint8Array | undefined,
): Span {
  const [from] = sendKeyFrom(owner, fromMs);
  const to = toMs === undefined ? afterAll(owner) : sendKeyFrom(owner, toMs)[0];
  if (place === undefined) return { from, to };
  if (order === 'newest') return { from, to: earlier(to, place) };
  const beyond = Buffer.concat([place, Buffer.alloc(1)]);
  return { from: earlier(from, beyond) === from ? beyond : from, to };
}

function afterAll(owner: Ordinal): Uint8Array {
  return Buffer.concat([
    keyOfParts({ ordinal: owner, atMs: 2 ** 48 - 1, high16: 0xffff, low32: 0xffff_ffff }),
    Buffer.alloc(1),
  ]);
}

function earlier(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Buffer.compare(one, other) <= 0 ? one : other;
}

interface Placed {
  readonly key: Uint8Array;
  readonly row: SendRow;
}

/** Rows of their own and places in chunks, in order; a row of its own wins over its place. */
function* merged(documents: DocumentReader, order: ListOrder, span: Span): Generator<SendRow> {
  const own = placed(documents, sends, ownRows, order, span, (key, row) => [{ key, row }]);
  const chunkSpan = { ...span, from: chunkKeyOf(partsOfKey([span.from.subarray(0, 16)]))[0] };
  const chunked = placed(documents, sendChunks, chunkRows, order, chunkSpan, (key, chunk) => {
    const rows = sendsOfChunk(partsOfKey([key]), chunk).filter((one) => isIn(one.key, span));
    return order === 'newest' ? rows.reverse() : rows;
  });
  const sign = order === 'newest' ? -1 : 1;
  let [a, b] = [own.next(), chunked.next()];
  while (a.done !== true || b.done !== true) {
    const isBoth = a.done !== true && b.done !== true;
    const compared = isBoth ? sign * Buffer.compare(a.value.key, b.value.key) : 0;
    if (b.done === true || (a.done !== true && compared <= 0)) {
      yield (a as IteratorYieldResult<Placed>).value.row;
      if (isBoth && compared === 0) b = chunked.next();
      a = own.next();
    } else {
      yield b.value.row;
      b = chunked.next();
    }
  }
}

function isIn(key: Uint8Array, { from, to }: Span): boolean {
  return Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0;
}

/** Rows of a table in order, a few per read. Skips damaged ones. */
function* placed<Row extends object>(
  documents: DocumentReader,
  table: TypedTable<Row>,
  limit: number,
  order: ListOrder,
  { from, to }: Span,
  open: (key: Uint8Array, row: Row) => readonly Placed[],
): Generator<Placed> {
  const isNewest = order === 'newest';
  let [low, high] = [from, to];
  while (Buffer.compare(low, high) < 0) {
    const keys: Uint8Array[] = [];
    const damaged = ([key]: readonly KeyPart[]) => keys.push(Buffer.from(key as Uint8Array));
    const rows = documents.range(table, {
      from: [low],
      to: [high],
      reverse: isNewest,
      limit,
      damaged,
    });
    for (const { key, value } of rows) {
      const bytes = Buffer.from(key[0] as Uint8Array);
      keys.push(bytes);
      yield* open(bytes, value);
    }
    if (keys.length < limit) return;
    keys.sort(Buffer.compare);
    if (isNewest) high = keys[0] as Uint8Array;
    else low = Buffer.concat([keys.at(-1) as Uint8Array, Buffer.alloc(1)]);
  }
}
