// One call of Segment's or RudderStack's server libraries, from parsed JSON to what the app's actor
// takes. Pure. Easily got wrong: a call that tells us nothing (no person in a `page`) is fine and
// says so, one that would have told us something and cannot be used (a `track` without `userId`) is
// an error of that call, and neither harms its neighbours.

import { Buffer } from 'node:buffer';
import type { Millis } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { isObject } from '../../is-object.ts';
import { limits } from '../../limits.ts';
import { checkTags } from '../../people/audience/tags.ts';
import { eventIdCharsMax, externalUserIdBytesMax } from '../event-schema.ts';
import { parseInstant } from '../instant.ts';
import { clientNameProblem } from '../names.ts';
import type { CdpCall } from './protocol.ts';

/**
 * The calls of a platform's library. `identify` and `track` are for us; the others are kept as
 * events of their name.
 */
export const callTypes = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const;
export type CallType = (typeof callTypes)[number];

/** What is known of a call beside its own members. */
interface Surroundings {
  readonly index: number;
  /** The call that the path names, for bodies without `type`. */
  readonly type: CallType | undefined;
  /** When it arrived, by our clock. */
  readonly receivedMs: Millis;
  /** `sentAt` of the batch, by the sender's. */
  readonly sentAtMs: Millis | undefined;
}

/** What became of a call. `leftOut` has a sentence for each trait that can be no tag. */
type Mapped =
  | { readonly outcome: 'taken'; readonly call: CdpCall; readonly leftOut: readonly string[] }
  /** Nothing in it is for us. */
  | { readonly outcome: 'acknowledged' }
  | { readonly outcome: 'ignored'; readonly error: string };

type JsonObject = { readonly [key: string]: unknown };

/** Reads a call. Takes any JSON whatever. */
export function mapCall(value: unknown, around: Surroundings): Mapped {
  if (!isObject(value)) return ignored('event: expected an object');
  const type = member(value, 'type') ?? around.type;
  if (!isCallType(type)) return ignored(`type: expected one of ${callTypes.join(', ')}`);
  const who = userIdOf(value);
  if (who === undefined) {
    if (type !== 'identify' && type !== 'track') return { outcome: 'acknowledged' };
    return ignored('userId: is missing; people are identified by userId, not by anonymousId');
  }
  if ('problem' in who) return ignored(`userId: ${who.problem}`);
  const messageId = member(value, 'messageId');
  if (messageId !== undefined && !isId(messageId))
    return ignored(
      `messageId: expected 1 to ${eventIdCharsMax} characters without control characters`,
    );
  const base = {
    index: around.index,
    userId: who.userId,
    ...(messageId === undefined ? {} : { messageId }),
  };
  if (type === 'identify') {
    const { traits, leftOut } = tagsOf(value);
    return { outcome: 'taken', call: { ...base, kind: 'identify', traits }, leftOut };
  }
  const name = type === 'track' ? member(value, 'event') : type;
  if (typeof name !== 'string') return ignored('event: expected an event name');
  const problem = clientNameProblem(name);
  if (problem !== undefined) return ignored(`event: ${problem}`);
  const props = propsOf(type, value);
  if (typeof props === 'string') return ignored(props);
  return {
    outcome: 'taken',
    call: { ...base, kind: 'event', name, atMs: instantOf(value, around), ...props },
    leftOut: [],
  };
}

/**
 * When it happened. A sender's clock may be wrong, but it is the same for the event and for
 * `sentAt`, so what lies between them is added to our own. A `timestamp` beside `originalTimestamp`
 * or `receivedAt` was corrected by the platform, or chosen by the caller, and is taken as it is.
 * Without a readable time it is that of arrival.
 */
function instantOf(call: JsonObject, { receivedMs, sentAtMs: batchSentMs }: Surroundings): Millis {
  const timestamp = instantIn(call, 'timestamp');
  const original = instantIn(call, 'originalTimestamp');
  const isFinal = original !== undefined || member(call, 'receivedAt') !== undefined;
  if (timestamp !== undefined && isFinal) return timestamp;
  const at = timestamp ?? original;
  if (at === undefined) return receivedMs;
  const sentMs = instantIn(call, 'sentAt') ?? batchSentMs;
  return sentMs === undefined ? at : at + receivedMs - sentMs;
}

/** Traits as a patch of tags, by the API's own rules; what breaks them is left out. */
function tagsOf(call: JsonObject): {
  readonly traits: Readonly<Record<string, TagValue | null>>;
  readonly leftOut: readonly string[];
} {
  const context = member(call, 'context');
  const traits =
    member(call, 'traits') ?? (isObject(context) ? member(context, 'traits') : undefined) ?? {};
  if (!isObject(traits)) return { traits: {}, leftOut: ['traits: expected an object'] };
  const tags: Record<string, TagValue | null> = {};
  const leftOut: string[] = [];
  for (const [key, value] of Object.entries(traits)) {
    const problem = checkTags({ [key]: value }, 'traits');
    if (problem === undefined) tags[key] = value as TagValue | null;
    else leftOut.push(problem.message);
  }
  return { traits: tags, leftOut };
}

/** Properties as they are stored, or the sentence that says why they cannot be. */
function propsOf(type: CallType, call: JsonObject): { readonly propsJson?: string } | string {
  const source = type === 'group' ? 'traits' : 'properties';
  const given = type === 'alias' ? {} : (member(call, source) ?? {});
  if (!isObject(given)) return `${source}: expected an object`;
  const props: Record<string, unknown> = { ...given };
  for (const key of besides[type] ?? []) {
    const value = member(call, key);
    if (value !== undefined && !Object.hasOwn(props, key)) props[key] = value;
  }
  if (Object.keys(props).length === 0) return {};
  const propsJson = JSON.stringify(props);
  if (Buffer.byteLength(propsJson) > limits.eventPropsBytesMax)
    return `${source}: expected at most ${limits.eventPropsBytesMax} bytes as JSON`;
  // Half a character leaves JSON.stringify as an escape; text that only looks like one sends us
  // looking in vain.
  if (propsJson.includes('\\ud') && holdsHalf(props)) return `${source}: expected valid Unicode`;
  return { propsJson };
}

/** Members of a call that belong to what its event tells. */
const besides: Partial<Record<CallType, readonly string[]>> = {
  page: ['name', 'category'],
  screen: ['name', 'category'],
  group: ['groupId'],
  alias: ['previousId'],
};

/**
 * Who it is about: an id by the rules of `externalUserId`. Libraries let callers give a number,
 * too.
 */
function userIdOf(
  call: JsonObject,
): { readonly userId: string } | { readonly problem: string } | undefined {
  const given = member(call, 'userId');
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

function isId(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > eventIdCharsMax)
    return false;
  return !/[\p{Surrogate}\p{Cc}]/u.test(value);
}

function instantIn(call: JsonObject, key: string): Millis | undefined {
  const text = member(call, key);
  return typeof text === 'string' ? parseInstant(text) : undefined;
}

function holdsHalf(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => holdsHalf(key) || holdsHalf(item));
}

function isCallType(value: unknown): value is CallType {
  return callTypes.some((known) => known === value);
}

/** An own member; `null` is absent. */
function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

function ignored(error: string): Mapped {
  return { outcome: 'ignored', error };
}
