// What a sign-up may ask for, and how many there may be: nothing here depends on the address.

import type { Context } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { OptInWish } from '../../../storage/tables/opt-in.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { checkTags, tooManyNames } from '../../people/audience/tags.ts';
import { addressLimitReached, appLimitReached, mayCreateKeyless } from '../../people/keyless.ts';
import { isChoiceTag } from '../../people/topics/choice-tag.ts';
import type { FormRecord } from '../forms/form.ts';
import type { OptInView } from './memory.ts';
import type { OptInProtocol, SignUpWish } from './protocol.ts';
import { tagBytes, wishOf } from './wish.ts';

type Asked = MessageOf<OptInProtocol, 'opt_in.sign_up'>;

/** What the form asks for, and of the answers those to its fields. */
export function formWish(
  wish: SignUpWish,
  { key, topics, fields, consent }: FormRecord,
): OptInWish {
  const own = fields.flatMap(({ tag }) => {
    const value = Object.hasOwn(wish.tags, tag) ? wish.tags[tag] : undefined;
    return value === undefined ? [] : [[tag, value] as const];
  });
  const asked = { ...wish, topics, tags: Object.fromEntries(own) };
  return wishOf(asked, { key, sentence: consent });
}

export function wishFault(
  { traits, unvouched, topics }: OptInView,
  { wish }: Asked['signUp'],
  form: FormRecord | undefined,
  names: Asked['names'],
): Fault | undefined {
  const { tags } = wish;
  const choice = Object.keys(tags).find(isChoiceTag);
  if (choice !== undefined)
    return fieldFault(`tags.${choice.slice(0, limits.tagKeyCharsMax)}`, 'ask for it in topics');
  if (tagBytes(tags) > limits.optInTagBytesMax)
    return fieldFault('tags', `expected at most ${limits.optInTagBytesMax} bytes as JSON`);
  const at = wish.topics.findIndex((key) => !topics.has(key));
  if (at >= 0)
    return fieldFault(`topics[${at}]`, `the app has no topic "${wish.topics[at]?.slice(0, 64)}"`);
  // The tenant chose the names of a form's tags.
  if (form !== undefined) return checkTags(tags);
  const known = { tags: traits.tags, unvouchedTags: unvouched.tags };
  const sender = names === undefined ? {} : { names };
  return checkTags(tags) ?? tooManyNames(tags, known, sender);
}

/** As for a login that makes a person, whether this one will or not. */
export function quotaFault(
  app: OptInView,
  room: Asked['room'],
  { nowMs }: Context,
): Fault | undefined {
  if (room !== undefined && room.mayCreate < 1)
    return fault('rate_limited', addressLimitReached, {
      retryAfterSeconds: room.retryAfterSeconds,
    });
  if (mayCreateKeyless(app, room, 0, nowMs)) return undefined;
  const retryAfterSeconds = Math.ceil((minuteMs - (nowMs % minuteMs)) / secondMs);
  return fault('rate_limited', appLimitReached(app.settings), { retryAfterSeconds });
}

export function devicesFault({ devices }: SubscriberRow): Fault | undefined {
  return devices.length < limits.devicesMax
    ? undefined
    : fieldFault('endpoint', `a subscriber has at most ${limits.devicesMax} devices`);
}
