// A call of Amazon SNS and its proof. Amazon signs for everybody's topics alike, so a signature
// proves nothing until the topic is the configured one. Source: SNS Developer Guide, "Verifying the
// signatures of Amazon SNS messages".

import { type KeyObject, verify } from 'node:crypto';
import { hourMs, type Millis } from '../../../../engine/base/brand.ts';
import { type Json, jsonIn, textOf } from '../../port/json.ts';
import type { ReadRelayCall, RelayCall } from '../../port/relay-events.ts';
import { millisOfDate } from '../event-parts.ts';
import { certificateKey } from './sns-certificate.ts';

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
  const key = await certificateKey(certificateUrl.href, topicArn, call);
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
