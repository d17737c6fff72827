// The decisions of journeys, composed.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { cutOf, uncounted } from '../../audiences/segments/evaluate.ts';
import { longestWindowDays } from '../../audiences/segments/filter.ts';
import type { MembershipProtocol } from '../../audiences/segments/protocol.ts';
import { nothingUncounted } from '../../audiences/segments/uncounted-times.ts';
import type { CredentialRules } from '../../sending/outbox/open-credentials.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { journeyAuthorDecisions } from './author.ts';
import { correctingDecisions } from './correct.ts';
import type { JourneysEntry } from './entries.ts';
import { forecastingDecisions } from './forecasting.ts';
import type { JourneysMemory } from './memory.ts';
import { movingDecisions } from './moving.ts';
import type { JourneysInside, JourneysProtocol } from './protocol.ts';
import { simulatingDecisions } from './simulating.ts';

/** The forecast is missing: the host answers it. */
type ActorProtocol = Omit<JourneysProtocol, 'journey.forecast'> &
  JourneysInside &
  Pick<MembershipProtocol, 'segment.membership'>;

/** `plan`: the operator's settings for channels. */
export interface JourneysRules {
  readonly plan: CredentialRules;
}

export function journeysDecisions({
  plan: rules,
}: JourneysRules): Decisions<ActorProtocol, JourneysMemory> {
  return {
    ...journeyAuthorDecisions,
    ...correctingDecisions,
    ...movingDecisions(rules),
    ...simulatingDecisions(rules),
    ...forecastingDecisions(rules),

    'journey.uncounted': (state, { id, change, active }, context) =>
      withApp(state, context, ({ journeys, segments, people, traits }) => {
        const before = journeys.get(id)?.record;
        const segmentId = change.input.triggerSegmentId ?? before?.triggerSegmentId ?? '';
        const filter = active === true ? segments.get(segmentId)?.filter : undefined;
        const names = filter === undefined ? [] : uncounted(filter, traits);
        // The following message itself refuses missing objects.
        if (filter === undefined || names.length === 0) return accepted(nothingUncounted);
        const fromMs = cutOf(longestWindowDays(filter), context.nowMs);
        return accepted({ names, fromMs, erased: [...people.erased], merged: people.merged() });
      }),

    'journeys.release': (state, _message, context) =>
      withApp(state, context, ({ journeys }) => {
        const held = [...journeys.all()].filter(({ heldMs }) => heldMs > 0);
        if (held.length === 0) return accepted(null);
        const ids = held.map(({ record }) => record.id);
        const entry: JourneysEntry = { kind: 'journeys.released', owner: context.owner, ids };
        return accepted(null, { entries: [entry] });
      }),
  };
}
