// Whether strangers can choose who is in a campaign's audience: by events that clients send without
// proof of who they are. Nobody is left out for that; the dry run says so.

import { eachCondition, type Filter } from '../../audiences/segments/filter.ts';
import { isServiceName } from '../../events/ingest/names.ts';
import { verificationOf } from '../../people/identity-keys.ts';
import type { CampaignsView } from './memory.ts';
import type { DryRunWarning } from './protocol.ts';
import type { CampaignRecord } from './records.ts';

/** Names that the sentence lists. */
const namesShown = 5;

/** Under `required`, events about people with an external id need their proof. */
export function warningsOf(
  app: CampaignsView,
  { filter, segmentId }: Pick<CampaignRecord, 'filter' | 'segmentId'>,
): readonly DryRunWarning[] {
  const used = segmentId === undefined ? filter : app.segments.get(segmentId)?.filter;
  if (used === undefined || verificationOf(app) === 'required') return [];
  const names = clientEventsOf(used);
  if (names.length === 0) return [];
  const shown = names.slice(0, namesShown).join(', ');
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  const message = `the audience depends on events that a client can send without proof of who it is (${shown}${more}): anyone who knows a subscriber's id can put that person into it; identityVerification "required" prevents that`;
  return [{ code: 'keyless_events', message }];
}

/** What clients can make a filter see, each once. */
function clientEventsOf(filter: Filter): readonly string[] {
  const names = new Set<string>();
  eachCondition(filter, (condition) => {
    if ('event' in condition) {
      if (!isServiceName(condition.event)) names.add(condition.event);
    } else if ('activeWithinDays' in condition || 'inactiveForDays' in condition)
      names.add('any activity');
  });
  return [...names];
}
