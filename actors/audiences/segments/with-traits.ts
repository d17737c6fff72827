// Finds a question's filter and the columns that answer it.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { AppsOf } from '../../area.ts';
import { unknownId } from '../../faults.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { Filter } from './filter.ts';
import { validateFilter, withSegment } from './find-segment.ts';
import { NewestTimes } from './newest-times.ts';
import type { CountedTimes, FilterRef } from './protocol.ts';
import type { SegmentsReads, TraitsReads } from './reads.ts';
import { stillUncounted } from './uncounted-times.ts';

type Asked = Pick<AccountsReads, 'settings'> & Pick<SegmentsReads, 'segments'>;

/** Decides about a filter of this app; refuses an unknown segment or an invalid filter. */
export function withFilter<R, App extends Asked>(
  state: AppsOf<App>,
  asked: FilterRef,
  context: Context,
  decide: (filter: Filter, app: App) => Decision<R>,
): Decision<R> {
  if ('id' in asked)
    return withSegment(state, asked.id, context, ({ filter }, app) => decide(filter, app));
  return withApp(state, context, (app) => {
    if ('segmentId' in asked) {
      const segment = app.segments.get(asked.segmentId);
      if (segment !== undefined) return decide(segment.filter, app);
      return refused(unknownId('segmentId', 'segment', asked.segmentId));
    }
    const validated = validateFilter(app, asked.filter);
    return 'fault' in validated ? refused(validated.fault) : decide(validated.filter, app);
  });
}

/** The same with the columns. Refuses if the filter changed since its times were read. */
export function withTraits<R, App extends Asked & Pick<SegmentsReads, 'traits'>>(
  state: AppsOf<App>,
  asked: FilterRef,
  times: CountedTimes | undefined,
  context: Context,
  decide: (filter: Filter, traits: TraitsReads, app: App) => Decision<R>,
): Decision<R> {
  return withFilter(state, asked, context, (filter, app) => {
    const traits = withTimes(app.traits, times);
    const waiting = stillUncounted([filter], traits);
    return waiting === undefined ? decide(filter, traits, app) : refused(waiting);
  });
}

/** The columns with the times read for this question. */
export function withTimes(traits: TraitsReads, times: CountedTimes | undefined): TraitsReads {
  if (times === undefined || times.length === 0) return traits;
  return traits.withTimes(times.map(([name, read]) => [name, NewestTimes.restore(read)] as const));
}
