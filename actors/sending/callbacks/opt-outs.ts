// STOP and START. The newest keyword of an address counts, whatever order they arrive in. STOP
// silences the person on all channels of the address's class; START lifts only what a keyword set,
// never an opt-out by the tenant, a link or a bounce.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { type KeywordRow, keywords } from '../../../storage/tables/keyword.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import type { Inbound } from '../../channels/callback-item.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { ownKeyword } from '../../channels/keywords.ts';
import { limits } from '../../limits.ts';
import { peopleAt } from '../../people/audience/endpoint-owner.ts';
import { identityKey, parseIdentityKey } from '../../people/audience/identity.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import { readableRow } from '../transactional/read-row.ts';
import type { CallbacksEntry } from './protocol.ts';
import type { ReportResult } from './reported-sends.ts';
import type { CallbacksView } from './view.ts';

/** The keywords of one callback; each address is read and written once. */
export class OptOuts {
  readonly #app: CallbacksView;
  readonly #context: Context;
  readonly #words = new Map<string, KeywordRow>();
  /** By identity; `null` for a lifted one. */
  readonly #suppressions = new Map<string, SuppressionRow | null>();
  readonly #keywords: CallbacksEntry[] = [];
  readonly #changes: AudienceEntry[] = [];

  constructor(app: CallbacksView, context: Context) {
    this.#app = app;
    this.#context = context;
  }

  /** `atMs`: when it was written, if the provider says so. */
  apply(
    channel: ChannelId,
    { id, from, keyword: known, said, reason = 'stop', number }: Inbound,
    atMs?: number,
  ): ReportResult {
    const key = identityKey(channel, from);
    const keyword = known ?? ownKeyword(this.#app.settings.keywords, said);
    if (key === undefined || keyword === undefined || keyword === 'help') return 'ignored';
    const { owner, nowMs, wallMs } = this.#context;
    const last = this.#words.get(key) ?? readableRow(this.#context.documents, keywords, [key]);
    if (last?.seen.includes(id)) return 'repeated';
    // Without a time of its own it counts as the newest.
    const writtenMs =
      atMs === undefined ? Math.max(nowMs, (last?.atMs ?? 0) + 1) : Math.min(nowMs, atMs);
    const ids = withId(last, id, this.#context);
    // The ids of older ones may be lost, so it may be an old one that comes again.
    if (ids === undefined && keyword === 'start') return 'ignored';
    const entry: CallbacksEntry = {
      kind: 'keyword.heard',
      owner,
      identityKey: key,
      word: keyword,
      atMs: writtenMs,
    };
    this.#keywords.push(entry);
    const order = number === undefined ? {} : { number };
    const newest = { word: keyword, atMs: writtenMs, ...order };
    if (last !== undefined && isOlder(newest, last, wallMs)) {
      this.#words.set(key, { ...last, ...ids });
      return 'taken';
    }
    const { number: _, ...held }: Partial<KeywordRow> = last ?? {};
    this.#words.set(key, { seen: [], ...held, ...newest, ...ids });
    if (keyword === 'stop') this.#stop(key, channel, reason);
    else this.#start(key);
    return 'taken';
  }

  documents(): readonly DocumentWrite[] {
    const words = [...this.#words].map(([key, value]) => ({ table: keywords, key: [key], value }));
    const rows = [...this.#suppressions].map(([key, row]) => ({
      table: suppressions,
      key: [key],
      value: row ?? undefined,
    }));
    return [...words, ...rows];
  }

  entries(): Entry[] {
    return [...this.#keywords, ...this.#changes];
  }

  #stop(key: string, channel: ChannelId, reason: string): void {
    const { owner, nowMs: atMs } = this.#context;
    const named = parseIdentityKey(key);
    const before = this.#suppression(key);
    // The newest keyword also gives the reason.
    if (before?.source === 'callback' && newestWords.has(before.reason ?? ''))
      this.#suppressions.set(key, { ...before, reason });
    if (named === undefined || before !== undefined) return;
    const row: SuppressionRow = { ...named, reason, source: 'callback', createdMs: atMs };
    this.#suppressions.set(key, row);
    const people = peopleAt(key, this.#context);
    this.#changes.push({
      kind: 'suppression.added',
      owner,
      identityKey: key,
      row,
      unsubscribed: { people, firstEvent: 0, atMs, channel, source: 'callback', reason },
    });
  }

  #start(key: string): void {
    if (this.#suppression(key)?.source !== 'callback') return;
    const { owner } = this.#context;
    this.#suppressions.set(key, null);
    this.#changes.push({ kind: 'suppression.removed', owner, identityKey: key });
  }

  #suppression(key: string): SuppressionRow | undefined {
    const staged = this.#suppressions.get(key);
    if (staged !== undefined) return staged ?? undefined;
    if (!this.#app.suppressions.has(key)) return undefined;
    return this.#context.documents.get(suppressions, [key]);
  }
}

/** The ids of the last 90 days with another; `undefined` if there are too many to keep it. */
function withId(
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

/** Reasons that come from the person, not from a send. */
const newestWords: ReadonlySet<string> = new Set(['stop', 'unfollowed']);

/**
 * At the same instant the provider's numbers decide, and without them STOP wins over START. A STOP
 * also wins over a word from beyond the wall clock: a wrong clock stamped that one, and a
 * provider's own time may be years before it.
 */
function isOlder(
  { word, atMs, number }: Pick<KeywordRow, 'word' | 'atMs' | 'number'>,
  last: KeywordRow,
  wallMs: Millis,
): boolean {
  if (word === 'stop' && last.atMs > wallMs) return false;
  if (atMs !== last.atMs) return atMs < last.atMs;
  if (number !== undefined && last.number !== undefined) return number < last.number;
  return last.word === 'stop' && word === 'start';
}
