// Topics of an import: which topic here a subscription group, list or topic of the service becomes.

import { readFileSync } from 'node:fs';
import { snake } from '../../files/tag-name.ts';
import { textHash } from './text-hash.ts';

/** `--topics`: make what is missing, leave all out, or the topics of a file. */
export type TopicMode =
  | { readonly kind: 'create' }
  | { readonly kind: 'ignore' }
  | { readonly kind: 'map'; readonly keys: ReadonlyMap<string, string | null> };

/** `{"<name in the export>": "<key of a topic>", "<another>": null}`; `null` leaves it out. */
export function readTopicMap(path: string): TopicMode {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`--topics: ${path} is not a JSON file that can be read: ${reason}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`--topics: ${path} must hold an object of names and keys of topics.`);
  for (const [name, key] of Object.entries(value))
    if (key !== null && typeof key !== 'string')
      throw new Error(`--topics: ${path}: "${name}" must be the key of a topic, or null.`);
  return { kind: 'map', keys: new Map(Object.entries(value as Record<string, string | null>)) };
}

/** The key of each name. Throws one sentence if a map lacks some. */
export function topicKeys(names: Iterable<string>, mode: TopicMode): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  if (mode.kind === 'ignore') return keys;
  const missing: string[] = [];
  const taken = new Set<string>();
  for (const name of [...names].sort()) {
    const key = mode.kind === 'map' ? mode.keys.get(name) : freeKey(name, taken);
    if (key === undefined || key === '') missing.push(name);
    else if (key !== null) keys.set(name, key);
  }
  if (missing.length > 0)
    throw new Error(
      `--topics: these topics of the export have no key: ${missing.slice(0, 20).join(', ')}. Add each to the file, with null to omit it. Nothing was imported.`,
    );
  return keys;
}

const keyCharsMax = 56;

/** Letters and digits of the name without accents. Two lists never become one topic. */
function freeKey(name: string, taken: Set<string>): string {
  const plain = snake(name)
    .normalize('NFD')
    .replace(/đ/g, 'd')
    .replace(/[^a-z0-9_]/g, '')
    .slice(0, keyCharsMax);
  const wanted = plain === '' ? `topic_${textHash(name).low.toString(36)}` : plain;
  let key = wanted;
  for (let nth = 2; taken.has(key); nth++) key = `${wanted}_${nth}`;
  taken.add(key);
  return key;
}
