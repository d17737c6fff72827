// Checks saved content as a whole: that it says something, and that a list of them fits into a
// response. Runs after a change is merged, because the edge sees only a call's members. Source:
// specification, "Message" and "Message template"; contract, section 5.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { catalog } from '../../channels/catalog.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { ContentChange, MessageContent } from '../shape/message-schema.ts';

/** `what` begins the sentence: `a message`. */
export function contentFault(content: MessageContent, what = 'a message'): Fault | undefined {
  const hasTemplate = channelIds.some((channel) => {
    const { payloadKey } = catalog[channel];
    return payloadKey !== undefined && content.payload?.[payloadKey] !== undefined;
  });
  if (content.body === undefined && !hasTemplate)
    return fieldFault(
      'body',
      'is missing; expected a string. Only a provider template (payload.whatsapp, payload.kakao) can replace it',
    );
  if (charactersOf(content) > limits.messageCharsMax)
    return {
      code: 'invalid',
      message: `${what} has at most ${limits.messageCharsMax} characters as JSON`,
    };
  return undefined;
}

export function changedContent(
  before: MessageContent,
  { content, removed }: ContentChange,
): MessageContent {
  const gone: ReadonlySet<string> = new Set(removed);
  return Object.fromEntries(
    Object.entries({ ...before, ...content }).filter(([member]) => !gone.has(member)),
  );
}

/** A member beside the content, such as a design, after a change that sets, removes or keeps it. */
export function changedMember<Value>(
  before: Value | undefined,
  next: Value | undefined,
  isRemoved: boolean,
): Value | undefined {
  return next ?? (isRemoved ? undefined : before);
}

/** As JSON. */
export function charactersOf(content: object): number {
  return JSON.stringify(content).length;
}
