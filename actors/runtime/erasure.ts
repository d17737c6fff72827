// Erases a person and everybody merged into them. Record, devices and open sends go at once;
// bounded passes clean ended sends and dead letters within hours, history files follow within a day
// (`events/history/history-pass.ts`). Ids and receipts remain. A list outside all backups
// (`storage/erasures.ts`) lets a restore erase them again.

import type { TimerRef, TimerSet } from '../../engine/actor/machine.ts';
import {
  accepted,
  type Context,
  type DocumentReader,
  type DocumentWrite,
  type Effect,
  type Entry,
  type KeyPart,
  type Message,
  type Tell,
  type TypedTable,
} from '../../engine/actor/message.ts';
import type { Applies, Decisions } from '../../engine/actor/protocol.ts';
import { hourMs, type Millis, type Ordinal } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import type { Erasure } from '../../storage/erasures.ts';
import { type DeadLetterRow, deadLetters, sends } from '../../storage/tables/send.ts';
import { sendChunks } from '../../storage/tables/send-chunk.ts';
import { aliases } from '../../storage/tables/subscriber.ts';
import type { Area, EveryArea } from '../area.ts';
import type { NoteText } from '../audit-note.ts';
import { ChangedFacts } from '../events/facts.ts';
import { doubtsOfEnd } from '../people/audience/doubtful-opt-outs.ts';
import { withPerson } from '../people/audience/find-person.ts';
import { erasedLetter, erasedSend, isPersonal, personOfLetter } from '../sending/outbox/erased.ts';
import { readableSend } from '../sending/outbox/readable-send.ts';
import { chunkSends, withoutContentOf } from '../sending/outbox/send-chunk.ts';
import {
  partsOfKey,
  sendKey,
  sendKeyFrom,
  sendOfRef,
  sendRef,
} from '../sending/outbox/send-key.ts';
import { withApp } from '../tenants/accounts/with-app.ts';
import type { ErasureEntry, ErasureProtocol } from './erasure-protocol.ts';
import { erasureOfApp } from './erasure-state.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

/** The number of its timer at rest. */
const erasureScrub = 6;

const rowsPerTurn = 1_000;
const chunksPerTurn = Math.floor(rowsPerTurn / chunkSends);

type Erased = Extract<ErasureEntry, { readonly kind: 'subscriber.erased' }>;

/** Adds a person to the list of erasures. */
export interface ErasureListed {
  readonly kind: 'erasure.listed';
  readonly erasure: Erasure;
}

interface ErasureRules {
  readonly everyArea: Pick<EveryArea<AppState>, 'erasePerson'>;
}

const erasureDecisions = ({
  everyArea,
}: ErasureRules): Decisions<ErasureProtocol, PartitionState> => ({
  'subscriber.erase': (state, { ref }, context) =>
    withPerson(state, ref, context, (app, row) => {
      const { owner, nowMs } = context;
      const former = app.people.aliasesOf(row.person).map((person) => ({
        person,
        id: context.documents.get(aliases, [person])?.id,
      }));
      const documents = everyArea.erasePerson(app, row, context);
      // Aliases have events of their own, and a restore may bring back a state before they merged.
      const erased: Erased[] = [...former, row].map(({ person, id }) => ({
        kind: 'subscriber.erased',
        owner,
        person,
        subscriberId: id ?? '',
        externalUserId: person === row.person ? (row.externalUserId ?? null) : null,
        atMs: nowMs,
      }));
      const awaited = app.scrubbing || app.erasedUnscrubbed > 0;
      const timers = awaited ? [] : [erasureScrubTimer(owner, nowMs + hourMs)];
      const entries = [...doubtsOfEnd(app, [row], owner), ...erased, ...timers];
      const effects = erased.map((entry): Effect => {
        const message: ErasureListed = { kind: 'erasure.listed', erasure: listed(entry) };
        return { port: 'host', message };
      });
      return accepted(null, { entries, documents, effects });
    }),

  'erasure.scrub': (state, { after }, context) =>
    withApp(state, context, (app) => {
      const { owner, nowMs } = context;
      const page = pageOf(context, after);
      const documents: DocumentWrite[] = [];
      for (const { key, value } of page.sends) {
        if (app.people.erased.has(value.person) && Object.keys(value.content).length > 0)
          documents.push({ table: sends, key, value: erasedSend(value) });
      }
      for (const { key, value } of page.chunks) {
        const left = withoutContentOf(value, (person) => app.people.erased.has(person));
        if (left !== undefined) documents.push({ table: sendChunks, key, value: left });
      }
      for (const { key, value } of page.letters) {
        if (isPersonal(value) && isOfErased(app, value, context))
          documents.push({ table: deadLetters, key, value: erasedLetter(value) });
      }
      const { last } = page;
      const scrubbed: ErasureEntry = {
        kind: 'erasure.scrubbed',
        owner,
        isFirst: after === null,
        isLast: last === undefined,
      };
      const entries: Entry[] = [scrubbed];
      if (last !== undefined) entries.push(erasureScrubTimer(owner, nowMs + 1_000, last));
      // Erased while this pass was running, perhaps behind it.
      else if (after !== null && app.erasedUnscrubbed > 0)
        entries.push(erasureScrubTimer(owner, nowMs + hourMs));
      return accepted(null, { entries, documents });
    }),
});

const erasureApplies: Applies<ErasureEntry, PartitionState> = {
  'subscriber.erased': (state, { owner, person, externalUserId }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.people.erase(person, externalUserId);
    app.erasedUnscrubbed++;
  },

  'erasure.scrubbed': (state, { owner, isFirst, isLast }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    if (isFirst) app.erasedUnscrubbed = 0;
    app.scrubbing = !isLast;
  },
};

export const erasureArea = {
  name: 'erasure',
  app: erasureOfApp,
  decide: erasureDecisions,
  apply: erasureApplies,
  facts: { 'subscriber.erased': ({ person }: Erased) => new ChangedFacts([person]) },
  recalls: {
    'subscriber.erased': (_state, { person }: Erased) => ({ people: [person], areErased: true }),
  },
  silent: ['erasure.scrubbed'],
  notesOfCalls: { 'subscriber.erase': erasureNote },
  whenDiskIsFull: ['subscriber.erase'],
  timers: {
    [erasureScrub]: (ref) => ({
      kind: 'erasure.scrub',
      after: ref[0] === 0 ? null : sendOfRef(ref),
    }),
  },
} as const satisfies Area<ErasureRules, PartitionState, AppState, OrgState>;

/** Scans sends for erased people, from `after` or from the first. */
function erasureScrubTimer(owner: Ordinal, dueMs: Millis, after?: string): TimerSet {
  const ref: TimerRef = after === undefined ? [0, 0, 0, 0] : sendRef(after);
  return { kind: 'timer.set', owner, timer: erasureScrub, dueMs, ref };
}

/** For the list of erasures, at replay. */
export function erasureIn(entry: Entry): Erasure | undefined {
  return entry.kind === 'subscriber.erased' ? listed(entry as Erased) : undefined;
}

function listed({ owner: app, subscriberId, atMs }: Erased): Erasure {
  return { app, subscriberId, atMs };
}

/** Erases again the people that a restore brought back. Unknown ones are refused. */
export function eraseAgain(list: readonly Erasure[]): Tell[] {
  return list.map(({ app, subscriberId }) => {
    const message = { kind: 'subscriber.erase', by: -1, ref: { id: subscriberId } };
    return { to: app, message };
  });
}

/** One page after `after`, as far as the shortest table; `last`: where it stopped. */
function pageOf({ owner, documents }: Context, after: string | null) {
  const from = after === null ? sendKeyFrom(owner, 0) : (sendKey(owner, after) ?? []);
  const letterFrom = after === null ? [''] : [`dl${after.slice('ntf'.length)}`];
  const sendRows = lookAt(documents, sends, from, rowsPerTurn);
  const chunkRows = lookAt(documents, sendChunks, from, chunksPerTurn);
  const letterRows = lookAt(documents, deadLetters, letterFrom, rowsPerTurn);
  const ends = [sendRows.end, letterRows.end, chunkRows.end];
  const end = ends.filter((order) => order !== undefined).sort()[0];
  const isWithin = ({ key }: { readonly key: readonly KeyPart[] }) =>
    end === undefined || orderOf(key) <= end;
  return {
    sends: sendRows.rows.filter(isWithin),
    chunks: chunkRows.rows.filter(isWithin),
    letters: letterRows.rows.filter(isWithin),
    last: end === undefined ? undefined : `ntf_${end}`,
  };
}

/** `end`: how far the rows reach if there may be more. Skips damaged ones. */
function lookAt<Row extends object>(
  documents: DocumentReader,
  table: TypedTable<Row>,
  from: readonly KeyPart[],
  limit: number,
) {
  const orders: string[] = [];
  const damaged = (key: readonly KeyPart[]) => orders.push(orderOf(key));
  const rows = documents.range(table, { from, limit, damaged });
  orders.push(...rows.map(({ key }) => orderOf(key)));
  return { rows, end: orders.length < limit ? undefined : orders.sort().at(-1) };
}

/** Without their prefixes, ids are app, time and random bits, and sort as texts. */
function orderOf(key: readonly KeyPart[]): string {
  const [id] = key;
  return (typeof id === 'string' ? id : formatId('ntf', partsOfKey(key))).replace(/^[a-z]+_/, '');
}

function isOfErased(app: AppState, letter: DeadLetterRow, { owner, documents }: Context): boolean {
  const person = personOfLetter(letter) ?? readableSend(documents, owner, letter.sendId)?.person;
  return person !== undefined && app.people.erased.has(person);
}

/** One note per person, whoever was merged into them, and nothing of them. A restore notes none. */
function erasureNote(message: Message, entries: readonly Entry[]): NoteText | undefined {
  if (!('actor' in message)) return undefined;
  const isErased = entries.some(({ kind }) => kind === 'subscriber.erased');
  return isErased ? { action: 'subscriber.erased', target: 'subscriber' } : undefined;
}
