// Open sends and the records of all: starting attempts, outcomes, retries, the health of providers.

import type { DocumentWrite } from '../../../engine/actor/message.ts';
import { dayMs, hourMs, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { awaitedResults } from '../../../storage/tables/awaited-result.ts';
import { deviceSends } from '../../../storage/tables/device-send.ts';
import { resultPolls } from '../../../storage/tables/result-poll.ts';
import { deadLetters, sends } from '../../../storage/tables/send.ts';
import { sendChunks } from '../../../storage/tables/send-chunk.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { Area } from '../../area.ts';
import { withoutSendsOf } from '../../people/audience/endpoint-owner.ts';
import { outboxApplies } from './apply.ts';
import { checkSends } from './check.ts';
import { sendsClock } from './clock.ts';
import { type OutboxRules, outboxDecisions } from './decide.ts';
import { endedSends } from './ended-sends.ts';
import { outboxFacts } from './facts.ts';
import { sendsOfApp, sendsOfOrg, sendsOfPartition } from './memory.ts';
import type { SendsMemory, SendsOrgView, SendsView } from './reads.ts';
import { rebaseRelayDays } from './relay-days.ts';
import { outboxTimers, restoredAbandonTimer, sendsSweepTimer } from './timers.ts';

export const outboxArea = {
  name: 'outbox',
  app: sendsOfApp,
  org: sendsOfOrg,
  partition: sendsOfPartition,
  clock: sendsClock,
  decide: (rules: OutboxRules) => outboxDecisions(rules),
  apply: outboxApplies,
  facts: outboxFacts,
  silent: ['attempts.started', 'send.woken', 'channel.resumed', 'sends.swept'],
  inFlight: ({ outbox }) =>
    outbox.jobs.size === 0 ? undefined : ([person]) => isBegun(outbox, person),
  check: checkSends,
  whenDiskIsFull: ['channel.list', 'relay.health', 'dispatch.report', 'restored.abandon'],
  tables: [sends, sendChunks, deadLetters, deviceSends, resultPolls, awaitedResults],
  timers: outboxTimers,
  on: {
    createApp: (owner, nowMs) => [sendsSweepTimer(owner, nowMs + hourMs)],
    erasePerson: (app, row, context) => [
      ...withoutDeviceSends(row),
      ...endedSends(app, row.person, context),
    ],
    expirePerson: (_app, row) => withoutDeviceSends(row),
    personErased: ({ outbox }, { person }) => outbox.forget(person),
    personMerged: ({ outbox }, { person, into }) => outbox.reassign(person, into),
    // A timer is in the same block, so no crash can leave a held send without its receipt.
    restoreBackup: ({ record, outbox }, nowMs) =>
      outbox.jobs.size > 0 ? [restoredAbandonTimer(record.ordinal, nowMs)] : [],
    clockRebased: ({ apps, orgs }, to) => {
      const today = Math.floor(to.toMs / dayMs);
      for (const org of orgs.values()) org.sendsDay = Math.min(org.sendsDay, today);
      for (const app of apps.values()) {
        app.outbox.rebase(to);
        rebaseRelayDays(app, today);
      }
    },
    backupRestored: ({ outbox }, { resend }) =>
      outbox.hold(resend === 'none' ? 'all' : 'marketing'),
  },
} as const satisfies Area<never, SendsMemory, SendsView, SendsOrgView>;

function withoutDeviceSends({ devices }: SubscriberRow): DocumentWrite[] {
  return devices.map(({ id }) => withoutSendsOf(id));
}

function isBegun(outbox: SendsView['outbox'], person: PersonOrdinal): boolean {
  return outbox
    .begunOf(person)
    .some(({ targets }) => targets.some(({ state }) => state === 'started'));
}
