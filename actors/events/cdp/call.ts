// Maps a JSON call of Segment's or RudderStack's server libraries to an `IdentifyCall` or
// `EventCall`. A `page` without a person is acknowledged; a `track` without `userId` fails alone.

import { Buffer } from 'node:buffer';
import type { Millis } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { parseInstant } from '../../../engine/time/instant.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { isObject } from '../../is-object.ts';
import { inexactProblem, limits } from '../../limits.ts';
import { checkTags, tagTwice, tagValueInNfc } from '../../people/audience/tags.ts';
import { eventIdCharsMax, externalUserIdBytesMax } from '../event-schema.ts';
import { clientNameProblem } from '../names.ts';
import { inexactPlace, isText, type JsonObject, ownMember, surrogatePlace } from '../slow-path.ts';
import type { CdpCall } from './protocol.ts';

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
}

/** `skippedTraits`: a sentence per trait that cannot be a tag. */
type MappedCall =
  | {
      readonly outcome: 'accepted';
      readonly call: CdpCall;
      readonly skippedTraits: readonly string[];
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
  const base = {
    index: around.index,
    userId: who.userId,
    ...(messageId === undefined ? {} : { messageId }),
  };
  if (type === 'identify') {
    const { traits, skippedTraits } = tagsOf(value);
    return { outcome: 'accepted', call: { ...base, kind: 'identify', traits }, skippedTraits };
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
    skippedTraits: [],
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

/** Traits as a tag patch, without those that break the API's rules. */
function tagsOf(call: JsonObject): {
  readonly traits: Readonly<Record<string, TagValue | null>>;
  readonly skippedTraits: readonly string[];
} {
  const context = ownMember(call, 'context');
  const traits =
    ownMember(call, 'traits') ??
    (isObject(context) ? ownMember(context, 'traits') : undefined) ??
    {};
  if (!isObject(traits)) return { traits: {}, skippedTraits: ['traits: expected an object'] };
  const tags: Record<string, TagValue | null> = {};
  const skippedTraits: string[] = [];
  for (const [written, value] of Object.entries(traits)) {
    const key = written.normalize();
    const trait = tagValueInNfc(value);
    const problem =
      checkTags({ [key]: trait }, 'traits') ??
      (Object.hasOwn(tags, key) ? fieldFault(`traits.${key}`, tagTwice) : undefined);
    if (problem === undefined) tags[key] = trait as TagValue | null;
    else skippedTraits.push(problem.message);
  }
  return { traits: tags, skippedTraits };
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
