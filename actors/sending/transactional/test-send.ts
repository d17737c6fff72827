// Sends a saved message to one person as a test: on the transactional lane, without caps and quiet
// hours, but suppressions hold. Rendered like marketing (unknown names print nothing), except that
// faults are refused to the author.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RenderedContent } from '../../channels/port/attempt.ts';
import { providerTemplateMissing } from '../../content/accept/missing-member.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { contentFor, formOf } from '../../content/render/content-for.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { notFound } from '../../faults.ts';
import { namedRecipient } from '../../people/audience/find-person.ts';
import type { SendsView } from '../outbox/reads.ts';
import type { SendContent } from '../outbox/records.ts';
import type { TransactionalMemory } from './memory.ts';
import type { TransactionalProtocol } from './protocol.ts';
import { type AcceptReply, earlierAnswer, queueSend, targetsOf } from './queue-send.ts';

type Test = MessageOf<TransactionalProtocol, 'message.test'>;

export function testSend(
  state: TransactionalMemory,
  app: SendsView,
  { id, to, channels, claim }: Test,
  context: Context,
): Decision<AcceptReply> {
  const message = readMessage(id, context)?.content;
  if (message === undefined) return refused(notFound('message'));
  const earlier = earlierAnswer(state, app, claim, context);
  if (earlier !== undefined) return earlier;
  const named = namedRecipient(app, to, context);
  if ('fault' in named) return refused(named.fault);
  const { person } = named;
  const targets = targetsOf(person, channels);
  // Without a device, the message is still checked, for the requested channels.
  const reached =
    targets.length > 0 ? targets.map(({ channel }) => channel) : (channels ?? ['fcm' as const]);
  const missing = providerTemplateMissing(message, reached);
  if (missing !== undefined) return refused(missing);
  const rendered = render(message, person, app, reached, context);
  if ('fault' in rendered) return refused(rendered.fault);
  const { content } = rendered;
  const { options } = content.plain;
  return queueSend({ person, targets, content, options, claim, test: true }, context);
}

/** The forms that these channels need, or the first fault. */
function render(
  message: MessageContent,
  person: SubscriberRow,
  app: SendsView,
  channels: readonly ChannelId[],
  { nowMs }: Context,
): { readonly content: SendContent } | { readonly fault: Fault } {
  const forms = new Set<string>();
  let plain: RenderedContent | undefined;
  let email: RenderedContent | undefined;
  for (const channel of channels) {
    const form = formOf(message, channel);
    if (forms.has(form)) continue;
    forms.add(form);
    const shown = contentFor(message, person, app.record, channel, nowMs);
    if ('fault' in shown) return shown;
    if (channel === 'email') email = shown.content;
    else plain ??= shown.content;
  }
  // With only emails there is no plain form, and nobody to receive it.
  const first = (plain ?? email) as RenderedContent;
  if (app.settings.utm == null || message.utm === false)
    return { content: email === undefined ? { plain: first } : { plain: first, email } };
  const linked = { plain: { ...first, utm: true as const } };
  return { content: email === undefined ? linked : { ...linked, email: { ...email, utm: true } } };
}
