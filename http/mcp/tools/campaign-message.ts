// The message of a campaign that a tool creates: a saved one, or one made for it of content or of a
// template, and removed again if the campaign is refused.

import { z } from 'zod';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { callRoute } from '../../call/inner-call.ts';
import { templateFields } from '../../routes/message-templates/named-template.ts';
import { createMessage, deleteMessage } from '../../routes/messages/messages.ts';
import { type Arguments, routeArguments } from '../tool.ts';

/** Of the tool, beside those of the campaign. */
export const messageArguments = {
  messageId: z
    .string()
    .optional()
    .describe('The saved message to send. Give this, `message`, `templateName` or `templateId`.'),
  // The content's schema is that of `create_message`: twice it costs a model too much to read.
  message: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The content to send, such as `{title, body}`: the arguments of `create_message`, which saves it first.',
    ),
  ...templateFields,
};

const creating = routeArguments(createMessage, { appId: 'appId' });
const ways = Object.keys(messageArguments);

interface CampaignMessage {
  readonly id: string;
  readonly isNew: boolean;
}

/** Makes the message unless it is a saved one. Throws a fault for none, or for two ways at once. */
export async function messageOfCampaign(caller: Call, args: Arguments): Promise<CampaignMessage> {
  const [way, other] = ways.filter((name) => args[name] != null);
  if (way === undefined)
    throw new FaultError(
      fieldFault('message', 'is required: its content, or messageId, templateName or templateId'),
    );
  if (other !== undefined)
    throw new FaultError(
      fieldFault(other, `give one of ${ways.join(', ')}; \`message\` takes a templateName as well`),
    );
  const { messageId, message, templateName, templateId } = args;
  if (way === 'messageId') return { id: String(messageId), isNew: false };
  if (way === 'message' && (typeof message !== 'object' || Array.isArray(message)))
    throw new FaultError(fieldFault('message', 'expected an object'));
  const body = way === 'message' ? (message as object) : { templateName, templateId };
  const input = creating.input(caller, { appId: args['appId'] });
  try {
    const reply = await callRoute(caller, createMessage, { ...input, body });
    return { id: (reply.body as { readonly id: string }).id, isNew: true };
  } catch (error) {
    throw way === 'message' ? within('message', error) : error;
  }
}

/** After a refusal of the campaign: nothing is left of the message that was made for it. */
export async function removeAgain(caller: Call, args: Arguments, id: string): Promise<void> {
  const { params } = creating.input(caller, { appId: args['appId'] });
  await callRoute(caller, deleteMessage, { params: { ...params, id } });
}

/** A refusal of a member of `name` names it by its path. */
function within(name: string, error: unknown): unknown {
  if (!(error instanceof FaultError) || error.fault.field === undefined) return error;
  const { field, message, issues } = error.fault;
  return new FaultError({
    ...error.fault,
    field: `${name}.${field}`,
    message: message.startsWith(field) ? `${name}.${message}` : message,
    ...(issues === undefined
      ? {}
      : { issues: issues.map((one) => ({ ...one, field: `${name}.${one.field}` })) }),
  });
}
