// The texts of one callback that may be opt-outs. A person decides about each; until then it
// changes nothing. A keyword that is newer says it better.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { newId } from '../../../engine/base/id.ts';
import { type KeywordRow, keywords } from '../../../storage/tables/keyword.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { Inbound } from '../../channels/port/callback-item.ts';
import { limits } from '../../limits.ts';
import {
  doubtsOf,
  doubtsSettled,
  doubtsTimer,
  endsWith,
  identitiesOf,
} from '../../people/audience/doubtful-opt-outs.ts';
import { peopleAt } from '../../people/audience/endpoint-owner.ts';
import type { DoubtfulText } from '../../people/audience/protocol.ts';
import { readableRow } from '../../readable-row.ts';
import { newestMs } from './heard-words.ts';
import type { CallbacksView } from './memory.ts';

export class HeardDoubts {
  readonly #app: Pick<CallbacksView, 'doubts'>;
  readonly #context: Context;
  /** By identity; `null` for one that ended. */
  readonly #staged = new Map<string, DoubtfulText | null>();

  constructor(app: Pick<CallbacksView, 'doubts'>, context: Context) {
    this.#app = app;
    this.#context = context;
  }

  /** Takes the place of an earlier one. */
  keep(identityKey: string, text: Pick<DoubtfulText, 'channel' | 'words' | 'about'>): void {
    const { owner, nowMs: atMs, rng } = this.#context;
    const id = newId('dbt', owner, atMs, rng);
    const people = peopleAt(identityKey, this.#context);
    this.#staged.delete(identityKey);
    const words = shortened(text.words);
    this.#staged.set(identityKey, { ...text, id, identityKey, words, people, atMs });
  }

  end(identityKey: string): void {
    this.#staged.delete(identityKey);
    if (this.#app.doubts.at(identityKey) !== undefined) this.#staged.set(identityKey, null);
  }

  entries(): Entry[] {
    if (this.#staged.size === 0) return [];
    const { owner, nowMs } = this.#context;
    const { doubts } = this.#app;
    const kept = [...this.#staged.values()].filter((one) => one !== null);
    const untouched = [...doubts.values()].filter((one) => !this.#staged.has(one.identityKey));
    const surplus = Math.max(0, untouched.length + kept.length - limits.doubtfulMax);
    const ended = [...this.#staged].flatMap(([key, one]) =>
      one === null ? (doubts.at(key) ?? []) : [],
    );
    const gone = [...ended, ...untouched.slice(0, surplus)];
    const settled = gone.length === 0 ? [] : [doubtsSettled(owner, gone, 'superseded')];
    const doubted = kept.map((doubt) => ({ kind: 'opt_out.doubted', owner, doubt }));
    const isNew = kept.length > 0 && !doubts.isAwaited;
    const timers = isNew ? [doubtsTimer(owner, nowMs + limits.doubtfulKeptMs)] : [];
    return [...settled, ...doubted, ...timers];
  }
}

/**
 * The row of its address with a text that may be an opt-out. `undefined`: words of the person that
 * are newer have been heard. Without a time of its own it counts as the newest.
 */
export function withDoubt(
  last: KeywordRow | undefined,
  { id }: Pick<Inbound, 'id'>,
  writtenMs: Millis | undefined,
  { nowMs, wallMs }: Pick<Context, 'nowMs' | 'wallMs'>,
): KeywordRow | undefined {
  const known = last?.doubted;
  const newest = Math.max(newestMs(last), known?.atMs ?? 0);
  // What lies beyond the wall clock was stamped by a wrong one.
  const isOld = writtenMs !== undefined && writtenMs < newest && newest <= wallMs;
  if (isOld) return undefined;
  const ids = [...(known?.ids ?? []), id].slice(-limits.doubtfulIdsMax);
  return { seen: [], ...last, doubted: { ids, atMs: Math.min(nowMs, writtenMs ?? nowMs) } };
}

/** Of a person who is going: what is kept of an address because of such texts alone. */
export function withoutDoubts(
  app: Pick<CallbacksView, 'doubts' | 'people'>,
  row: SubscriberRow,
  { documents }: Pick<Context, 'documents'>,
): readonly DocumentWrite[] {
  const concerned = doubtsOf(app, [row]);
  const keys = new Set([...identitiesOf(row), ...concerned.map((doubt) => doubt.identityKey)]);
  // The ids of a text that stays, without its words: it must not come again with them.
  for (const doubt of concerned) if (!endsWith(app, doubt, [row])) keys.delete(doubt.identityKey);
  return [...keys].flatMap((key) => {
    const known = readableRow(documents, keywords, [key]);
    if (known?.doubted === undefined) return [];
    const { doubted: _, ...words } = known;
    const isEmpty = words.seen.length === 0 && newestMs(words) === 0;
    return [{ table: keywords, key: [key], value: isEmpty ? undefined : words }];
  });
}

/** Without halves of characters, as where it is cut. */
function shortened(text: string): string {
  return text.slice(0, limits.doubtfulCharsMax).replace(/\p{Surrogate}/gu, '');
}
