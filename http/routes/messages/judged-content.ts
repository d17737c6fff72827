// Checks content in the bodies of calls. The actor checks saved content as a whole, after merging a
// change. Source: contract, section 5.

import { acceptContent, type ContentLane } from '../../../actors/content/accept/accept-content.ts';
import { providerTemplateFault } from '../../../actors/content/accept/provider-template.ts';
import {
  type ContentInput,
  contentInputFields,
  type MessageContent,
} from '../../../actors/content/shape/message-schema.ts';
import { FaultError } from '../../../engine/base/fault.ts';

/** Content in normal form. Throws its first fault. */
export function judgedContent(
  input: ContentInput,
  lane: ContentLane = 'marketing',
): MessageContent {
  const texts = textsAlone(input);
  const known = texts === undefined ? undefined : acceptedTexts.get(texts);
  if (known !== undefined) return known;
  const content = judged(input, lane);
  if (texts !== undefined) {
    if (acceptedTexts.size >= acceptedMax) acceptedTexts.clear();
    acceptedTexts.set(texts, content);
  }
  return content;
}

/** Most sends of an app have the same texts: judging them costs 4 µs, and finding them 0.4. */
const acceptedTexts = new Map<string, MessageContent>();
const acceptedMax = 256;
const acceptedCharsMax = 4_096;
const otherNames = Object.keys(contentInputFields).filter(
  (name): name is OtherName => name !== 'title' && name !== 'body',
);
type OtherName = Exclude<keyof ContentInput, 'title' | 'body'>;

/** Content that is a title and a body, as one text; their lane does not matter. */
function textsAlone(input: ContentInput): string | undefined {
  const { title, body } = input;
  if ((title?.length ?? 0) + (body?.length ?? 0) > acceptedCharsMax) return undefined;
  for (const name of otherNames) if (input[name] !== undefined) return undefined;
  const first = title === undefined ? '' : `${title.length} ${title}`;
  return body === undefined ? first : `${first} ${body}`;
}

function judged(input: ContentInput, lane: ContentLane): MessageContent {
  const accepted = acceptContent(input, lane);
  if ('fault' in accepted) throw new FaultError(accepted.fault);
  const wrong = providerTemplateFault(accepted.content.payload);
  if (wrong !== undefined) throw new FaultError(wrong);
  return accepted.content;
}
