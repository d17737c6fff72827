// Who acts on what happened, in this order, which a test pins. Each folds only its own memory.
// `follow` is asked before the entries are folded.

import type { Effect, Message, Tell } from '../../engine/actor/message.ts';
import { dayMs, type Millis } from '../../engine/base/brand.ts';
import { foldBeacons } from '../audiences/inapp/beacons.ts';
import { reviewsOf } from '../audiences/segments/reviews.ts';
import { TrackedFacts } from '../events/facts.ts';
import { countsInMonth } from '../events/ingest/names.ts';
import type { EntryFacts } from '../events/log/entry-facts.ts';
import { foldHappened } from '../integrations/webhooks/follow.ts';
import { foldCampaignFacts } from '../programs/campaigns/fold-facts.ts';
import { journeyEventTells } from '../programs/journeys/event-tells.ts';
import { foldJourneyFacts } from '../programs/journeys/fold-facts.ts';
import { keptFromMs } from '../tenants/accounts/records.ts';
import { meterActivity, meterEmails, meterVouching } from '../tenants/usage/meter.ts';
import { exhaustedEffect } from './exhausted.ts';
import type { AppState, PartitionState } from './state.ts';

/** What follows in the same turn, once the entries are folded. */
export interface Consequences {
  /** Before the decision's own tells. */
  readonly first?: readonly Tell[];
  readonly tells?: readonly Tell[];
  readonly effects?: readonly Effect[];
  /** See `Decision.work`. */
  readonly work?: number;
}

interface Subscriber {
  readonly name: string;
  /** Changes its own memory by an entry that its area has folded. */
  fold?(app: AppState, facts: EntryFacts, state: PartitionState): void;
  /** What it wants done about entries that are decided but not folded. */
  follow?(app: AppState, facts: readonly EntryFacts[], nowMs: Millis): Consequences | undefined;
}

const trim = { kind: 'names.trim', by: -1 } as Message;

export const factSubscribers: readonly Subscriber[] = [
  {
    name: 'history',
    fold: (app, facts) => {
      app.nextEvent += facts.rows().count;
    },
  },
  {
    name: 'segments',
    fold: (app, facts) => {
      if (facts instanceof TrackedFacts)
        app.unvouched.noteEvents(facts.rows().names, app.traits.events, facts.keyless);
      app.traits.trackAll(facts.rows(), (row) => facts.isByMachine(row));
    },
    follow: (app, facts, nowMs) => {
      const reviews = reviewsOf(app, facts, nowMs);
      const to = app.record.ordinal;
      const tells = app.unvouched.isTrimDue ? [{ to, message: trim }] : [];
      if (reviews.length === 0) return tells.length === 0 ? undefined : { tells };
      const message = { kind: 'segment.review', by: -1, reviews } as Message;
      return { first: [{ to, message }], tells };
    },
  },
  {
    name: 'inapp',
    fold: (app, facts) => {
      if (facts instanceof TrackedFacts) foldBeacons(app, facts.rows());
    },
  },
  {
    name: 'usage',
    fold: (app, facts, state) => {
      const rows = facts.rows();
      const atMs = facts.acceptedMs();
      const isCounted = (row: number) => facts.isCountedBefore(row);
      const isNobody = (row: number) => facts.isByMachine(row) || facts.isCountedBefore(row);
      meterActivity(app.monthlyActive, rows, countsInMonth, atMs, isNobody);
      meterVouching(app.monthlyActive, rows, facts instanceof TrackedFacts && !facts.keyless);
      const keptMs = atMs - keptFromMs(app.settings, state.ages, atMs);
      app.stored.addEvents(facts.storedBytes(), atMs, Math.ceil(keptMs / dayMs));
      if (facts.channel() === 'email')
        meterEmails(state.orgs.get(app.record.org), rows, atMs, (row) =>
          isCounted(row) ? 0 : 1 + facts.copiesOf(row),
        );
    },
  },
  { name: 'campaigns', fold: foldCampaignFacts },
  { name: 'journeys', fold: foldJourneyFacts, follow: journeyEventTells },
  {
    name: 'operator',
    follow: (app, facts) => {
      const effect = exhaustedEffect(app.record.ordinal, facts);
      return effect && { effects: [effect] };
    },
  },
  { name: 'webhooks', fold: foldHappened },
];
