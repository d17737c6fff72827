// The one form of an address. `normaliseEndpoint` is what a device keeps and is compared by;
// `identityKey` is what a suppression is filed under. Pure. Easily got wrong: two devices are the
// same one when their `key` is equal, not their `endpoint`: an email keeps the case of its local
// part for sending and ignores it for comparing.

import { catalog } from '../../channels/catalog.ts';
import type { ChannelId, IdentityClass } from '../../channels/channel-ids.ts';
import type { EndpointPolicy, NormalForm } from '../../channels/endpoint.ts';

/** A device's address in normal form. */
interface NormalEndpoint extends NormalForm {
  /** What an opt-out of this address is filed under (`phone:+14155550123`); absent for push. */
  readonly identity?: string;
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
  const { normalise, ignoresCase, identity } = catalog[channel];
  const normal = normalise(raw, policy);
  if ('problem' in normal) return normal;
  const key = ignoresCase === true ? normal.key.toLowerCase() : normal.key;
  return { endpoint: normal.endpoint, key, ...(identity && { identity: `${identity}:${key}` }) };
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
