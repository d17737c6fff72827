// What a live stream can be about.

import { nameCharsMax } from '../../actors/events/names.ts';
import { FaultError, fieldFault } from '../../engine/base/fault.ts';
import { parseId } from '../../engine/base/id.ts';

export type Topic =
  | { readonly text: string; readonly kind: 'campaigns' | 'limits' | 'activity' }
  | { readonly text: string; readonly kind: 'campaign' | 'journey'; readonly id: string }
  | { readonly text: string; readonly kind: 'events'; readonly name?: string };

/** Of one stream. */
const topicsMax = 8;

const forms = 'campaigns, campaign:<id>, journey:<id>, activity, events, events:<name> or limits';

/** From a comma-separated list, each once. Throws for a word that is none. */
export function parseTopics(text: string): readonly Topic[] {
  const words = new Set(text.split(',').map((word) => word.trim()));
  words.delete('');
  if (words.size === 0) throw wrong(`expected at least one of ${forms}`);
  if (words.size > topicsMax) throw wrong(`expected at most ${topicsMax} topics`);
  return [...words].map(topicOf);
}

function topicOf(text: string): Topic {
  const colon = text.indexOf(':');
  const kind = colon < 0 ? text : text.slice(0, colon);
  const rest = colon < 0 ? undefined : text.slice(colon + 1);
  if (rest === undefined) {
    if (kind === 'campaigns' || kind === 'limits' || kind === 'activity' || kind === 'events')
      return { text, kind };
  } else if (kind === 'events' && rest !== '' && rest.length <= nameCharsMax)
    return { text, kind, name: rest };
  else if (kind === 'campaign' && parseId('cmp', rest)) return { text, kind, id: rest };
  else if (kind === 'journey' && parseId('jrn', rest)) return { text, kind, id: rest };
  throw wrong(`unknown topic ${JSON.stringify(text.slice(0, 100))}; expected ${forms}`);
}

function wrong(problem: string): FaultError {
  return new FaultError(fieldFault('topics', problem));
}
