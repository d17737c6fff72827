// What no single member of saved content can say, for messages and templates alike: that somebody
// is told something, and that a list of them fits into an answer. Judged once a change is merged
// in, because the edge sees only the members that a call carries. Pure. Source: specification,
// "Message" and "Message template"; contract, section 5.

import { type Fault, fieldFault } from '../../engine/base/fault.ts';
import { catalog } from '../channels/catalog.ts';
import { channelIds } from '../channels/channel-ids.ts';
import { limits } from '../limits.ts';
import type { ContentChange, MessageContent } from './message-schema.ts';

/** What is wrong with content as a whole; `what` begins the sentence: `a message`. */
export function wholeFault(content: MessageContent, what = 'a message'): Fault | undefined {
  const spokenFor = channelIds.some((channel) => {
    const { payloadKey } = catalog[channel];
    return payloadKey !== undefined && content.payload?.[payloadKey] !== undefined;
  });
  if (content.body === undefined && !spokenFor)
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

/** The content with a change merged in. */
export function changedContent(
  before: MessageContent,
  { content, removed }: ContentChange,
): MessageContent {
  const gone: ReadonlySet<string> = new Set(removed);
  return Object.fromEntries(
    Object.entries({ ...before, ...content }).filter(([member]) => !gone.has(member)),
  );
}

/** How long content is, as JSON. */
export function charactersOf(content: object): number {
  return JSON.stringify(content).length;
}
