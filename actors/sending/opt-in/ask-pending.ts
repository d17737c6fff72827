// Asks a person by mail for the choices that a client made wait.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { languageOf } from '../../content/render/localize.ts';
import { storedIdentity } from '../../people/audience/identity.ts';
import { isUnconfirmed } from '../../people/audience/unconfirmed.ts';
import { topicOfTag } from '../../people/topics/choice-tag.ts';
import { type AskingRules, asking } from './asking.ts';
import type { OptInMemory, OptInView } from './memory.ts';
import { wishOf } from './wish.ts';

/** Without an email address the choices wait until somebody signs one up. */
export function askPending(
  state: OptInMemory,
  app: OptInView,
  who: PersonOrdinal,
  rules: AskingRules,
  context: Context,
): Decision<null> {
  const row = context.documents.get(subscribers, [app.people.canonical(who)]);
  const [device] = (row?.devices ?? [])
    .filter((one) => one.channel === 'email' && (one.enabled || isUnconfirmed(one)))
    .toSorted((one, other) => other.updatedMs - one.updatedMs);
  const topics = Object.entries(row?.tags ?? {}).flatMap(([tag, value]) => {
    const key = value === 'pending' ? topicOfTag(tag) : undefined;
    return key !== undefined && app.topics.has(key) ? [key] : [];
  });
  const identity = device && storedIdentity('email', device.endpoint as string);
  if (row === undefined || device === undefined || identity === undefined || topics.length === 0)
    return accepted(null);
  const language = languageOf(row.tags);
  const wish = wishOf({ topics, tags: {}, ...(language === undefined ? {} : { language }) });
  const asked = { asker: row, holder: row, device };
  return accepted(null, asking(state, app, identity, wish, asked, rules, context));
}
