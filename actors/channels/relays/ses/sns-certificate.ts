// The certificates with which Amazon SNS signs, fetched from its own host and kept. Source: SNS
// Developer Guide, "Verifying the signatures of Amazon SNS messages".

import { type KeyObject, X509Certificate } from 'node:crypto';
import { type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import { dropOldest } from '../../port/bounded-cache.ts';
import type { RelayCall } from '../../port/relay-events.ts';

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
/**
 * A stranger who knows a topic can name files that there are not: no more fetches a minute of a
 * topic than this, and nobody else's wait for them.
 */
const fetchesMax = 30;
const topicsMax = 1_024;
const fetches = new Map<string, { readonly sinceMs: Millis; count: number }>();

/** The key of a certificate. `refused`: it is none of SNS, or of another time. */
export async function certificateKey(
  url: string,
  topicArn: string,
  { nowMs, fetchText }: RelayCall,
): Promise<KeyObject | 'refused' | 'unavailable'> {
  let found = known.get(url);
  if (found === undefined) {
    const pem = await fetchedOnce(url, topicArn, nowMs, fetchText);
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
  topicArn: string,
  nowMs: Millis,
  fetchText: RelayCall['fetchText'],
): Promise<string | undefined> {
  const pending = fetching.get(url);
  if (pending !== undefined) return pending;
  if (!mayFetch(topicArn, nowMs)) return undefined;
  const started = fetchText(url).finally(() => fetching.delete(url));
  fetching.set(url, started);
  return started;
}

function mayFetch(topicArn: string, nowMs: Millis): boolean {
  const known = fetches.get(topicArn);
  if (known !== undefined && Math.abs(nowMs - known.sinceMs) < minuteMs)
    return ++known.count <= fetchesMax;
  if (known === undefined) dropOldest(fetches, topicsMax);
  fetches.set(topicArn, { sinceMs: nowMs, count: 1 });
  return true;
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
