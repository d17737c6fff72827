// Finds the segment that a call names, and validates filters.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { AppsOf } from '../../area.ts';
import { notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { parseFilter } from './parse-filter.ts';
import type { SegmentRecord } from './protocol.ts';
import type { SegmentsReads } from './reads.ts';

/** The validated filter, or what is wrong with it and where. */
export function validateFilter(app: Pick<AccountsReads, 'settings'>, filter: unknown) {
  const retentionDays = app.settings.eventsRetentionDays ?? limits.eventsRetentionDays;
  return parseFilter(filter, { retentionDays });
}

export function withSegment<R, App extends Pick<SegmentsReads, 'segments'>>(
  state: AppsOf<App>,
  id: string,
  context: Context,
  decide: (segment: SegmentRecord, app: App) => Decision<R>,
): Decision<R> {
  return withApp(state, context, (app) => {
    const segment = app.segments.get(id);
    return segment === undefined ? refused(notFound('segment')) : decide(segment, app);
  });
}
