// Faults planted in the product from outside, to show that the invariants can fail: each is the
// kind of mistake that the simulator exists for. Never on in an ordinary run.

import type { CallbackCounts } from '../../actors/channels/port/outcome.ts';
import type { RelayEvent } from '../../actors/channels/port/relay-events.ts';
import type { Product } from '../../actors/runtime/machine.ts';
import { IdempotencyKeys } from '../../actors/sending/transactional/idempotency.ts';
import type { WarmedMails } from '../../actors/sending/warm-up/mails.ts';
import type { ClientReport } from '../../actors/tenants/clients/records.ts';
import type { Machine } from '../../engine/actor/machine.ts';
import type { DocumentWrite, Entry, Message } from '../../engine/actor/message.ts';
import { ExpiringSet } from '../../engine/base/expiring-set.ts';

/** What a world does wrong on purpose. */
export interface Sabotage {
  /** Wraps the product of every partition. */
  readonly machine?: (product: Product) => Machine;
  /** Changes memory that was taken from a checkpoint. */
  readonly onRestore?: (product: Product) => void;
  /** Answers and grants before the commit is durable. */
  readonly hastyCommits?: boolean;
  readonly grantsTwice?: boolean;
  readonly answersTwice?: boolean;
  /** How long a request may wait, instead of ten seconds. */
  readonly patienceMs?: number;
}

/** The product with one step of it replaced. */
export function wrapped(product: Product, changes: Partial<Machine>): Machine {
  return {
    ages: product.ages,
    documentsOf: (owner, stored) => product.documentsOf(owner, stored),
    decide: changes.decide ?? ((message, context) => product.decide(message, context)),
    apply: changes.apply ?? ((entry) => product.apply(entry)),
    rebase: (to) => product.rebase(to),
    timerMessage: (timer, ref, dueMs) => product.timerMessage(timer, ref, dueMs),
    due: (nowMs, wallMs) => product.due(nowMs, wallMs),
    nextDueMs: () => product.nextDueMs(),
    pump: changes.pump ?? ((context, budget) => product.pump(context, budget)),
    recover: changes.recover ?? ((nowMs) => product.recover(nowMs)),
    parts: () => product.parts(),
    restore: (parts) => product.restore(parts),
  };
}

/** Every planted fault, by what it does. */
export const sabotages = {
  'answers twice': { answersTwice: true },
  'gives up early': { patienceMs: -1 },
  'forgets event ids': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          if (entry.kind === 'events.tracked') product.state.eventIds = new ExpiringSet(64);
        },
      }),
  },
  'forgets idempotency keys': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          if (entry.kind === 'send.queued') product.state.idempotency = new IdempotencyKeys();
        },
      }),
  },
  'does not look at opt-outs before a send': {
    machine: (product) =>
      wrapped(product, {
        pump: (context, budget) => {
          const kept = [...product.state.apps.values()].map(
            (app) => [app, [...app.suppressions]] as const,
          );
          for (const [app] of kept) app.suppressions.clear();
          const result = product.pump(context, budget);
          for (const [app, identities] of kept)
            for (const one of identities) app.suppressions.add(one);
          return result;
        },
      }),
  },
  'answers before it is durable': { hastyCommits: true },
  'grants twice': { grantsTwice: true },
  'forgets what was in flight at a crash': {
    machine: (product) =>
      wrapped(product, {
        recover: (nowMs) =>
          product.recover(nowMs).filter(({ message }) => message.kind !== 'dispatch.report'),
      }),
  },
  'writes under a neighbor': {
    machine: (product) =>
      wrapped(product, {
        pump: (context, budget) => {
          const result = product.pump(context, budget);
          if (result === undefined) return undefined;
          const documents = result.documents.map((write) => ({
            ...write,
            owner: write.owner + 4096,
          }));
          return {
            ...result,
            documents: documents as readonly (DocumentWrite & { owner: number })[],
          };
        },
      }),
  },
  'takes everybody as confirmed': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const { consent: _asked, ...rest } = message as Message & { readonly consent?: unknown };
          return product.decide(rest, context);
        },
      }),
  },
  'numbers events wrongly': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry: Entry) => {
          product.apply(entry);
          const app = product.state.apps.get(entry.owner);
          if (entry.kind === 'events.tracked' && app !== undefined) app.nextEvent++;
        },
      }),
  },
  'makes something else of a checkpoint': {
    onRestore: (product) => {
      for (const app of product.state.apps.values()) app.outbox.queue('viber').pausedUntilMs = 1;
    },
  },
  'lets an org reach another': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) =>
          product.decide({ ...message, by: -1 } as typeof message, context),
      }),
  },
  'counts a send twice': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          if (entry.kind !== 'send.queued') return;
          const org = product.state.orgs.get(product.state.apps.get(entry.owner)?.record.org ?? 0);
          if (org !== undefined) org.sendsToday++;
        },
      }),
  },
  'has no daily cap': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const org = product.state.orgs.get(
            product.state.apps.get(context.owner)?.record.org ?? 0,
          );
          if (org === undefined) return product.decide(message, context);
          const { record } = org;
          org.record = { ...record, dailySendCap: null };
          const decision = product.decide(message, context);
          org.record = record;
          return decision;
        },
      }),
  },
  'takes any body for a key': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const { claim } = message as { readonly claim?: object | null };
          if (!claim) return product.decide(message, context);
          const blind = { ...message, claim: { ...claim, fingerprint: new Uint8Array(8) } };
          return product.decide(blind, context);
        },
      }),
  },
  'believes that every call was taken': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const { reports } = message as { readonly reports?: readonly object[] };
          if (reports === undefined) return product.decide(message, context);
          const taken = { outcome: 'accepted' };
          const changed = {
            ...message,
            reports: reports.map((one) => ({ ...one, outcome: taken })),
          };
          return product.decide(changed, context);
        },
      }),
  },
  'shows one receipt a send': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const decision = product.decide(message, context);
          if (message.kind !== 'transactional.read' || decision.outcome !== 'accepted')
            return decision;
          const view = decision.reply as { readonly outcomes: readonly unknown[] };
          return { ...decision, reply: { ...view, outcomes: view.outcomes.slice(0, 1) } };
        },
      }),
  },
  'is a millisecond late at the edge of a window': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) =>
          product.decide(
            message,
            message.kind === 'segment.preview' ? { ...context, nowMs: context.nowMs - 1 } : context,
          ),
      }),
  },
  'loses who is reached of a column': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          if (entry.kind !== 'traits.changed') return product.apply(entry);
          const { people } = entry as unknown as { readonly people: readonly object[] };
          product.apply({ ...entry, people: people.map((one) => ({ ...one, reach: 0 })) } as Entry);
        },
      }),
  },
  'confirms reports that it does not keep': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const decision = product.decide(message, context);
          if (message.kind !== 'report.receive' || decision.outcome === 'refused') return decision;
          return { ...decision, entries: [] };
        },
      }),
  },
  'says its last word a month early': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          if (message.kind !== 'report.receive') return product.decide(message, context);
          const { report } = message as unknown as { readonly report: ClientReport };
          const early = { ...report, through: report.through + 1 };
          return product.decide({ ...message, report: early } as Message, context);
        },
      }),
  },
  'forgets a receipt that webhooks are to tell of': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          if (entry.kind === 'attempts.settled')
            product.state.apps.get(entry.owner)?.webhooks.unwritten.pop();
        },
      }),
  },
  'tells webhooks of a receipt twice': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          const unwritten = product.state.apps.get(entry.owner)?.webhooks.unwritten ?? [];
          if (entry.kind === 'attempts.settled') unwritten.push(...unwritten.slice(-1));
        },
      }),
  },
  'tells every webhook of everything': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          if (entry.kind !== 'webhook.saved') return product.apply(entry);
          const { destination } = entry as unknown as { readonly destination: object };
          product.apply({ ...entry, destination: { ...destination, events: ['*'] } } as Entry);
        },
      }),
  },
  'leaves open what a webhook is not to get any more': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const decision = product.decide(message, context);
          if (message.kind !== 'webhook.sweep' || decision.outcome === 'refused') return decision;
          const entries = decision.entries?.filter(({ kind }) => kind === 'webhook.swept') ?? [];
          const isStop = entries.some((one) => (one as { readonly pass?: string }).pass === 'stop');
          return isStop ? { ...decision, entries, documents: [] } : decision;
        },
      }),
  },
  'counts a delivery of a webhook too many': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const decision = product.decide(message, context);
          if (message.kind !== 'destination.list' || decision.outcome === 'refused')
            return decision;
          const list = decision.reply as readonly { readonly pending: number }[];
          return { ...decision, reply: list.map((one) => ({ ...one, pending: one.pending + 1 })) };
        },
      }),
  },
  'lets deliveries of a webhook pass one that failed': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const decision = product.decide(message, context);
          if (message.kind !== 'webhook.report' || decision.outcome === 'refused') return decision;
          const entries = (decision.entries ?? []).map((one) =>
            'head' in one ? { ...one, head: null } : one,
          );
          return { ...decision, entries };
        },
      }),
  },
  'gives a mail to a second relay': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          if (entry.kind !== 'attempts.settled') return;
          for (const { targets } of product.state.apps.get(entry.owner)?.outbox.jobs.values() ?? [])
            for (const target of targets) delete target.onlyBy;
        },
      }),
  },
  'counts a soft bounce twice': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          const decision = product.decide(message, context);
          if (message.kind !== 'callback.relay' || decision.outcome === 'refused') return decision;
          const entries = decision.entries?.flatMap((one) =>
            one.kind === 'mail.counted' ? [one, one] : [one],
          );
          return { ...decision, ...(entries === undefined ? {} : { entries }) };
        },
      }),
  },
  'keeps nothing of a bounce that a relay tells of': {
    machine: (product) =>
      wrapped(product, {
        decide: (message, context) => {
          if (message.kind !== 'callback.relay') return product.decide(message, context);
          const { events } = message as Message & { readonly events: readonly RelayEvent[] };
          const kept = events.filter(({ kind }) => !kind.endsWith('bounce'));
          const decision = product.decide({ ...message, events: kept } as Message, context);
          if (decision.outcome === 'refused') return decision;
          const { taken } = decision.reply as CallbackCounts;
          const reply = {
            ...(decision.reply as object),
            taken: taken + events.length - kept.length,
          };
          return { ...decision, reply };
        },
      }),
  },
  'counts what a relay has accepted as delivered': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          if (entry.kind !== 'wave.settled') return;
          const { kinds, campaignId, occurrence } = entry as Entry & {
            readonly kinds: readonly { readonly status: string }[];
            readonly campaignId: string;
            readonly occurrence: number;
          };
          const { sending } = product.state.apps.get(entry.owner) ?? {};
          const tally = sending?.find(campaignId, occurrence)?.tally;
          if (tally && kinds.some(({ status }) => status === 'accepted')) tally.people.delivered++;
        },
      }),
  },
  'forgets what a warm-up has begun today': {
    machine: (product) =>
      wrapped(product, {
        apply: (entry) => {
          product.apply(entry);
          const { warmed, atMs, campaignId } = entry as Entry & {
            readonly warmed?: WarmedMails;
            readonly atMs: number;
            readonly campaignId: string;
          };
          if (entry.kind !== 'campaign.decided' || warmed === undefined) return;
          const { warmUps } = product.state.apps.get(entry.owner) ?? {};
          const nothing = { domain: warmed.domain, mails: -warmed.mails };
          warmUps?.count(nothing, atMs, campaignId);
        },
      }),
  },
  'throws now and then': {
    machine: (product) => {
      let count = 0;
      return wrapped(product, {
        decide: (message, context) => {
          if (message.kind === 'subscriber.upsert' && ++count === 5) throw new Error('planted');
          return product.decide(message, context);
        },
      });
    },
  },
} satisfies Readonly<Record<string, Sabotage>>;
