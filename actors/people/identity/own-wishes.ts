// What a client token may say of its person: tags and preferences. A choice that then waits for the
// person's confirmation asks for it.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import { changePreferences } from '../audience/preferences.ts';
import type { PreferenceChange, Preferences } from '../audience/protocol.ts';
import { newTags } from '../audience/tags.ts';
import { upsert } from '../audience/upsert.ts';
import type { NamesBrought } from '../name-limit.ts';
import { askingPending } from '../topics/ask-pending.ts';
import { isChoiceTag } from '../topics/choice-tag.ts';
import type { Bearer } from './keyring.ts';
import type { IdentityView } from './memory.ts';
import type { IdentityProtocol } from './protocol.ts';

type Tagged = Pick<IdentityProtocol['sdk.tag']['body'], 'tags' | 'names'>;

export function setOwnPreferences(
  app: IdentityView,
  { row, isProven: vouched }: Bearer,
  change: PreferenceChange,
  context: Context,
): Decision<Preferences> {
  const set = changePreferences(app, row, change, { isClient: true, vouched }, context);
  return askingPending(set, row, context);
}

export function setOwnTags(
  app: IdentityView,
  { row, isProven: vouched }: Bearer,
  { tags, names }: Tagged,
  context: Context,
): Decision<NamesBrought> {
  const keyless = names === undefined ? {} : { names };
  const result = upsert(app, { tags }, row, context, { keyless, vouched });
  if ('fault' in result) return refused(result.fault);
  const { entries, documents } = result;
  const brought = newTags(tags, app.traits.tags).filter((tag) => !isChoiceTag(tag));
  const namesBrought = brought.length;
  return askingPending(accepted({ namesBrought }, { entries, documents }), row, context);
}
