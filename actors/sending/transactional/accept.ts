// Accepts one transactional send. Refuses before anything is written, so that a refused call leaves
// its key free. Source: specification, "Transactional lane"; contract, section 7.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { withTemplate } from '../../content/templates/copy.ts';
import { copyCount, noCopies } from '../outbox/copies.ts';
import type { SendsView } from '../outbox/reads.ts';
import type { TransactionalMemory } from './memory.ts';
import type { TransactionalProtocol } from './protocol.ts';
import { type AcceptReply, earlierAnswer, queueSend, targetsOf } from './queue-send.ts';
import { Recipients } from './recipients.ts';
import { renderTransactional } from './render.ts';

type Accept = MessageOf<TransactionalProtocol, 'transactional.accept'>;

export function accept(
  state: TransactionalMemory,
  app: SendsView,
  { request: given, claim }: Accept,
  context: Context,
): Decision<AcceptReply> {
  const copies = copyCount(given.mail ?? noCopies);
  const earlier = earlierAnswer(state, app, claim, context, copies);
  if (earlier !== undefined) return earlier;
  const copied = withTemplate(app, given, given, 'transactional', context);
  if ('fault' in copied) return refused(copied.fault);
  const { content: request } = copied;
  const named = new Recipients(app, request, context).of({ to: request.to });
  if ('fault' in named) return refused(named.fault);
  const { person } = named;
  const targets = targetsOf(person, request.channels);
  const rendered = renderTransactional(app.record, person, request, targets, context.nowMs);
  if ('fault' in rendered) return refused(rendered.fault);
  const { content, options } = rendered;
  const templateId = given.templateId ?? app.templates.get(given.templateName ?? '');
  return queueSend({ person, targets, content, options, claim, templateId }, context);
}
