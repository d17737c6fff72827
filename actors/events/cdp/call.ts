// Maps a JSON call of Segment's or RudderStack's libraries to an `IdentifyCall` or `EventCall`. A
// `page` without a person is acknowledged; a `track` without `userId` fails alone.

import { Buffer } from 'node:buffer';
import type { Millis } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { parseInstant } from '../../../engine/time/instant.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { isObject } from '../../is-object.ts';
import { inexactProblem, limits } from '../../limits.ts';
import { checkTags, tagTwice, tagValueInNfc } from '../../people/audience/tags.ts';
import { eventIdCharsMax, externalUserIdBytesMax } from '../ingest/event-schema.ts';
import { clientNameProblem } from '../ingest/names.ts';
import {
  inexactPlace,
  isText,
  type JsonObject,
  ownMember,
  surrogatePlace,
} from '../ingest/slow-path.ts';
import { contactOf, localeOf, pushTokenOf, timezoneOf } from './call-context.ts';
import type { CdpCall, IdentifyCall } from './protocol.ts';

/** `identify` updates tags; `track` becomes an event of its name, others of their type. */
export const callTypes = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const;
export type CallType = (typeof callTypes)[number];

interface CallContext {
  readonly index: number;
  /** From the path, for bodies without `type`. */
  readonly type: CallType | undefined;
  /** By our clock. */
  readonly receivedMs: Millis;
  /** The batch's `sentAt`, by the sender's clock. */
  readonly sentAtMs: Millis | undefined;
  /** A time zone as IANA spells it; `undefined` for none. */
  readonly zoneNamed: (text: string) => string | undefined;
}

/** `skipped`: a sentence per trait or member of the context that cannot be stored. */
type MappedCall =
  | {
      readonly outcome: 'accepted';
      readonly call: CdpCall;
      readonly skipped: readonly string[];
    }
  /** Valid, but nothing to store. */
  | { readonly outcome: 'acknowledged' }
  | { readonly outcome: 'ignored'; readonly error: string };

/** Accepts any JSON value. */
export function mapCall(value: unknown, around: CallContext): MappedCall {
  if (!isObject(value)) return ignored('event: expected an object');
  const type = ownMember(value, 'type') ?? around.type;
  if (!isCallType(type)) return ignored(`type: expected one of ${callTypes.join(', ')}`);
  const who = userIdOf(value);
  if (who === undefined) {
    if (type !== 'identify' && type !== 'track') return { outcome: 'acknowledged' };
    return ignored('userId: is missing; people are identified by userId, not by anonymousId');
  }
  if ('problem' in who) return ignored(`userId: ${who.problem}`);
  const messageId = ownMember(value, 'messageId');
  if (messageId !== undefined && !isText(messageId, eventIdCharsMax))
    return ignored(
      `messageId: expected 1 to ${eventIdCharsMax} characters without control characters`,
    );
  const push = pushTokenOf(value);
  const base = {
    index: around.index,
    userId: who.userId,
    ...(messageId === undefined ? {} : { messageId }),
    ...(push === undefined ? {} : { push }),
  };
  if (type === 'identify') {
    const { skipped, ...about } = aboutPerson(value, around);
    return { outcome: 'accepted', call: { ...base, kind: 'identify', ...about }, skipped };
  }
  const written = type === 'track' ? ownMember(value, 'event') : type;
  if (typeof written !== 'string') return ignored('event: expected an event name');
  const name = written.normalize();
  const problem = clientNameProblem(name);
  if (problem !== undefined) return ignored(`event: ${problem}`);
  const props = propsOf(type, value);
  if (typeof props === 'string') return ignored(props);
  return {
    outcome: 'accepted',
    call: { ...base, kind: 'event', name, atMs: instantOf(value, around), ...props },
    skipped: [],
  };
}

/**
 * When it happened. The sender's clock may be wrong, but `sentAt` has the same error: add the
 * difference to ours. A `timestamp` beside `originalTimestamp` or `receivedAt` is already corrected
 * or the caller's choice. Default: arrival.
 */
function instantOf(call: JsonObject, { receivedMs, sentAtMs: batchSentMs }: CallContext): Millis {
  const timestamp = instantIn(call, 'timestamp');
  const original = instantIn(call, 'originalTimestamp');
  const isFinal = original !== undefined || ownMember(call, 'receivedAt') !== undefined;
  if (timestamp !== undefined && isFinal) return timestamp;
  const at = timestamp ?? original;
  if (at === undefined) return receivedMs;
  const sentMs = instantIn(call, 'sentAt') ?? batchSentMs;
  return sentMs === undefined ? at : at + receivedMs - sentMs;
}

type AboutPerson = Pick<IdentifyCall, 'traits' | 'contact' | 'timezone'> & {
  readonly skipped: readonly string[];
};

/** The tags, addresses and time zone of an `identify`, without what breaks the API's rules. */
function aboutPerson(call: JsonObject, { zoneNamed }: CallContext): AboutPerson {
  const given = traitsOf(call);
  if (!isObject(given)) return { traits: {}, skipped: ['traits: expected an object'] };
  const { timezone, ...zone } = timezoneOf(call, zoneNamed);
  const { language, ...locale } = localeOf(call);
  const skipped = [zone.problem, locale.problem].flatMap((problem) => problem ?? []);
  const tags: Record<string, TagValue | null> = {};
  for (const [written, value] of Object.entries(given)) {
    const key = written.normalize();
    const trait = tagValueInNfc(value);
    const problem =
      checkTags({ [key]: trait }, 'traits') ??
      (Object.hasOwn(tags, key) ? fieldFault(`traits.${key}`, tagTwice) : undefined);
    if (problem === undefined) tags[key] = trait as TagValue | null;
    else skipped.push(problem.message);
  }
  // A person's own choice is a trait; the context has the language of the device.
  const hasOwn = Object.hasOwn(given, 'language') || Object.hasOwn(given, 'locale');
  if (language !== undefined && !hasOwn) tags['language'] = language;
  const contact = contactOf(given);
  return {
    traits: tags,
    ...(contact === undefined ? {} : { contact }),
    ...(timezone === undefined ? {} : { timezone }),
    skipped,
  };
}

/** Mobile libraries of RudderStack have the traits in the context alone. */
function traitsOf(call: JsonObject): unknown {
  const traits = ownMember(call, 'traits');
  const isEmpty =
    traits === undefined || (isObject(traits) && Object.keys(traits as object).length === 0);
  if (!isEmpty) return traits;
  const context = ownMember(call, 'context');
  return (isObject(context) ? ownMember(context, 'traits') : undefined) ?? {};
}

/** JSON, or an error sentence. */
function propsOf(type: CallType, call: JsonObject): { readonly propsJson?: string } | string {
  const source = type === 'group' ? 'traits' : 'properties';
  const given = type === 'alias' ? {} : (ownMember(call, source) ?? {});
  if (!isObject(given)) return `${source}: expected an object`;
  const props: Record<string, unknown> = { ...given };
  for (const key of propertyMembers[type] ?? []) {
    const value = ownMember(call, key);
    if (value !== undefined && !Object.hasOwn(props, key)) props[key] = value;
  }
  if (Object.keys(props).length === 0) return {};
  const propsJson = JSON.stringify(props);
  if (Buffer.byteLength(propsJson) > limits.eventPropsBytesMax)
    return `${source}: expected at most ${limits.eventPropsBytesMax} bytes as JSON`;
  if (surrogatePlace(props, propsJson, source) !== undefined)
    return `${source}: expected valid Unicode`;
  const changed = inexactPlace(props, propsJson, source);
  return changed === undefined ? { propsJson } : `${changed}: ${inexactProblem}`;
}

/** Call fields that become event properties. */
const propertyMembers: Partial<Record<CallType, readonly string[]>> = {
  page: ['name', 'category'],
  screen: ['name', 'category'],
  group: ['groupId'],
  alias: ['previousId'],
};

/** By the rules of `externalUserId`; libraries also send numbers. */
function userIdOf(
  call: JsonObject,
): { readonly userId: string } | { readonly problem: string } | undefined {
  const given = ownMember(call, 'userId');
  if (given === undefined || given === '') return undefined;
  if (typeof given !== 'string' && !Number.isSafeInteger(given))
    return { problem: 'expected a string' };
  const userId = String(given);
  if (userId.length > limits.externalUserIdCharsMax)
    return { problem: `expected 1 to ${limits.externalUserIdCharsMax} characters` };
  if (/[\p{Cc}\u2028\u2029]/u.test(userId))
    return { problem: 'must not contain control characters' };
  if (/\p{Surrogate}/u.test(userId)) return { problem: 'expected valid Unicode' };
  if (Buffer.byteLength(userId) > externalUserIdBytesMax)
    return { problem: `expected at most ${externalUserIdBytesMax} bytes of UTF-8` };
  return { userId };
}

function instantIn(call: JsonObject, key: string): Millis | undefined {
  const text = ownMember(call, key);
  return typeof text === 'string' ? parseInstant(text) : undefined;
}

function isCallType(value: unknown): value is CallType {
  return callTypes.some((known) => known === value);
}

function ignored(error: string): MappedCall {
  return { outcome: 'ignored', error };
}
