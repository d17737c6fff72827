// The columns that answer a filter, for one question.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { AppsOf } from '../../area.ts';
import { notFound } from '../../faults.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { Filter } from './filter.ts';
import { judge, withSegment } from './find-segment.ts';
import { NewestTimes } from './newest-times.ts';
import type { AskedFilter, CountedTimes } from './protocol.ts';
import type { SegmentsReads, TraitsReads } from './reads.ts';
import { stillUncounted } from './uncounted-times.ts';

/** What a filter is found and judged by. */
type Asked = Pick<AccountsReads, 'settings'> & Pick<SegmentsReads, 'segments'>;

/** Decides about a filter of this app; one that is not there, or no filter, is refused. */
export function withFilter<R, App extends Asked>(
  state: AppsOf<App>,
  asked: AskedFilter,
  context: Context,
  decide: (filter: Filter, app: App) => Decision<R>,
): Decision<R> {
  if ('id' in asked)
    return withSegment(state, asked.id, context, ({ filter }, app) => decide(filter, app));
  return withApp(state, context, (app) => {
    if ('segmentId' in asked) {
      const segment = app.segments.get(asked.segmentId);
      if (segment !== undefined) return decide(segment.filter, app);
      return refused({ ...notFound('segmentId: segment'), field: 'segmentId' });
    }
    const judged = judge(app, asked.filter);
    return 'fault' in judged ? refused(judged.fault) : decide(judged.filter, app);
  });
}

/**
 * The same with the columns that answer it. What the filter counts must be there: a filter may
 * change after it was read for.
 */
export function withTraits<R, App extends Asked & Pick<SegmentsReads, 'traits'>>(
  state: AppsOf<App>,
  asked: AskedFilter,
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

/** The columns with what was read for this one question; nothing of it is kept. */
export function withTimes(traits: TraitsReads, times: CountedTimes | undefined): TraitsReads {
  if (times === undefined || times.length === 0) return traits;
  return traits.withTimes(times.map(([name, read]) => [name, NewestTimes.restore(read)] as const));
}
