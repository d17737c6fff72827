// Which of an address's words count. There are two newest words: about all messages and about
// marketing alone. A START ends both; a word about marketing says nothing about the rest. So the
// outcome is the same in whatever order providers deliver them.

import type { Context } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { HeardWord, KeywordRow } from '../../../storage/tables/keyword.ts';
import { limits } from '../../limits.ts';
import type { OptOutReach } from '../../people/audience/opt-out.ts';

interface Heard {
  readonly row: KeywordRow;
  /** What the word changes; nothing if newer ones say otherwise. */
  readonly changes: readonly OptOutReach[];
}

/** The row with another word. `ids`: the provider's ids with its own. */
export function withWord(
  last: KeywordRow | undefined,
  word: HeardWord,
  about: OptOutReach,
  ids: Partial<KeywordRow>,
  wallMs: Millis,
): Heard {
  const kept: KeywordRow = { seen: [], ...last, ...ids };
  const newest = newestOf(last);
  const isNews = (than: HeardWord | undefined) =>
    than === undefined || !isOlder(word, than, wallMs);
  if (about === 'all') {
    if (!isNews(newest)) return { row: kept, changes: [] };
    const { word: _word, atMs: _at, number: _number, ...rest } = kept;
    const endsMarketing = word.word === 'start' && isNews(kept.marketing);
    return { row: { ...rest, ...word }, changes: endsMarketing ? ['all', 'marketing'] : ['all'] };
  }
  const started = newest?.word === 'start' ? newest : undefined;
  if (!isNews(kept.marketing) || !isNews(started)) return { row: kept, changes: [] };
  return { row: { ...kept, marketing: word }, changes: ['marketing'] };
}

/** When the newest of all words was written. */
export function newestMs(row: KeywordRow | undefined): Millis {
  return Math.max(row?.atMs ?? 0, row?.marketing?.atMs ?? 0);
}

/** Whether a preference set it: earlier builds took one for a STOP of everything. */
export function isByPreference(row: KeywordRow | undefined): boolean {
  return row?.marketing === undefined && row?.seen.at(-1)?.startsWith('preference stop') === true;
}

/** The ids of the last 90 days with another; `undefined` if there are too many to keep it. */
export function withId(
  last: KeywordRow | undefined,
  id: string,
  { nowMs, ages }: Pick<Context, 'nowMs' | 'ages'>,
): Required<Pick<KeywordRow, 'seen' | 'seenMs'>> | undefined {
  const { seen = [], seenMs = [], atMs = 0 } = last ?? {};
  const timeOf = (place: number) => seenMs[place] ?? atMs;
  const keptFromMs = ages.cutMs(nowMs, limits.keywordIdsKeptMs);
  const kept = [...seen.keys()].filter((place) => timeOf(place) > keptFromMs);
  if (kept.length >= limits.keywordIdsMax) return undefined;
  return {
    seen: [...kept.map((place) => seen[place] as string), id],
    seenMs: [...kept.map(timeOf), nowMs],
  };
}

function newestOf(row: KeywordRow | undefined): HeardWord | undefined {
  if (row?.word === undefined || row.atMs === undefined) return undefined;
  const { word, atMs, number } = row;
  return { word, atMs, ...(number === undefined ? {} : { number }) };
}

/**
 * At the same instant the provider's numbers decide, and without them STOP wins over START. A STOP
 * also wins over a word from beyond the wall clock: a wrong clock stamped that one, and a
 * provider's own time may be years before it.
 */
function isOlder({ word, atMs, number }: HeardWord, last: HeardWord, wallMs: Millis): boolean {
  if (word === 'stop' && last.atMs > wallMs) return false;
  if (atMs !== last.atMs) return atMs < last.atMs;
  if (number !== undefined && last.number !== undefined) return number < last.number;
  return last.word === 'stop' && word === 'start';
}
