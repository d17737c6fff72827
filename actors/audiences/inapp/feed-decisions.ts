// Answers one person's feed, and marks what is in their inbox.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { withPerson } from '../../people/audience/find-person.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { Filter } from '../segments/filter.ts';
import type { CountedTimes } from '../segments/protocol.ts';
import type { TraitsReads } from '../segments/reads.ts';
import { nothingUncounted, stillUncounted, uncountedTimes } from '../segments/uncounted-times.ts';
import { withTimes } from '../segments/with-traits.ts';
import { feedOf } from './feed.ts';
import { markInbox } from './mark-inbox.ts';
import type { InAppMessagesMemory, InAppMessagesView } from './memory.ts';
import type { InAppProtocol } from './protocol.ts';

type FeedMessages = Pick<InAppProtocol, 'inapp.uncounted' | 'inapp.feed' | 'inapp.mark'>;

export const feedDecisions: Decisions<FeedMessages, InAppMessagesMemory> = {
  'inapp.uncounted': (state, { ref }, context) =>
    withApp(state, context, (app) => {
      const filters = [...countingFilters(app, context)];
      if (filters.length === 0) return accepted(nothingUncounted);
      return withPerson(state, ref, context, (app, { person }) =>
        accepted(uncountedTimes(filters, app, person, context.nowMs)),
      );
    }),

  'inapp.feed': (state, { ref, times, ...page }, context) =>
    withFeedOf(state, { ref, times }, context, (app, row, traits) => {
      const result = feedOf(app, row, traits, page, context);
      return 'fault' in result
        ? refused(result.fault)
        : accepted(result.feed, { work: result.work });
    }),

  'inapp.mark': (state, { ref, times, ...marks }, context) =>
    withFeedOf(state, { ref, times }, context, (app, row, traits) =>
      markInbox(app, row, traits, marks, context),
    ),
};

/** Finds the person. Refuses while a filter of a due message waits for counts of their events. */
function withFeedOf<R>(
  state: InAppMessagesMemory,
  { ref, times }: { readonly ref: PersonRef; readonly times: CountedTimes | undefined },
  context: Context,
  decide: (app: InAppMessagesView, row: SubscriberRow, traits: TraitsReads) => Decision<R>,
): Decision<R> {
  return withPerson(state, ref, context, (app, row) => {
    const traits = withTimes(app.traits, times);
    const waiting = stillUncounted(countingFilters(app, context), traits);
    return waiting === undefined ? decide(app, row, traits) : refused(waiting);
  });
}

/** Filters that count events, of messages that are due. */
function* countingFilters({ inApp }: InAppMessagesView, { nowMs }: Context): Generator<Filter> {
  for (const { filter } of inApp.countingAt(nowMs)) if (filter !== undefined) yield filter;
}
