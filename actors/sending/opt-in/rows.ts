// The rows of sign-ups, always written to both tables, and how often an address may be written to.

import { hash } from 'node:crypto';
import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import { dayMs, type Millis, minuteMs, type PersonOrdinal } from '../../../engine/base/brand.ts';
import {
  type OptInRow,
  optInMails,
  optIns,
  optInsOfPeople,
  owedOptIns,
} from '../../../storage/tables/opt-in.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';

type Reader = Pick<Context, 'documents'>;
type Now = Pick<Context, 'nowMs' | 'ages'>;

/** How long a link is valid. */
const linkMs: Millis = limits.optInDays * dayMs;

export function readOptIn(
  identity: string,
  person: PersonOrdinal,
  { documents }: Reader,
): OptInRow | undefined {
  return documents.get(optIns, [identity, person]);
}

/** Whether its link may still be used. */
export function isFresh({ mailedMs, askedMs }: OptInRow, { nowMs, ages }: Now): boolean {
  return (mailedMs ?? askedMs) >= ages.cutMs(nowMs, linkMs);
}

/** Whether it is needed: for its link, its mail, or so that an import does not ask again. */
export function isKept(row: OptInRow, now: Now): boolean {
  if (row.owed !== undefined || isFresh(row, now)) return true;
  return row.byTenant === true && wasAskedLately(row, now);
}

/** Whether an import need not ask again: somebody who ignores mails gets few of them. */
export function wasAskedLately({ mailedMs }: OptInRow, { nowMs, ages }: Now): boolean {
  return mailedMs !== undefined && mailedMs >= ages.cutMs(nowMs, askAgainMs);
}

const askAgainMs: Millis = limits.optInAskAgainDays * dayMs;

/**
 * Whether one more mail may go to the address today: one a person, and three in all. A stranger
 * who asks for many people must not flood the owner of an address.
 */
export function mayMail(
  identity: string,
  earlier: Pick<OptInRow, 'mailedMs'> | undefined,
  context: Context,
): boolean {
  const sinceMs = context.ages.cutMs(context.nowMs, dayMs);
  if ((earlier?.mailedMs ?? 0) >= sinceMs) return false;
  return recentMails(identity, context).length < limits.optInMailsMax;
}

/** When the mail that may not go to the address now may; at most a day later. */
export function mayMailMs(
  identity: string,
  earlier: Pick<OptInRow, 'mailedMs'> | undefined,
  context: Context,
): Millis {
  const { nowMs } = context;
  const { mailedMs = 0 } = earlier ?? {};
  const fullMs = recentMails(identity, context).at(-limits.optInMailsMax) ?? 0;
  const freeMs = Math.max(mailedMs, fullMs) + dayMs + 1;
  return Math.min(Math.max(freeMs, nowMs + minuteMs), nowMs + dayMs);
}

/** Whether a mail to the address is owed to somebody else who asked. */
export function isOwedElsewhere(
  identity: string,
  person: PersonOrdinal,
  { documents }: Reader,
): boolean {
  const range = { from: [identity], to: [`${identity}\0`], limit: limits.optInsPerPersonMax };
  const rows = documents.range(optIns, range);
  return rows.some(({ value }) => value.owed !== undefined && value.person !== person);
}

/** Counts one more. */
export function mailed(identity: string, context: Context): DocumentWrite {
  const sentMs = [...recentMails(identity, context), context.nowMs];
  return { table: optInMails, key: [digestOf(identity)], value: { sentMs } };
}

function recentMails(identity: string, { nowMs, ages, documents }: Context): readonly Millis[] {
  const { sentMs = [] } = documents.get(optInMails, [digestOf(identity)]) ?? {};
  const sinceMs = ages.cutMs(nowMs, dayMs);
  return sentMs.filter((atMs) => atMs >= sinceMs);
}

/** The count outlives the person, so it does not name them. */
function digestOf(identity: string): Uint8Array {
  return hash('sha256', identity, 'buffer').subarray(0, 16);
}

/** `was`: the row that it replaces. */
export function withRow(
  identity: string,
  row: OptInRow,
  was: OptInRow | undefined,
): DocumentWrite[] {
  const { person, owed } = row;
  const isSame = owed !== undefined && owed.dueMs === was?.owed?.dueMs;
  return [
    { table: optIns, key: [identity, person], value: row },
    { table: optInsOfPeople, key: [person, identity], value: { identity } },
    ...(was === undefined || isSame ? [] : withoutOwed(identity, was)),
    ...(owed === undefined
      ? []
      : [
          {
            table: owedOptIns,
            key: [owed.dueMs, identity, person],
            value: { life: owed.life },
          },
        ]),
  ];
}

export function withoutRow(identity: string, row: OptInRow): DocumentWrite[] {
  const { person } = row;
  return [
    { table: optIns, key: [identity, person], value: undefined },
    { table: optInsOfPeople, key: [person, identity], value: undefined },
    ...withoutOwed(identity, row),
  ];
}

function withoutOwed(identity: string, { person, owed }: OptInRow): DocumentWrite[] {
  if (owed === undefined) return [];
  return [{ table: owedOptIns, key: [owed.dueMs, identity, person], value: undefined }];
}

export function forgottenOptIns(person: PersonOrdinal, reader: Reader): DocumentWrite[] {
  return identitiesOf(person, reader).flatMap((identity) => {
    const row = readOptIn(identity, person, reader);
    return row === undefined ? [] : withoutRow(identity, row);
  });
}

/** Moves a merged person's sign-ups; of two for one address the newer one stays. */
export function mergedOptIns(
  from: Pick<SubscriberRow, 'person'>,
  into: Pick<SubscriberRow, 'person'>,
  reader: Reader,
): DocumentWrite[] {
  return identitiesOf(from.person, reader).flatMap((identity) => {
    const row = readOptIn(identity, from.person, reader);
    const other = readOptIn(identity, into.person, reader);
    if (row === undefined) return [];
    const gone = withoutRow(identity, row);
    if ((other?.mailedMs ?? 0) > (row.mailedMs ?? 0)) return gone;
    return [...gone, ...withRow(identity, { ...row, person: into.person }, other)];
  });
}

function identitiesOf(person: PersonOrdinal, { documents }: Reader): string[] {
  const range = { from: [person], to: [person + 1], limit: limits.optInsPerPersonMax };
  return documents.range(optInsOfPeople, range).map(({ value }) => value.identity);
}
