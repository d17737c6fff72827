// The people of the audience benches and their events, the same on every machine. Each has about
// eight of nine tags, an email address, an FCM token and ten events over 88 days. Server,
// PostgreSQL and oracle each generate them, so answers compare exactly.

import { createHash } from 'node:crypto';
import { dayMs, type Millis } from '../../engine/base/brand.ts';

/** Event names and how often an average person does each in 88 days. The last: 1 person in 25. */
const eventNames: readonly (readonly [name: string, mean: number])[] = [
  ['product_viewed', 3],
  ['login', 2.4],
  ['search', 1.2],
  ['cart_updated', 1],
  ['video_played', 0.8],
  ['article_read', 0.6],
  ['order_placed', 0.5],
  ['checkout_started', 0.4],
  ['share', 0.2],
  ['rated', 0.04],
];

/** Days of history: two fewer than retention, so that a directory stays valid for a while. */
const historyDays = 88;
/** Percent of people who also logged in just when the directory was built. */
const recentShare = 30;

const plans = ['free', 'starter', 'pro', 'business', 'enterprise'];
const languages = ['en', 'id', 'th', 'vi', 'ms', 'zh', 'ja', 'ko', 'tl', 'hi'];
const sources = ['web', 'ios', 'android', 'store', 'import', 'partner', 'referral', 'event'];
const zones = ['Asia/Bangkok', 'Asia/Singapore', 'Asia/Jakarta', 'Asia/Tokyo'];
const countries = 30;
const cities = 2_000;
const firstNames = 400;

/** A person in the form of `POST /v1/import/subscribers`. */
interface BenchPerson {
  readonly externalUserId: string;
  readonly tags: Readonly<Record<string, string | number | boolean>>;
  readonly timezone: string;
  readonly devices: readonly [email: BenchDevice, fcm: BenchDevice];
}

interface BenchDevice {
  readonly channel: 'email' | 'fcm';
  readonly endpoint: string;
  /** Five percent of addresses and ten percent of phones are disabled: they reach nobody. */
  readonly enabled: boolean;
}

/** A name, and how long before (negative: after) the directory's instant. */
type BenchEvent = readonly [name: string, backMs: Millis];

export function personAt(i: number): BenchPerson {
  const next = numbers(i, 1);
  const tags: Record<string, string | number | boolean> = {};
  // the first are the most common
  const pick = (count: number) => Math.floor(next() ** 1.5 * count);
  tags['plan'] = plans[pick(plans.length)] as string;
  tags['country'] = `C${pick(countries)}`;
  if (next() < 0.9) tags['city'] = `city-${pick(cities)}`;
  if (next() < 0.9) tags['language'] = languages[pick(languages.length)] as string;
  if (next() < 0.5) tags['vip'] = next() < 0.2;
  if (next() < 0.8) tags['score'] = Math.floor(next() * 1000);
  tags['first_name'] = `Name ${pick(firstNames)}`;
  if (next() < 0.9) tags['source'] = sources[pick(sources.length)] as string;
  if (next() < 0.9) tags['tier'] = 1 + pick(5);
  return {
    externalUserId: `user-${i}`,
    tags,
    timezone: zones[pick(zones.length)] as string,
    devices: [
      { channel: 'email', endpoint: `user-${i}@example.com`, enabled: next() < 0.95 },
      { channel: 'fcm', endpoint: tokenOf(i), enabled: next() < 0.9 },
    ],
  };
}

/** Unordered. Three people in ten do almost nothing, three in ten over twice the mean. */
export function benchEventsOf(i: number): readonly BenchEvent[] {
  const next = numbers(i, 2);
  const events: BenchEvent[] = [];
  const kind = next();
  const keenness = kind < 0.3 ? 0.05 : kind < 0.7 ? 0.7 : 2.3;
  for (const [name, mean] of eventNames) {
    for (let count = Math.floor(mean * keenness + next()); count > 0; count--)
      events.push([name, Math.floor(next() * historyDays * dayMs)]);
  }
  if (next() * 100 < recentShare) events.push(['login', -1 - Math.floor(next() * 20_000)]);
  return events;
}

/** As long and as hard to compress as a real token. */
function tokenOf(i: number): string {
  const one = createHash('sha512').update(`token ${i}`).digest('base64url');
  const other = createHash('sha512').update(`token ${i}, second half`).digest('base64url');
  return `${one.slice(0, 22)}:APA91b${other}${one.slice(22, 76)}`;
}

/** Uniform numbers in [0, 1) per person and purpose (mulberry32, well mixed at the start). */
function numbers(i: number, purpose: number): () => number {
  let state = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(purpose, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
