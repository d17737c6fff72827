// An update or end of a Live Activity, as a transactional send. Its timestamp is not before the
// clock and newer than the activity's last: in any order, the device shows the newest. An activity
// has ended once its end is accepted. Source: specification, "Live Activities"; contract, section
// 9.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { secondMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { type LiveActivityRow, liveActivities } from '../../../storage/tables/live-activity.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import {
  type LiveActivityContent,
  liveActivityBytes,
  liveActivityBytesMax,
} from '../../channels/port/live-activity.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { type AcceptReply, earlierAnswer, queueSend } from '../transactional/queue-send.ts';
import type { LiveActivitiesMemory, LiveActivitiesView } from './memory.ts';
import type { LiveActivitiesEntry, LiveActivitiesProtocol } from './protocol.ts';
import { readActivity } from './registry.ts';

type Push = MessageOf<LiveActivitiesProtocol, 'live_activity.push'>;

export function push(
  state: LiveActivitiesMemory,
  app: LiveActivitiesView,
  { id, change, claim }: Push,
  context: Context,
): Decision<AcceptReply> {
  // Before the state: a retried end gets the first end's answer.
  const earlier = earlierAnswer(state, app, claim, context);
  if (earlier !== undefined) return earlier;
  const row = readActivity(id, context);
  if (row === undefined) return refused(notFound('live activity'));
  if (row.state !== 'active') return refused(fault('wrong_state', whyOver[row.state]));
  const timestamp = Math.max(Math.floor(context.nowMs / secondMs), row.timestamp + 1);
  const liveActivity: LiveActivityContent = { ...change, timestamp };
  const tooLarge = sizeFault(liveActivity);
  if (tooLarge !== undefined) return refused(tooLarge);
  const options = { ttlSeconds: limits.liveActivitySecondsMax };
  const decision = queueSend(
    {
      person: row,
      targets: [{ deviceId: id, channel: channelOf(app) }],
      content: { plain: { body: '', liveActivity, options } },
      options,
      claim,
    },
    context,
  );
  if (decision.outcome === 'refused') return decision;
  const next: LiveActivityRow = {
    ...row,
    timestamp,
    state: change.event === 'end' ? 'ended' : row.state,
    updatedMs: context.nowMs,
  };
  const changed: LiveActivitiesEntry = {
    kind: 'live_activity.changed',
    owner: context.owner,
    id,
    state: next.state,
  };
  return {
    ...decision,
    entries: [changed, ...(decision.entries ?? [])],
    documents: [...(decision.documents ?? []), { table: liveActivities, key: [id], value: next }],
  };
}

const whyOver = {
  ended: 'this live activity has ended',
  closed:
    "this live activity is closed because its push token is dead; a new token from the app's SDK reopens it",
} as const;

/** By how much an update exceeds Apple's limit. */
function sizeFault(content: LiveActivityContent): Fault | undefined {
  const bytes = liveActivityBytes(content);
  const over = bytes - liveActivityBytesMax;
  if (over <= 0) return undefined;
  return fieldFault(
    'contentState',
    `makes a payload of ${bytes} bytes, which is ${over} bytes over Apple's limit of ${liveActivityBytesMax}`,
  );
}

/** Straight to Apple, unless the app has only an FCM credential. */
function channelOf({ credentials }: LiveActivitiesView): ChannelId {
  return credentials.has('fcm') && !credentials.has('apns') ? 'fcm' : 'apns';
}
