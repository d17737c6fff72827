// The one form of an address. `normaliseEndpoint` is what a device keeps and is compared by;
// `identityKey` is what a suppression is filed under. Pure. Easily got wrong: two devices are the
// same one when their `key` is equal, not their `endpoint`: an email keeps the case of its local
// part for sending and ignores it for comparing.

import { hasControlCharacter } from '../../channels/address.ts';
import {
  type ChannelId,
  catalog,
  type IdentityClass,
  type WebPushSubscription,
  webPushSubscription,
} from '../../channels/catalog.ts';
import { isPushServiceAddress } from '../../channels/webpush/push-services.ts';

/** A device's address in normal form. */
interface NormalEndpoint {
  /** What is stored and handed to the adapter: text, or a subscription object for `webpush`. */
  readonly endpoint: string | WebPushSubscription;
  /** Equal for two registrations of the same device on a channel; at most 4,096 characters. */
  readonly key: string;
  /** What an opt-out of this address is filed under (`phone:+14155550123`); absent for push. */
  readonly identity?: string;
}

/** What the operator allows beyond the rule. */
interface EndpointPolicy {
  /**
   * Take any web push address, `http` and private ones included: in sandbox mode, and where private
   * networks are allowed. Else only what the adapter will call: https, and a push service that
   * browsers use.
   */
  readonly allowHttp?: boolean;
}

/**
 * The normal form of an endpoint as somebody gave it, or the problem in words that follow
 * "endpoint: ". Spaces around text are forgiven; control characters anywhere are not. Phone numbers
 * become E.164, email domains lower-case punycode, APNs tokens lower case. Normalising a normal
 * form changes nothing.
 */
export function normaliseEndpoint(
  channel: ChannelId,
  raw: unknown,
  policy: EndpointPolicy = {},
): NormalEndpoint | { readonly problem: string } {
  const entry = catalog[channel];
  if (entry.normalise === undefined) return normaliseSubscription(raw, policy.allowHttp === true);
  if (typeof raw !== 'string') return { problem: `must be a string: the ${entry.endpointIs}` };
  if (hasControlCharacter(raw)) return { problem: 'must not contain control characters' };
  const checked = entry.normalise(raw.trim());
  if ('problem' in checked) return checked;
  const key = entry.ignoresCase === true ? checked.value.toLowerCase() : checked.value;
  const { identity } = entry;
  return { endpoint: checked.value, key, ...(identity && { identity: `${identity}:${key}` }) };
}

/**
 * What a suppression of this address is filed under: the class and the comparable form. The five
 * phone channels give the same key for the same number. `undefined` for push channels and for text
 * that is no address of the channel.
 */
export function identityKey(channel: ChannelId, address: string): string | undefined {
  if (catalog[channel].identity === undefined) return undefined;
  const normal = normaliseEndpoint(channel, address);
  return 'problem' in normal ? undefined : normal.identity;
}

/**
 * The same for an endpoint that is in normal form already, as devices keep it; a fiftieth of the
 * work for a number.
 */
export function storedIdentity(channel: ChannelId, endpoint: string): string | undefined {
  const { identity, ignoresCase } = catalog[channel];
  if (identity === undefined) return undefined;
  return `${identity}:${ignoresCase === true ? endpoint.toLowerCase() : endpoint}`;
}

/** The class and the address of an identity key; `undefined` for anything else. */
export function parseIdentityKey(
  key: string,
): { readonly identity: IdentityClass; readonly address: string } | undefined {
  const colon = key.indexOf(':');
  const identity = key.slice(0, colon);
  const known = Object.values(catalog).find((entry) => entry.identity === identity)?.identity;
  return known === undefined ? undefined : { identity: known, address: key.slice(colon + 1) };
}

function normaliseSubscription(
  raw: unknown,
  allowHttp: boolean,
): NormalEndpoint | { readonly problem: string } {
  const parsed = webPushSubscription.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue?.path.join('.') ?? '';
    if (path === '') return { problem: "must be the browser's subscription object" };
    return {
      problem: `${path} ${issue?.code === 'custom' ? issue.message : 'is missing or invalid'}`,
    };
  }
  const url = new URL(parsed.data.endpoint);
  if (!allowHttp && !isPushServiceAddress(url.href)) {
    return { problem: 'endpoint must be the https address of a push service that browsers use' };
  }
  const { p256dh, auth } = parsed.data.keys;
  return {
    endpoint: { endpoint: url.href, keys: { p256dh: plain(p256dh), auth: plain(auth) } },
    key: url.href,
  };
}

/** Base64url without padding, whichever alphabet the browser's library used. */
function plain(base64: string): string {
  return Buffer.from(base64, 'base64url').toString('base64url');
}
