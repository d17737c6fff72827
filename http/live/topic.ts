// What a live stream can be about.

import { nameCharsMax } from '../../actors/events/ingest/names.ts';
import { FaultError, fieldFault } from '../../engine/base/fault.ts';
import { type IdPrefix, parseId } from '../../engine/base/id.ts';

const plainKinds = [
  'campaigns',
  'limits',
  'activity',
  'webhook-deliveries',
  'live-activities',
  'integrations',
  'channels',
  'newest-event',
] as const;

/** Topics about one thing, by the prefix of its id. */
const prefixes = {
  campaign: 'cmp',
  journey: 'jrn',
  send: 'ntf',
  person: 'sub',
  'webhook-delivery': 'whd',
} as const satisfies Readonly<Record<string, IdPrefix>>;

type PlainKind = (typeof plainKinds)[number];
type KindOfOne = keyof typeof prefixes;

export type Topic =
  | { readonly text: string; readonly kind: PlainKind }
  | { readonly text: string; readonly kind: Exclude<KindOfOne, 'person'>; readonly id: string }
  | { readonly text: string; readonly kind: 'person'; readonly id: string }
  | { readonly text: string; readonly kind: 'events'; readonly name?: string };

/** Of one stream. */
const topicsMax = 16;

const forms = [...plainKinds, ...Object.keys(prefixes).map((kind) => `${kind}:<id>`), 'events'];
const expected = `${forms.join(', ')} or events:<name>`;

/** From a comma-separated list, each once. Throws for a word that is none. */
export function parseTopics(text: string): readonly Topic[] {
  const words = new Set(text.split(',').map((word) => word.trim()));
  words.delete('');
  if (words.size === 0) throw wrong(`expected at least one of ${expected}`);
  if (words.size > topicsMax) throw wrong(`expected at most ${topicsMax} topics`);
  return [...words].map(topicOf);
}

function topicOf(text: string): Topic {
  const colon = text.indexOf(':');
  const word = colon < 0 ? text : text.slice(0, colon);
  const rest = colon < 0 ? undefined : text.slice(colon + 1).normalize();
  if (rest === undefined) {
    const kind = plainKinds.find((one) => one === word);
    if (kind !== undefined) return { text, kind };
    if (word === 'events') return { text, kind: word };
  } else if (word === 'events') {
    if (rest !== '' && rest.length <= nameCharsMax) return { text, kind: word, name: rest };
  } else if (isKindOfOne(word) && parseId(prefixes[word], rest))
    return { text, kind: word, id: rest };
  throw wrong(`unknown topic ${JSON.stringify(text.slice(0, 100))}; expected ${expected}`);
}

function isKindOfOne(word: string): word is KindOfOne {
  return Object.hasOwn(prefixes, word);
}

function wrong(problem: string): FaultError {
  return new FaultError(fieldFault('topics', problem));
}
