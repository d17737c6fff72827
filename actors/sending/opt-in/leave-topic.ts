// Leaves the topic of a message, by the link of its email or the button of a mail program. Whoever
// has the address hears of all else as before.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { holderOf } from '../../people/audience/address-holder.ts';
import { changePreferences } from '../../people/audience/preferences.ts';
import type { OptInView } from './memory.ts';
import type { OptInProtocol } from './protocol.ts';

export function leaveTopic(
  app: OptInView,
  { address, topic: key }: MessageOf<OptInProtocol, 'opt_in.leave_topic'>,
  context: Context,
): Decision<OptInProtocol['opt_in.leave_topic']['reply']> {
  const topic = app.topics.get(key);
  const held = holderOf({ channel: 'email', endpoint: address }, {}, context);
  if (topic === undefined || held === undefined) return accepted(null);
  const change = { topics: { [key]: 'out' as const } };
  const who = { isClient: false, vouched: true };
  const left = changePreferences(app, held.holder, change, who, context);
  if (left.outcome === 'refused') return left;
  return { ...left, reply: { topic: topic.name } };
}
