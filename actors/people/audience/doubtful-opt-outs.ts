// Decides about texts that may be opt-outs: lists them, opts out or dismisses, and lets old ones
// expire. A keyword, an opt-out or an erasure ends one, too, together with what it changes.

import type { TimerSet } from '../../../engine/actor/machine.ts';
import { accepted, type Context, type Entry, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { DamagedRecord, orDamaged } from '../../../storage/codec.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import type { AreaTimers } from '../../area.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { addOptOut } from './add-opt-out.ts';
import { peopleAt } from './endpoint-owner.ts';
import { parseIdentityKey, storedIdentity } from './identity.ts';
import type { AudienceMemory } from './memory.ts';
import type { AudienceEntry, AudienceProtocol, DoubtfulText, ShownDoubt } from './protocol.ts';
import type { AudienceReads } from './reads.ts';

/** The number of its timer at rest. */
const doubtsExpire = 31;

export const doubtTimers: AreaTimers = {
  [doubtsExpire]: () => ({ kind: 'doubtful_opt_out.expire' }),
};

/** Ends what is too old to decide about. */
export function doubtsTimer(owner: Ordinal, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: doubtsExpire, dueMs, ref: [0, 0, 0, 0] };
}

type Settled = Extract<AudienceEntry, { kind: 'opt_out.settled' }>;

export function doubtsSettled(
  owner: Ordinal,
  doubts: readonly DoubtfulText[],
  decision: Settled['decision'],
): Settled {
  return { kind: 'opt_out.settled', owner, ids: doubts.map(({ id }) => id), decision };
}

/** What an opt-out of everything, a keyword or an erasure ends; nothing without one. */
export function doubtAtEnds(
  { doubts }: Pick<AudienceReads, 'doubts'>,
  identityKey: string,
  owner: Ordinal,
): readonly Settled[] {
  const doubt = doubts.at(identityKey);
  return doubt === undefined ? [] : [doubtsSettled(owner, [doubt], 'superseded')];
}

type Going = Pick<AudienceReads, 'doubts' | 'people'>;

/** The texts of people who are going: from the addresses that they have, and that they had. */
export function doubtsOf({ doubts, people }: Going, rows: readonly SubscriberRow[]) {
  if (doubts.size === 0) return [];
  const going = new Set(rows.map(({ person }) => person));
  const keys = new Set(rows.flatMap(identitiesOf));
  return [...doubts.values()].filter(
    (doubt) =>
      keys.has(doubt.identityKey) ||
      doubt.people.some((person) => going.has(people.canonical(person))),
  );
}

export function identitiesOf({ devices }: Pick<SubscriberRow, 'devices'>): readonly string[] {
  return devices.flatMap(({ channel, endpoint }) =>
    typeof endpoint === 'string' ? (storedIdentity(channel as ChannelId, endpoint) ?? []) : [],
  );
}

/** Who is left of those at the address of a text when some are going. */
function peopleLeft({ people }: Going, doubt: DoubtfulText, rows: readonly SubscriberRow[]) {
  const going = new Set(rows.map(({ person }) => person));
  const all = new Set(doubt.people.map((person) => people.canonical(person)));
  return [...all].filter((person) => !going.has(person) && !people.isGone(person));
}

/** Whether a text ends with people who are going: nobody else may have written it. */
export function endsWith(app: Going, doubt: DoubtfulText, rows: readonly SubscriberRow[]): boolean {
  return peopleLeft(app, doubt, rows).length === 0;
}

/** Ends the texts of people who are going; of one that may be another's, the words alone. */
export function doubtsOfEnd(
  app: Going,
  rows: readonly SubscriberRow[],
  owner: Ordinal,
): readonly AudienceEntry[] {
  const concerned = doubtsOf(app, rows);
  const ended = concerned.filter((doubt) => endsWith(app, doubt, rows));
  const left = concerned.filter((doubt) => !ended.includes(doubt));
  const settled = ended.length === 0 ? [] : [doubtsSettled(owner, ended, 'superseded')];
  return [
    ...settled,
    ...left.map((doubt) => {
      const others = { ...doubt, words: '', people: peopleLeft(app, doubt, rows) };
      return { kind: 'opt_out.doubted', owner, doubt: others } as const;
    }),
  ];
}

export const doubtDecisions: Decisions<
  Pick<AudienceProtocol, `doubtful_opt_out.${'list' | 'decide' | 'expire'}`>,
  AudienceMemory
> = {
  'doubtful_opt_out.list': (state, { limit, cursor }, context) =>
    withApp(state, context, ({ doubts }) => {
      if (cursor !== undefined && parseId('dbt', cursor)?.ordinal !== context.owner)
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      // By id, as the one that a cursor names may have ended since.
      const newest = [...doubts.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
      const left = cursor === undefined ? newest : newest.filter(({ id }) => id < cursor);
      const page = left.slice(0, limit);
      const nextCursor = left.length > page.length ? (page.at(-1)?.id ?? null) : null;
      const items = page.map((doubt) => viewOfDoubt(doubt, context));
      return accepted({ items, nextCursor, total: doubts.size });
    }),

  'doubtful_opt_out.decide': (state, { id, decision, scope }, context) =>
    withApp(state, context, (app) => {
      const doubt = app.doubts.withId(id);
      if (doubt === undefined) return refused(notFound('doubtful opt-out'));
      const { owner } = context;
      if (decision === 'dismiss')
        return accepted(null, { entries: [doubtsSettled(owner, [doubt], 'dismissed')] });
      const narrow = scope === undefined ? {} : { scope };
      const about = doubt.about === undefined ? {} : { about: doubt.about };
      // The person asked for it; somebody else only read it.
      const asked = { source: 'api', unsubscribedBy: 'callback', channel: doubt.channel } as const;
      const { row, entries, documents } = addOptOut(
        doubt.identityKey,
        { ...asked, ...narrow, ...about },
        context,
      );
      const settled = doubtsSettled(owner, [doubt], 'opted_out');
      return accepted(row, { entries: [settled, ...entries], documents });
    }),

  'doubtful_opt_out.expire': (state, _message, context) =>
    withApp(state, context, ({ doubts }) => {
      const { owner, nowMs, ages } = context;
      const cutMs = ages.cutMs(nowMs, limits.doubtfulKeptMs);
      const open = [...doubts.values()];
      const old = open.filter(({ atMs }) => atMs <= cutMs);
      const entries: Entry[] = [doubtsSettled(owner, old, 'expired')];
      const nextMs = Math.min(...open.map(({ atMs }) => atMs).filter((atMs) => atMs > cutMs));
      if (Number.isFinite(nextMs)) {
        // Later while a clock is in doubt: nothing ages then.
        const waitMs = Math.max(nextMs - cutMs, limits.doubtfulLookMsMin);
        entries.push(doubtsTimer(owner, nowMs + waitMs));
      }
      return accepted(null, { entries });
    }),
};

function viewOfDoubt(doubt: DoubtfulText, context: Context): ShownDoubt {
  const { id, channel, identityKey, words, atMs } = doubt;
  const subscribersAt = peopleAt(identityKey, context).flatMap((person) => {
    const row = orDamaged(() => context.documents.get(subscribers, [person]));
    // Such a person costs the name, not the list.
    if (row === undefined || row instanceof DamagedRecord) return [];
    return [{ id: row.id, externalUserId: row.externalUserId ?? null }];
  });
  const address = parseIdentityKey(identityKey)?.address ?? '';
  return { id, channel, address, words, atMs, subscribers: subscribersAt };
}
