// A browser's subscription object: schema, normal form, and accepted addresses. Add a new browser's
// push service here.

import { ECDH } from 'node:crypto';
import { z } from 'zod';
import type { Checked } from '../addresses/address.ts';
import {
  checkedText,
  type EndpointPolicy,
  type NormalForm,
  type WebPushSubscription,
} from '../addresses/endpoint.ts';

/** The form of `PushSubscription.toJSON()`. */
export const webPushSubscription: z.ZodType<WebPushSubscription> = z.object({
  endpoint: checkedText(pushServiceUrl, 2048),
  expirationTime: z.number().nullish(),
  keys: z.object({
    p256dh: checkedText(p256PublicKey, 256),
    auth: checkedText(pushAuthSecret, 256),
  }),
});

export function normalSubscription(
  raw: unknown,
  { allowHttp = false }: EndpointPolicy,
): NormalForm | { readonly problem: string } {
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
  if (!allowHttp && !isPushServiceUrl(url)) {
    return { problem: 'endpoint must be the https address of a push service that browsers use' };
  }
  const { p256dh, auth } = parsed.data.keys;
  return {
    endpoint: { endpoint: url.href, keys: { p256dh: plain(p256dh), auth: plain(auth) } },
    key: url.href,
  };
}

/**
 * The push services of Chrome and its kin, of Chromium built without Google's keys (jmt17), of
 * Firefox, Safari, and older versions of Edge.
 */
const pushServiceHosts =
  /^(fcm\.googleapis\.com|jmt\d{1,3}\.google\.com|([a-z0-9-]+\.)*push\.services\.mozilla\.com|([a-z0-9-]+\.)*push\.apple\.com|([a-z0-9-]+\.)*notify\.windows\.com)$/;

/** Whether a host, lower-case as in `URL`, is a push service: by name, without DNS. */
export function isPushServiceHost(host: string): boolean {
  return pushServiceHosts.test(host);
}

/** Whether the network guard (`outbound/network-guard.ts`) allows a push service here. */
function isPushServiceUrl({ protocol, port, hostname }: URL): boolean {
  return protocol === 'https:' && /^(443|8443)?$/.test(port) && isPushServiceHost(hostname);
}

/** Base64url without padding, from either base64 alphabet. */
function plain(base64: string): string {
  return Buffer.from(base64, 'base64url').toString('base64url');
}

/**
 * A push service's address as a WHATWG URL, without user, password or fragment. Accepts `http` for
 * stand-ins; the outbound client decides about `http` and private addresses.
 */
function pushServiceUrl(raw: string): Checked {
  const problem = 'must be the https address of a push service';
  if (raw.length > 2048 || !/^https?:\/\/[\x21-\x7e]+$/i.test(raw) || !URL.canParse(raw)) {
    return { problem };
  }
  const url = new URL(raw);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return { problem };
  return { value: url.href };
}

/** A browser's public key: an uncompressed P-256 point (65 bytes) in base64url, on the curve. */
function p256PublicKey(raw: string): Checked {
  const problem = 'must be an uncompressed P-256 public key in base64url (65 bytes)';
  const bytes = base64url(raw, 65);
  if (bytes?.[0] !== 4) return { problem };
  try {
    // the only check in node:crypto that the point is on the curve
    ECDH.convertKey(bytes, 'prime256v1');
  } catch {
    return { problem };
  }
  return { value: bytes.toString('base64url') };
}

/** A browser's authentication secret: 16 bytes in base64url. */
function pushAuthSecret(raw: string): Checked {
  const bytes = base64url(raw, 16);
  if (bytes === undefined) return { problem: 'must be 16 bytes in base64url' };
  return { value: bytes.toString('base64url') };
}

/** Exactly `length` bytes from base64url; accepts padding and plain base64's letters. */
function base64url(raw: string, length: number): Buffer | undefined {
  if (raw.length > 256 || !/^[A-Za-z0-9_+/-]+={0,2}$/.test(raw)) return undefined;
  const bytes = Buffer.from(raw, 'base64url');
  return bytes.length === length ? bytes : undefined;
}
