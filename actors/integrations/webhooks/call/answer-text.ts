// What is kept of a receiver's answer: its first 512 bytes, without the address, the headers and
// the secrets of the call. Some receivers send back what they got, and the ledger must not hold it.
// Pure.

import type { WebhookReceiver } from './attempt.ts';

const keptBytesMax = 512;
const hidden = '[hidden]';
/** A shorter value would be found in the middle of ordinary words. */
const hiddenCharsMin = 6;

const hiddenOf = new WeakMap<WebhookReceiver, readonly string[]>();

export function answerText(body: string, receiver: WebhookReceiver): string {
  if (body === '') return '';
  let hiddenForms = hiddenOf.get(receiver);
  if (hiddenForms === undefined) {
    hiddenForms = formsIn(receiver);
    hiddenOf.set(receiver, hiddenForms);
  }
  let text = body;
  for (const form of hiddenForms) if (text.includes(form)) text = text.replaceAll(form, hidden);
  return firstBytes(text);
}

/** What must not be kept, the longest first: one may be a part of another. */
function formsIn({ url, headers, secrets }: WebhookReceiver): readonly string[] {
  const values = [...formsOfUrl(url), ...Object.values(headers), ...secrets];
  const forms = new Set(values.flatMap(formsOf));
  return [...forms]
    .filter(({ length }) => length >= hiddenCharsMin)
    .sort((one, other) => other.length - one.length);
}

/** As it was saved and as it is called, which writes some characters in another way. */
function formsOfUrl(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url];
  const { href, pathname, search } = new URL(url);
  return [url, afterOrigin(url), href, pathname + search, pathname];
}

/** Path and query: an echo rarely repeats the scheme and the host. */
function afterOrigin(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? '' : url.slice(slash);
}

/** The value, and the value as JSON, HTML and a query write it. */
function formsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  // Half a character, which no query can have, is replaced.
  const inQuery = encodeURIComponent(Buffer.from(value).toString());
  return [
    value,
    inJson,
    inJson.replaceAll('/', '\\/'),
    value.replaceAll('&', '&amp;'),
    inQuery,
    inQuery.replace(/%../g, (hex) => hex.toLowerCase()),
  ];
}

/** At most 512 bytes of UTF-8, without half a character at the end. */
function firstBytes(text: string): string {
  const bytes = Buffer.from(text.slice(0, keptBytesMax), 'utf8');
  if (bytes.length <= keptBytesMax) return bytes.toString('utf8');
  let end = keptBytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString('utf8');
}
