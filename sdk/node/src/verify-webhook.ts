// Whether a webhook is from your server of Engage: its signature, and that it is from now.

import { bytesOfBase64, bytesOfHex, hmacSha256, isSame } from './hmac.ts';
import type { WebhookEvent } from './methods.generated.ts';

/** Why a delivery is not taken. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: 'unsigned' | 'signature' | 'time' | 'body';

  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** As a platform gives them: of `fetch`, of `node:http`, or plain. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What may be other than usual. */
export interface WebhookChecks {
  /**
   * Takes a delivery that only `x-engage-signature` signs, as the legacy webhook has it. That one
   * does not cover the time: whoever recorded a delivery can send it again at any time.
   */
  readonly allowUntimed?: boolean;
  readonly nowMs?: number;
}

const toleranceSeconds = 300;
const encoder = new TextEncoder();

/**
 * The event of a delivery, or a `WebhookError`. `rawBody` is what arrived, before any parser: JSON
 * that was parsed and printed has other bytes. Standard Webhooks is checked where its headers are
 * there, then `x-engage-signature-v2`; both must be from the last or next five minutes.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string,
  { allowUntimed = false, nowMs = Date.now() }: WebhookChecks = {},
): Promise<WebhookEvent> {
  if (secret === '') throw new TypeError('secret: expected the secret of the webhook');
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody;
  const header = (name: string) => headerOf(headers, name);
  const standard = header('webhook-signature');
  const timed = header('x-engage-signature-v2');
  const untimed = header('x-engage-signature');
  if (standard !== undefined) {
    const time = checkedTime(header('webhook-timestamp'), nowMs);
    const start = encoder.encode(`${header('webhook-id') ?? ''}.${time}.`);
    await checkStandard(standard, secret, joinedBytes(start, body));
  } else if (timed !== undefined) {
    const time = checkedTime(header('x-engage-timestamp'), nowMs);
    await checkHex(timed, secret, joinedBytes(encoder.encode(`${time}.`), body));
  } else if (untimed !== undefined && allowUntimed) {
    await checkHex(untimed, secret, body);
  } else if (untimed !== undefined) {
    throw new WebhookError(
      'unsigned',
      'only x-engage-signature is there, which covers no time: allowUntimed takes it',
    );
  } else throw new WebhookError('unsigned', 'there is no signature');
  return eventIn(body);
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function')
    return (headers as Headers).get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : value?.[0];
  return undefined;
}

function checkedTime(timestamp: string | undefined, nowMs: number): string {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('time', 'expected a timestamp in seconds');
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('time', 'the delivery is not from the last five minutes');
  return timestamp;
}

/** There are two signatures while a secret is replaced. */
async function checkStandard(signatures: string, secret: string, signed: Uint8Array) {
  const expected = await hmacSha256(standardKey(secret), signed);
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    const given = version === 'v1' ? bytesOfBase64(text) : undefined;
    if (given !== undefined && isSame(given, expected)) return;
  }
  throw wrongSignature();
}

async function checkHex(signature: string, secret: string, signed: Uint8Array) {
  const given = bytesOfHex(signature);
  if (given !== undefined && isSame(given, await hmacSha256(encoder.encode(secret), signed)))
    return;
  throw wrongSignature();
}

function wrongSignature(): WebhookError {
  return new WebhookError('signature', 'the signature is not of this secret and this body');
}

/** The bytes that follow `whsec_`, or the characters of a secret of one's own. */
function standardKey(secret: string): Uint8Array {
  if (!secret.startsWith('whsec_')) return encoder.encode(secret);
  const key = bytesOfBase64(secret.slice('whsec_'.length));
  if (key === undefined) throw new TypeError('secret: expected base64 after whsec_');
  return key;
}

function joinedBytes(start: Uint8Array, body: Uint8Array): Uint8Array {
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
}

function eventIn(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookError('body', 'the body is no JSON');
  }
}
