// Verifies a carrier callback: the signature under the tenant's auth token covers the URL and the
// form, or a URL with the hash of a JSON body. Pure. The URL is built from the public URL, the path
// and the query, never from the Host header.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'node:querystring';

export interface CarrierCall {
  /** The whole URL that we gave the carrier, with the query as received. */
  readonly url: string;
  readonly body: Uint8Array;
  /** `X-Carrier-Signature` or `X-Twilio-Signature`, as received. */
  readonly signature: string | undefined;
}

/** Whether this token signed the call, in any URL form that the carrier's own validator accepts. */
export function isSignedByCarrier(call: CarrierCall, authToken: string): boolean {
  const { url, body, signature } = call;
  if (signature === undefined || authToken === '') return false;
  const hash = bodyHashOf(url);
  if (hash !== undefined && !isSame(createHash('sha256').update(body).digest('hex'), hash))
    return false;
  // Computed once for all forms of the URL: anyone may send a form with many fields.
  const form = hash === undefined ? signedForm(formOf(body)) : '';
  return formsOf(url).some((one) => isSame(signatureOver(authToken, one + form), signature));
}

/** Names and values, sorted by name. A repeated name counts each distinct value once, in order. */
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

/** The URL's `bodySHA256`, present if the body is JSON. */
function bodyHashOf(url: string): string | undefined {
  const at = url.indexOf('?');
  if (at < 0) return undefined;
  return new URLSearchParams(url.slice(at + 1)).get('bodySHA256')?.toLowerCase();
}

/** The URL as is, with and without a port; also with the query as older carrier code writes it. */
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

function isSame(wanted: string, given: string): boolean {
  const [a, b] = [Buffer.from(wanted), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
