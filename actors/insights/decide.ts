// The facts of an insight: what its answer needs of memory, in one small turn. Whether the question can be answered exactly
// is decided here too, since only the app knows how long it keeps events.

import { accepted, refused } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../engine/base/fault.ts';
import { withApp } from '../accounts/decide.ts';
import { limits } from '../limits.ts';
import type { AppState, PartitionState } from '../state.ts';
import type { Facts, InsightsProtocol, Question } from './protocol.ts';

/** Days of a question that names none, where the app keeps events as long. */
const daysDefault = 30;

/** What actors answer; the questions themselves are answered by the host, with these facts. */
export const insightsDecisions: Pick<
  Decisions<InsightsProtocol, PartitionState>,
  'insight.facts'
> = {
  'insight.facts': (state, { question }, context) =>
    withApp<Facts>(state, context, (app) => {
      const span = spanOf(question, app);
      if (typeof span !== 'number') return refused(span);
      return accepted({
        nowMs: context.nowMs,
        timezone: app.record.timezone,
        span,
        erased: [...app.people.erased],
      });
    }),
};

/** How many days a question is about, or why it cannot be answered exactly. */
function spanOf({ days }: Question, { settings }: AppState): number | Fault {
  const kept = settings.eventsRetentionDays ?? limits.eventsRetentionDays;
  if (days === undefined) return Math.min(daysDefault, kept);
  if (days <= kept) return days;
  return fieldFault('days', `this app keeps events for ${kept} days; expected 1 to ${kept}`);
}
