// Sends that are queued together have consecutive ids, and their rows lie in chunks: a batch writes
// one record for 32 people, and a send's id gives the chunk it may be in. A row in `sends` wins
// over its place in a chunk, which only erasure changes.

import type { DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import { assert } from '../../../engine/base/assert.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { formatId, type IdParts, newIdRun, parseId } from '../../../engine/base/id.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { type SendRow, sends } from '../../../storage/tables/send.ts';
import { type SendChunkRow, sendChunks } from '../../../storage/tables/send-chunk.ts';
import type { RenderedContent } from '../../channels/port/attempt.ts';
import type { SendDevice } from '../../people/audience/device-columns.ts';
import type { SendContent } from './records.ts';
import { keyOfParts } from './send-key.ts';

/** Rows per chunk: a record of about ten kilobytes keeps reads of single sends cheap. */
export const chunkSends = 32;
/** Characters per send, so that a chunk is at most about two megabytes. */
const chunkedCharsMax = 16_384;
/** Ids per run; a batch has fewer recipients. */
const runSends = 1_024;

/** The first id of sends that are queued together. */
export type SendRun = IdParts;

/** A new run; its low bits are zero, so no carry cuts a chunk. */
export function newSendRun(owner: Ordinal, atMs: Millis, rng: Rng): SendRun {
  return newIdRun(owner, atMs, rng, runSends);
}

function partsInRun(run: SendRun, place: number): IdParts {
  assert(place < runSends, 'a run has an id for every recipient of a batch');
  return { ...run, low32: run.low32 + place };
}

export function idInRun(run: SendRun, place: number): string {
  return formatId('ntf', partsInRun(run, place));
}

/** What the ids of a run have in common. */
export function runKeyOf({ atMs, high16, low32 }: IdParts): string {
  return `${atMs}|${high16}|${Math.floor(low32 / runSends)}`;
}

interface ChunkedSend {
  readonly person: PersonOrdinal;
  readonly targets: readonly SendDevice[];
  readonly content: SendContent;
}

/** Whether a send is short enough for a chunk. */
export function fitsChunk({ plain, email }: SendContent): boolean {
  const { body, title = '', ...others } = plain;
  const rest = isBare(others) ? 0 : JSON.stringify(others).length;
  return body.length + title.length + (email?.body.length ?? 0) + rest <= chunkedCharsMax;
}

export function chunksOf(
  run: SendRun,
  queued: readonly ChunkedSend[],
  templateId?: string,
): DocumentWrite[] {
  const writes: DocumentWrite[] = [];
  for (let from = 0; from < queued.length; from += chunkSends) {
    const some = queued.slice(from, from + chunkSends);
    const value: SendChunkRow = {
      acceptedMs: run.atMs,
      people: some.map(({ person }) => person),
      targets: some.map(({ targets }) => flat(targets)),
      words: some.map(({ content }) => packed(content)),
      ...(templateId === undefined ? {} : { templateId }),
    };
    writes.push({ table: sendChunks, key: [keyOfParts(partsInRun(run, from))], value });
  }
  return writes;
}

/** The send's own row, or its place in a chunk. Throws `DamagedRecord`. */
export function sendRow(
  documents: Pick<DocumentReader, 'get'>,
  owner: Ordinal,
  id: string,
): SendRow | undefined {
  const parts = parseId('ntf', id);
  if (parts === undefined || parts.ordinal !== owner) return undefined;
  const row = documents.get(sends, [keyOfParts(parts)]);
  if (row !== undefined) return row;
  const chunk = documents.get(sendChunks, chunkKeyOf(parts));
  return chunk === undefined ? undefined : rowIn(chunk, parts.low32 % chunkSends, id);
}

/** The key of the chunk that may hold this send. */
export function chunkKeyOf(parts: IdParts): readonly [Uint8Array] {
  return [keyOfParts({ ...parts, low32: parts.low32 - (parts.low32 % chunkSends) })];
}

function rowIn(chunk: SendChunkRow, place: number, id: string): SendRow | undefined {
  const person = chunk.people[place];
  if (person === undefined) return undefined;
  return {
    id,
    person,
    acceptedMs: chunk.acceptedMs,
    content: unpacked(chunk.words[place] ?? []),
    targets: unflat(chunk.targets[place] ?? []),
    outcomes: [],
    deadLettersOpen: 0,
    deadLettersRecovered: 0,
    ...(chunk.templateId === undefined ? {} : { templateId: chunk.templateId }),
  };
}

/** All sends of a chunk as rows, with their keys, in order. */
export function sendsOfChunk(
  first: IdParts,
  chunk: SendChunkRow,
): { readonly key: Uint8Array; readonly row: SendRow }[] {
  return chunk.people.flatMap((_, place) => {
    const parts = { ...first, low32: first.low32 + place };
    const row = rowIn(chunk, place, formatId('ntf', parts));
    return row === undefined ? [] : [{ key: keyOfParts(parts), row }];
  });
}

export function idsOfChunk(first: IdParts, { people }: SendChunkRow): string[] {
  return people.map((_, place) => formatId('ntf', { ...first, low32: first.low32 + place }));
}

/** A chunk without the content for these people; `undefined` if it has none. */
export function withoutContentOf(
  chunk: SendChunkRow,
  isErased: (person: PersonOrdinal) => boolean,
): SendChunkRow | undefined {
  const gone = chunk.people.map(
    (person, place) => isErased(person) && chunk.words[place]?.length !== 0,
  );
  if (!gone.includes(true)) return undefined;
  return { ...chunk, words: chunk.words.map((words, place) => (gone[place] ? [] : words)) };
}

function flat(targets: readonly SendDevice[]): string[] {
  const list: string[] = [];
  for (const { deviceId, channel } of targets) list.push(deviceId, channel);
  return list;
}

function unflat(list: readonly string[]): SendRow['targets'] {
  const targets: { deviceId: string; channel: string }[] = [];
  for (let i = 0; i + 1 < list.length; i += 2)
    targets.push({ deviceId: list[i] as string, channel: list[i + 1] as string });
  return targets;
}

/** Without names of members: those would outweigh most titles. */
function packed({ plain, email }: SendContent): readonly unknown[] {
  const { body, title = null, ...others } = plain;
  const rest = isBare(others) ? null : others;
  return [body, title, email?.body ?? null, rest];
}

/** Whether there is nothing but empty options. */
function isBare(others: Omit<RenderedContent, 'body' | 'title'>): boolean {
  for (const member in others) if (member !== 'options') return false;
  for (const _ in others.options) return false;
  return true;
}

function unpacked([body, title, html, rest]: readonly unknown[]): object {
  if (body === undefined) return {};
  const plain = {
    body,
    ...(rest === null ? { options: {} } : (rest as object)),
    ...(title === null ? {} : { title }),
  } as RenderedContent;
  return html === null ? { plain } : { plain, email: { ...plain, body: html } };
}
