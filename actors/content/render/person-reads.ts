// What a message's texts read of a person, so that a fan-out decodes only that.

import type { PersonReads } from '../liquid/plain-template.ts';
import { compile } from '../liquid/render.ts';
import { isTemplate } from '../shape/is-template.ts';
import type { MessageContent } from '../shape/message-schema.ts';

/** `undefined` if a text decides at render time what it reads: it needs the whole person. */
export function personReads(message: MessageContent): PersonReads | undefined {
  // Localization reads these (see `localize.ts`).
  const tags = new Set<string>(message.localizations === undefined ? [] : ['language', 'locale']);
  const members = new Set<string>();
  for (const text of textsOf(message)) {
    const template = compile(text);
    if ('problem' in template || template.plain === undefined) return undefined;
    for (const tag of template.plain.reads.tags) tags.add(tag);
    for (const member of template.plain.reads.members) members.add(member);
  }
  return { tags, members };
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (isTemplate(value)) yield value;
  } else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* textsOf(member);
}
