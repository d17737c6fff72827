// A spooled endpoint as a JSON list. One run writes and reads it, so it has no version.

import type { Endpoint } from './endpoint-line.ts';

/** For the second pass. */
export type SpooledEndpoint = Omit<Endpoint, 'wasVoice'> & { readonly line: number };

type Packed = readonly [
  line: number,
  user: string | 0,
  channel: Endpoint['channel'],
  address: string | 0,
  flags: number,
  atMs: number,
  timezone: string | 0,
  language: string | 0,
  attributes: Endpoint['attributes'],
  userAttributes: Endpoint['userAttributes'],
];

const production = 1;
const sandbox = 2;
const active = 4;
const optedOut = 8;
const voip = 16;
const missing = 32;
const invalid = 64;

/** Text without a line end. */
export function packEndpoint(line: number, endpoint: Endpoint): string {
  const { environment, lacks } = endpoint;
  const flags =
    (environment === 'production' ? production : environment === 'sandbox' ? sandbox : 0) |
    (endpoint.isActive ? active : 0) |
    (endpoint.isOptedOut ? optedOut : 0) |
    (endpoint.isVoip ? voip : 0) |
    (lacks === 'address_missing' ? missing : lacks === 'address_invalid' ? invalid : 0);
  const packed: Packed = [
    line,
    endpoint.user ?? 0,
    endpoint.channel,
    endpoint.address ?? 0,
    flags,
    endpoint.atMs,
    endpoint.timezone ?? 0,
    endpoint.language ?? 0,
    endpoint.attributes,
    endpoint.userAttributes,
  ];
  return JSON.stringify(packed);
}

export function unpackEndpoint(text: string): SpooledEndpoint {
  const [
    line,
    user,
    channel,
    address,
    flags,
    atMs,
    timezone,
    language,
    attributes,
    userAttributes,
  ] = JSON.parse(text) as Packed;
  return {
    line,
    channel,
    atMs,
    attributes,
    userAttributes,
    isActive: (flags & active) !== 0,
    isOptedOut: (flags & optedOut) !== 0,
    isVoip: (flags & voip) !== 0,
    ...(address === 0 ? {} : { address }),
    ...((flags & missing) !== 0 ? { lacks: 'address_missing' } : {}),
    ...((flags & invalid) !== 0 ? { lacks: 'address_invalid' } : {}),
    ...(user === 0 ? {} : { user }),
    ...(timezone === 0 ? {} : { timezone }),
    ...(language === 0 ? {} : { language }),
    ...((flags & production) !== 0 ? { environment: 'production' } : {}),
    ...((flags & sandbox) !== 0 ? { environment: 'sandbox' } : {}),
  };
}
