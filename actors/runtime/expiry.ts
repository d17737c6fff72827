// Removes anonymous people who have expired: record, devices, and their place in every column and
// list. Lighter than an erasure. Their events stay in history until retention, of nobody, so there
// is nothing to rewrite; ended sends stay as well; and no list outside the backups is kept, because
// someone that a restore brings back expires again. Whoever has a send under way stays until the
// next pass (`expiry-clock.ts`).

import { accepted, type Context, type DocumentWrite } from '../../engine/actor/message.ts';
import type { Applies, Decisions } from '../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import { packOrdinals, unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import { utcMonthOf } from '../../engine/time/utc-month.ts';
import { type SubscriberRow, subscribers } from '../../storage/tables/subscriber.ts';
import type { Area, EveryArea } from '../area.ts';
import { ChangedFacts } from '../events/facts.ts';
import { expiryCutMs, mayHaveExpired } from '../people/anonymous-expiry.ts';
import { doubtsOfEnd } from '../people/audience/doubtful-opt-outs.ts';
import { readableRow } from '../readable-row.ts';
import { withApp } from '../tenants/accounts/with-app.ts';
import { ExpiryClock } from './expiry-clock.ts';
import type { ExpiryEntry, ExpiryProtocol } from './expiry-protocol.ts';
import { expiryOfApp, expiryOfPartition } from './expiry-state.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

interface ExpiryRules {
  readonly everyArea: Pick<EveryArea<AppState>, 'expirePerson'>;
}

const expiryDecisions = ({
  everyArea,
}: ExpiryRules): Decisions<ExpiryProtocol, PartitionState> => ({
  'people.expire': (state, { people }, context) =>
    withApp(state, context, (app) => {
      const { owner, nowMs: atMs } = context;
      const rows = expiredOf(app, people, context);
      if (rows.length === 0) return accepted(null);
      const documents: DocumentWrite[] = [];
      for (const row of rows) documents.push(...everyArea.expirePerson(app, row, context));
      const packed = packOrdinals(rows.map(({ person }) => person));
      const entry: ExpiryEntry = { kind: 'people.expired', owner, people: packed, atMs };
      const entries = [...doubtsOfEnd(app, rows, owner), entry];
      return accepted(null, { entries, documents });
    }),
});

/** Records of those who have expired and have nothing under way, ascending. */
function expiredOf(
  app: AppState,
  people: readonly PersonOrdinal[],
  { ages, nowMs, documents }: Context,
): readonly SubscriberRow[] {
  const cutMs = expiryCutMs(app, ages, nowMs);
  if (cutMs === undefined) return [];
  const expired = people.filter((person) => mayHaveExpired(app, person, cutMs));
  const isBusy = app.outbox.openAmong(new Set(expired));
  const rows: SubscriberRow[] = [];
  for (const person of expired) {
    if (isBusy.has(person) || app.sending.isInFlight(person)) continue;
    const row = readableRow(documents, subscribers, [person]);
    // A tag or a device is a sign of life, too.
    if (row !== undefined && row.updatedMs < cutMs) rows.push(row);
  }
  return rows.sort((one, other) => one.person - other.person);
}

const expiryApplies: Applies<ExpiryEntry, PartitionState> = {
  'people.expired': (state, { owner, people, atMs }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const gone = unpackOrdinals(people);
    app.people.expire(gone);
    state.expiredPeople += gone.length;
    const month = utcMonthOf(atMs);
    app.expiredIn.put(month, (app.expiredIn.get(month) ?? 0) + gone.length);
    app.expiredIn.trim();
  },
};

export const expiryArea = {
  name: 'expiry',
  clock: () => new ExpiryClock(),
  app: expiryOfApp,
  partition: expiryOfPartition,
  decide: expiryDecisions,
  apply: expiryApplies,
  facts: {
    'people.expired': ({ people }: ExpiryEntry) => new ChangedFacts([...unpackOrdinals(people)]),
  },
  on: {
    // The clock was ahead: who expired since then expired in the month of `toMs`.
    clockRebased: ({ apps }, { toMs }) => {
      const month = utcMonthOf(toMs);
      for (const { expiredIn } of apps.values()) {
        const ahead = expiredIn.takeAfter(month).reduce((sum, count) => sum + count, 0);
        if (ahead > 0) expiredIn.put(month, (expiredIn.get(month) ?? 0) + ahead);
      }
    },
  },
} as const satisfies Area<ExpiryRules, PartitionState, AppState, OrgState>;
