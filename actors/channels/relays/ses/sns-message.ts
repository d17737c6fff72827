// A call of Amazon SNS and its proof. Amazon signs for everybody's topics alike, so a signature
// proves nothing until the topic is the configured one. Source: SNS Developer Guide, "Verifying the
// signatures of Amazon SNS messages".

import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { hourMs, type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import { dropOldest } from '../../port/bounded-cache.ts';
import { type Json, jsonIn, textOf } from '../../port/json.ts';
import type { ReadRelayCall, RelayCall } from '../../port/relay-events.ts';
import { millisOfDate } from '../event-parts.ts';

/** SNS repeats a call for an hour at most; the rest is for clocks. */
const ageMsMax: Millis = 2 * hourMs;

const signedNames = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: confirmationNames(),
  UnsubscribeConfirmation: confirmationNames(),
} as const;

function confirmationNames() {
  return [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ] as const;
}

interface SnsMessage {
  readonly type: keyof typeof signedNames;
  readonly message: string;
  /** Of a confirmation: on the host of the topic's region. */
  readonly subscribeUrl: string | undefined;
}

/** The proven message of the topic, or what to answer. */
export async function provenSnsMessage(
  call: RelayCall,
  topicArn: string | undefined,
): Promise<SnsMessage | Exclude<ReadRelayCall, { state: 'read' }>> {
  const body = jsonIn(call.body);
  const type = textOf(body?.['Type']);
  if (body === undefined || !isType(type)) return { state: 'refused', reason: 'unreadable' };
  const region = topicArn?.split(':')[3] ?? '';
  if (topicArn === undefined || body['TopicArn'] !== topicArn) return notSigned;
  const certificateUrl = ofRegion(body['SigningCertURL'], region);
  if (certificateUrl === undefined || !/^\/[\w.-]{1,200}\.pem$/.test(certificateUrl.pathname))
    return notSigned;
  const key = await certificateKey(certificateUrl.href, call);
  if (key === 'unavailable') return { state: 'unavailable' };
  if (key === 'refused' || !isSigned(body, signedNames[type], key)) return notSigned;
  const atMs = millisOfDate(textOf(body['Timestamp']));
  if (atMs === undefined || Math.abs(call.nowMs - atMs) > ageMsMax)
    return { state: 'refused', reason: 'too_old' };
  const message = textOf(body['Message']);
  return { type, message, subscribeUrl: ofRegion(body['SubscribeURL'], region)?.href };
}

const notSigned = { state: 'refused', reason: 'signature' } as const;

function isType(type: string): type is keyof typeof signedNames {
  return Object.hasOwn(signedNames, type);
}

/** An address on SNS's own host of the region: nobody else can put a file there. */
function ofRegion(value: unknown, region: string): URL | undefined {
  const text = textOf(value);
  if (text.length > 2_048 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = `sns.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain && url.host === host ? url : undefined;
}

function isSigned(body: Json, names: readonly string[], key: KeyObject): boolean {
  const hash = { '1': 'sha1', '2': 'sha256' }[textOf(body['SignatureVersion'])];
  if (hash === undefined) return false;
  let text = '';
  for (const name of names) {
    const value = body[name];
    if (typeof value === 'string') text += `${name}\n${value}\n`;
    // A notification without a subject signs none; all else must be there.
    else if (name !== 'Subject' || (value !== undefined && value !== null)) return false;
  }
  const signature = Buffer.from(textOf(body['Signature']), 'base64');
  return verify(hash, Buffer.from(text), key, signature);
}

interface KnownCertificate {
  readonly certificate: X509Certificate;
  readonly fromMs: Millis;
  readonly untilMs: Millis;
}

/** SNS changes its certificates about once a year; each has an address of its own. */
const known = new Map<string, KnownCertificate>();
const knownMax = 64;
/** Fetches in flight, so that a burst of events asks once. */
const fetching = new Map<string, Promise<string | undefined>>();
/** Strangers can name files that there are not: no more fetches a minute than this. */
const fetchesMax = 30;
let fetches = { sinceMs: 0, count: 0 };

async function certificateKey(
  url: string,
  { nowMs, fetchText }: RelayCall,
): Promise<KeyObject | 'refused' | 'unavailable'> {
  let found = known.get(url);
  if (found === undefined) {
    const pem = await fetchedOnce(url, nowMs, fetchText);
    if (pem === undefined) return 'unavailable';
    found = certificateIn(pem);
    if (found === undefined) return 'refused';
    dropOldest(known, knownMax);
    known.set(url, found);
  }
  return nowMs >= found.fromMs && nowMs < found.untilMs ? found.certificate.publicKey : 'refused';
}

async function fetchedOnce(
  url: string,
  nowMs: Millis,
  fetchText: RelayCall['fetchText'],
): Promise<string | undefined> {
  const pending = fetching.get(url);
  if (pending !== undefined) return pending;
  if (Math.abs(nowMs - fetches.sinceMs) >= minuteMs) fetches = { sinceMs: nowMs, count: 0 };
  if (++fetches.count > fetchesMax) return undefined;
  const started = fetchText(url).finally(() => fetching.delete(url));
  fetching.set(url, started);
  return started;
}

/** An RSA certificate of SNS; `undefined` for anything else. */
function certificateIn(pem: string): KnownCertificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    const isRsa = certificate.publicKey.asymmetricKeyType === 'rsa';
    if (!isRsa || !namePattern.test(certificate.subject)) return undefined;
    const [fromMs, untilMs] = [certificate.validFrom, certificate.validTo].map((text) =>
      Date.parse(text),
    );
    if (fromMs === undefined || untilMs === undefined) return undefined;
    return { certificate, fromMs, untilMs };
  } catch {
    return undefined; // a page of a proxy, say
  }
}

/** `sns.amazonaws.com`, or with the region where it has certificates of its own. */
const namePattern = /^CN=sns(?:[.-][a-z\d.-]{1,60})?\.amazonaws\.com(?:\.cn)?$/m;
