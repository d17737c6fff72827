// Mails that the tenant's imports and platforms owe to addresses that nobody has confirmed. They
// wait in rows and go out at a pace (`mail-owed.ts`), so that a large import neither floods its
// recipients' providers nor is forgotten by a crash.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
} from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { OptInRow } from '../../../storage/tables/opt-in.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { languageOf } from '../../content/render/localize.ts';
import { storedIdentity } from '../../people/audience/identity.ts';
import { isUnconfirmed } from '../../people/audience/unconfirmed.ts';
import { topicOfTag } from '../../people/topics/choice-tag.ts';
import type { OptInView } from './memory.ts';
import type { OptInEntry } from './protocol.ts';
import { isFresh, readOptIn, wasAskedLately, withRow } from './rows.ts';
import { optInMailTimer, optInSweepTimer } from './timers.ts';
import { bothWishes, noted, wishOf } from './wish.ts';

/** Writes what is owed to each of the people who has not been asked. */
export function oweMails(
  app: OptInView,
  people: readonly PersonOrdinal[],
  context: Context,
): Decision<null> {
  const { owner, nowMs } = context;
  const documents: DocumentWrite[] = [];
  const owing: PersonOrdinal[] = [];
  for (const person of new Set(people.map((one) => app.people.canonical(one)))) {
    const row = context.documents.get(subscribers, [person]);
    if (row === undefined) continue;
    const written = devicesToAsk(row).flatMap((device) => owedTo(app, row, device, context));
    if (written.length === 0) continue;
    owing.push(person);
    documents.push(...written);
  }
  if (owing.length === 0) return accepted(null);
  const owed: OptInEntry = { kind: 'opt_in.owed', owner, people: owing, atMs: nowMs };
  const sweeps = app.optIns.isSwept ? [] : [optInSweepTimer(owner, nowMs)];
  return accepted(null, {
    entries: [owed, ...sweeps, ...mailingBy(app, nowMs, context)],
    documents,
  });
}

/** Sets a timer for owed mails, unless one is set that is as soon. */
export function mailingBy(
  { optIns: { mailing, runs } }: Pick<OptInView, 'optIns'>,
  dueMs: Millis,
  { owner }: Pick<Context, 'owner'>,
): readonly Entry[] {
  if (mailing !== null && mailing.dueMs <= dueMs) return [];
  const run = runs + 1;
  const entry: OptInEntry = { kind: 'opt_in.mailing', owner, mailing: { run, dueMs } };
  return [optInMailTimer(owner, run, dueMs), entry];
}

/** Unconfirmed addresses; without one the newest, which is asked for the choices that wait. */
function devicesToAsk(row: SubscriberRow): readonly DeviceRow[] {
  const emails = row.devices.filter(({ channel }) => channel === 'email');
  const unconfirmed = emails.filter(isUnconfirmed);
  if (unconfirmed.length > 0 || waitingTopics(row).length === 0) return unconfirmed;
  const enabled = emails.filter((one) => one.enabled);
  return enabled.toSorted((one, other) => other.updatedMs - one.updatedMs).slice(0, 1);
}

/** Keys of topics whose choice waits. */
export function waitingTopics({ tags }: Pick<SubscriberRow, 'tags'>): readonly string[] {
  return Object.entries(tags).flatMap(([tag, value]) => {
    const key = value === 'pending' ? topicOfTag(tag) : undefined;
    return key === undefined ? [] : [key];
  });
}

function owedTo(
  app: OptInView,
  holder: SubscriberRow,
  device: DeviceRow,
  context: Context,
): readonly DocumentWrite[] {
  const { person, tags } = holder;
  const { nowMs, rng } = context;
  const identity = storedIdentity('email', device.endpoint as string) as string;
  const stored = readOptIn(identity, person, context);
  const open = stored?.state === 'asked' && isFresh(stored, context) ? stored : undefined;
  const topics = waitingTopics(holder).filter((key) => app.topics.has(key));
  const more = topics.filter((key) => stored?.wish.topics.includes(key) !== true);
  const isAsked = stored?.state === 'asked' && wasAskedLately(stored, context);
  const needsMail = more.length > 0 || (isUnconfirmed(device) && !isAsked);
  if (!needsMail || (stored?.owed !== undefined && more.length === 0)) return [];
  const language = languageOf(tags);
  const wanted = wishOf({ topics, tags: {}, ...(language === undefined ? {} : { language }) });
  const wish = open === undefined ? wanted : bothWishes(open.wish, wanted);
  // The link that the person has asks for all of it.
  const hasLink = open?.mailedMs !== undefined;
  const { owed: before, byTenant: _by, ...rest } = stored ?? {};
  const owed = before ?? { dueMs: nowMs, life: app.optIns.life };
  const isTheirs = open !== undefined && open.byTenant !== true;
  const row: OptInRow = {
    ...rest,
    person,
    address: device.endpoint as string,
    state: 'asked',
    number: open?.number ?? rng.uint32(),
    wish,
    before: noted(wish, tags, open?.before),
    askedMs: open?.askedMs ?? nowMs,
    ...(hasLink ? {} : { owed }),
    ...(isTheirs ? {} : { byTenant: true as const }),
  };
  return withRow(identity, row, stored);
}
