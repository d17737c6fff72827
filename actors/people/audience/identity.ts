// The normal form of an address: `normalizeEndpoint` for devices, `identityKey` for suppressions.
// Devices are equal if their `key` is, not their `endpoint`: an email keeps the case of its local
// part for sending, and its key ignores it.

import type { EndpointPolicy, NormalForm } from '../../channels/addresses/endpoint.ts';
import { isOwnDomain, type OwnDomains } from '../../channels/addresses/endpoint.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId, IdentityClass } from '../../channels/channel-ids.ts';
import { domainOf } from '../../channels/email/address.ts';
import { isDisposableAddress } from '../../channels/email/address-flags.ts';
import type { AppSettings } from '../../tenants/accounts/records.ts';

/** A device's address in normal form. */
interface NormalEndpoint extends NormalForm {
  /** The key of its suppression (`phone:+14155550123`); absent for push. */
  readonly identity?: string;
}

/**
 * The normal form of an endpoint, or a problem that follows "endpoint: ". Trims spaces, refuses
 * control characters. Phone numbers become E.164, APNs tokens lower case, email domains lower-case
 * punycode. Idempotent.
 */
export function normalizeEndpoint(
  channel: ChannelId,
  raw: unknown,
  policy: EndpointPolicy = {},
): NormalEndpoint | { readonly problem: string } {
  const normal = normalForm(channel, raw, policy);
  const { identity } = catalog[channel];
  if ('problem' in normal || identity === undefined) return normal;
  return { ...normal, identity: `${identity}:${normal.key}` };
}

/** The same without its identity. */
export function normalForm(
  channel: ChannelId,
  raw: unknown,
  policy: EndpointPolicy = {},
): NormalForm | { readonly problem: string } {
  const { normalize, ignoresCase } = catalog[channel];
  const normal = normalize(raw, policy);
  if ('problem' in normal || ignoresCase !== true) return normal;
  return { endpoint: normal.endpoint, key: normal.key.toLowerCase() };
}

/** How an app reads what its tenant and its clients write. */
export function endpointPolicy(
  { defaultCountry }: Pick<AppSettings, 'defaultCountry'>,
  allowHttp = false,
): EndpointPolicy {
  return { allowHttp, ...(defaultCountry == null ? {} : { country: defaultCountry }) };
}

export interface NewAddressReads {
  readonly settings: Pick<AppSettings, 'defaultCountry' | 'refuseDisposableAddresses'>;
  readonly emailDomains: OwnDomains;
}

/** The same where people get addresses: with what the app does not want of new ones. */
export function newAddressPolicy(
  { settings, emailDomains: ownDomains }: NewAddressReads,
  allowHttp = false,
): EndpointPolicy {
  const policy = endpointPolicy(settings, allowHttp);
  if (settings.refuseDisposableAddresses !== true) return policy;
  return { ...policy, refusesDisposable: true, ownDomains };
}

/** Why the app does not take an address in normal form that nobody has yet. */
export function unwantedAddress(
  channel: ChannelId,
  endpoint: NormalForm['endpoint'],
  { refusesDisposable, ownDomains }: EndpointPolicy,
): string | undefined {
  if (refusesDisposable !== true || channel !== 'email' || typeof endpoint !== 'string')
    return undefined;
  if (!isDisposableAddress(endpoint)) return undefined;
  const domain = domainOf(endpoint);
  if (ownDomains !== undefined && isOwnDomain(ownDomains, domain)) return undefined;
  return `${domain} gives disposable addresses, which this app refuses (refuseDisposableAddresses)`;
}

/**
 * The key of an address's suppression, equal for a number on all five phone channels. `undefined`
 * for push channels and invalid addresses.
 */
export function identityKey(
  channel: ChannelId,
  address: string,
  policy: EndpointPolicy = {},
): string | undefined {
  if (catalog[channel].identity === undefined) return undefined;
  const normal = normalizeEndpoint(channel, address, policy);
  return 'problem' in normal ? undefined : normal.identity;
}

/** The same for an endpoint in normal form, as devices have it; fifty times faster for a number. */
export function storedIdentity(channel: ChannelId, endpoint: string): string | undefined {
  const { identity, ignoresCase } = catalog[channel];
  if (identity === undefined) return undefined;
  return `${identity}:${ignoresCase === true ? endpoint.toLowerCase() : endpoint}`;
}

/** Whether an address takes marketing. Transactional messages ask `suppressions` alone. */
export function takesMarketing(
  {
    suppressions,
    marketingOptOuts,
  }: Record<'suppressions' | 'marketingOptOuts', Pick<ReadonlySet<string>, 'has'>>,
  identity: string,
): boolean {
  return !suppressions.has(identity) && !marketingOptOuts.has(identity);
}

/** `undefined` for anything but an identity key. */
export function parseIdentityKey(
  key: string,
): { readonly identity: IdentityClass; readonly address: string } | undefined {
  const colon = key.indexOf(':');
  const identity = key.slice(0, colon);
  const known = Object.values(catalog).find((entry) => entry.identity === identity)?.identity;
  return known === undefined ? undefined : { identity: known, address: key.slice(colon + 1) };
}
