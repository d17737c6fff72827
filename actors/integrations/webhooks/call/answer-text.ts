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

/** What must not be kept, in the order in which it is replaced. */
function formsIn({ url, headers, secrets }: WebhookReceiver): readonly string[] {
  const values = [url, afterOrigin(url), ...Object.values(headers), ...secrets];
  return values.flatMap((value) =>
    [...formsOf(value)].filter(({ length }) => length >= hiddenCharsMin),
  );
}

/** Path and query: an echo rarely repeats the scheme and the host. */
function afterOrigin(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? '' : url.slice(slash);
}

/** The value, and the value as JSON writes it and as HTML does. */
function formsOf(value: string): ReadonlySet<string> {
  const inJson = JSON.stringify(value).slice(1, -1);
  return new Set([value, inJson, inJson.replaceAll('/', '\\/'), value.replaceAll('&', '&amp;')]);
}

/** At most 512 bytes of UTF-8, without half a character at the end. */
function firstBytes(text: string): string {
  const bytes = Buffer.from(text.slice(0, keptBytesMax), 'utf8');
  if (bytes.length <= keptBytesMax) return bytes.toString('utf8');
  let end = keptBytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString('utf8');
}
