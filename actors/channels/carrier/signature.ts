// Verifies that a callback comes from the carrier: its signature under the tenant's auth token
// covers the URL and the form, or a URL with the hash of a JSON body. Pure. The URL is the one that
// the carrier was given: it is built from the public URL and the request's path and query, never
// from its Host header.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'node:querystring';

export interface CarrierCall {
  /** The whole URL that the carrier was given, with its query as received. */
  readonly url: string;
  /** The raw body; empty for a GET. */
  readonly body: Uint8Array;
  /** `X-Carrier-Signature` or `X-Twilio-Signature`, as received. */
  readonly signature: string | undefined;
}

/**
 * Whether the call was signed with this token. The carrier is not consistent about default ports
 * and the form of the query, so all forms that its own validator accepts are accepted.
 */
export function isSignedByCarrier(call: CarrierCall, authToken: string): boolean {
  const { url, body, signature } = call;
  if (signature === undefined || authToken === '') return false;
  const hash = bodyHashOf(url);
  if (hash !== undefined && !isSame(createHash('sha256').update(body).digest('hex'), hash))
    return false;
  // Computed once for all forms of the URL: anyone may send a form of many members.
  const form = hash === undefined ? signedForm(formOf(body)) : '';
  return formsOf(url).some((one) => isSame(signatureOver(authToken, one + form), signature));
}

/**
 * The signed text of a form: every name and value, sorted by name. A name that appears more than
 * once counts each of its different values once, in order.
 */
function signedForm(form: Iterable<readonly [name: string, value: string]>): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of form) {
    const known = values.get(name);
    if (known === undefined) values.set(name, new Set([value]));
    else known.add(value);
  }
  let text = '';
  for (const name of [...values.keys()].sort()) {
    for (const value of [...(values.get(name) ?? [])].sort()) text += name + value;
  }
  return text;
}

function signatureOver(authToken: string, text: string): string {
  return createHmac('sha1', authToken).update(text).digest('base64');
}

function formOf(body: Uint8Array): Iterable<readonly [string, string]> {
  return new URLSearchParams(Buffer.from(body).toString('utf8'));
}

/** `bodySHA256` of the URL, which is there when the body is JSON. */
function bodyHashOf(url: string): string | undefined {
  const at = url.indexOf('?');
  if (at < 0) return undefined;
  return new URLSearchParams(url.slice(at + 1)).get('bodySHA256')?.toLowerCase();
}

/**
 * The URL as it is, without its port, and with one; each also with its query as older code of the
 * carrier writes it.
 */
function formsOf(url: string): readonly string[] {
  const parts = /^(https?):\/\/([^/?#]*?)(:\d+)?([/?#].*)?$/i.exec(url);
  if (parts === null) return [url];
  const [, scheme = '', host = '', , rest = ''] = parts;
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  const forms = [url, `${scheme}://${host}${rest}`, `${scheme}://${host}${port}${rest}`];
  return [...new Set(forms.flatMap((form) => [form, withOldQuery(form)]))];
}

function withOldQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : `${url.slice(0, at + 1)}${stringify(parse(url.slice(at + 1)))}`;
}

/** Compares in constant time. */
function isSame(wanted: string, given: string): boolean {
  const [a, b] = [Buffer.from(wanted), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
