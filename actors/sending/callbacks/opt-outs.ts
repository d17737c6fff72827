// STOP and START. The newest keyword of an address counts, whatever order they arrive in. STOP
// silences the person on all channels of the address's class; START lifts only what a keyword set,
// never an opt-out by the tenant, a link or a bounce.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { type KeywordRow, keywords } from '../../../storage/tables/keyword.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Inbound } from '../../channels/port/callback-item.ts';
import { mayBeOptOut } from '../../channels/words/doubtful-words.ts';
import { ownKeyword } from '../../channels/words/keywords.ts';
import { peopleAt } from '../../people/audience/endpoint-owner.ts';
import { parseIdentityKey, takesMarketing } from '../../people/audience/identity.ts';
import {
  type OptOutReach,
  reachOfOptOut,
  withOptOut,
  withoutStop,
} from '../../people/audience/opt-out.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import { readableRow } from '../../readable-row.ts';
import type { AnsweredSends } from './answered-send.ts';
import { HeardDoubts, withDoubt } from './heard-doubts.ts';
import { isByPreference, newestMs, withId, withWord } from './heard-words.ts';
import { knownIdentity } from './known-address.ts';
import type { CallbacksView } from './memory.ts';
import type { CallbacksEntry } from './protocol.ts';
import type { ReportResult } from './reported-sends.ts';

/** The keywords of one callback; each address is read and written once. */
export class OptOuts {
  readonly #app: CallbacksView;
  readonly #context: Context;
  readonly #answered: Pick<AnsweredSends, 'of'>;
  readonly #words = new Map<string, KeywordRow>();
  /** By identity; `null` for a lifted one. */
  readonly #suppressions = new Map<string, SuppressionRow | null>();
  readonly #keywords: CallbacksEntry[] = [];
  readonly #changes: AudienceEntry[] = [];
  readonly #texts: HeardDoubts;

  constructor(app: CallbacksView, context: Context, answered: Pick<AnsweredSends, 'of'>) {
    this.#app = app;
    this.#context = context;
    this.#answered = answered;
    this.#texts = new HeardDoubts(app, context);
  }

  /** `atMs`: when it was written, if the provider says so. */
  apply(channel: ChannelId, inbound: Inbound, atMs?: number): ReportResult {
    const { id, from, keyword: known, said, number, about = 'all' } = inbound;
    const key = this.#keyOf(channel, from);
    const keyword = known ?? ownKeyword(this.#app.settings.keywords, said);
    if (key === undefined || keyword === 'help') return 'ignored';
    if (keyword === undefined) return this.#doubt(key, channel, inbound, atMs);
    const { owner, nowMs, wallMs } = this.#context;
    const last = this.#wordsOf(key);
    if (last?.seen.includes(id)) return 'repeated';
    // Without a time of its own it counts as the newest.
    const writtenMs =
      atMs === undefined ? Math.max(nowMs, newestMs(last) + 1) : Math.min(nowMs, atMs);
    const ids = withId(last, id, this.#context);
    // The ids of older ones may be lost, so it may be an old one that comes again.
    if (ids === undefined && keyword === 'start') return 'ignored';
    this.#keywords.push({
      kind: 'keyword.heard',
      owner,
      identityKey: key,
      word: keyword,
      atMs: writtenMs,
    });
    const order = number === undefined ? {} : { number };
    const word = { word: keyword, atMs: writtenMs, ...order };
    const meant = keyword === 'start' && isByPreference(last) ? 'all' : about;
    const { row, changes } = withWord(last, word, meant, { ...ids }, wallMs);
    this.#words.set(key, row);
    if (writtenMs >= (last?.doubted?.atMs ?? 0)) this.#texts.end(key);
    if (changes.length === 0) return 'taken';
    if (keyword === 'start') this.#start(key, changes);
    else this.#stop(key, channel, inbound, writtenMs);
    return 'taken';
  }

  /**
   * Whoever changed their number has opted out there, too. The older number keeps its opt-out:
   * somebody else may get it. `repeated` for an id that was heard before.
   */
  follow(
    channel: ChannelId,
    { id, from }: Pick<Inbound, 'id' | 'from'>,
    toKey: string,
  ): ReportResult {
    const fromKey = this.#keyOf(channel, from);
    if (fromKey === undefined) return 'ignored';
    const last = this.#wordsOf(fromKey);
    if (last?.seen.includes(id)) return 'repeated';
    this.#words.set(fromKey, { seen: [], ...last, ...withId(last, id, this.#context) });
    const asked = this.#suppression(fromKey);
    const named = parseIdentityKey(toKey);
    if (asked === undefined || named === undefined) return 'taken';
    const before = this.#suppression(toKey);
    const row = withOptOut(before, { ...asked, ...named, createdMs: this.#context.nowMs });
    if (row !== before) this.#put(toKey, row);
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
    return [...this.#keywords, ...this.#changes, ...this.#texts.entries()];
  }

  #doubt(
    key: string,
    channel: ChannelId,
    inbound: Inbound,
    atMs: Millis | undefined,
  ): ReportResult {
    const { id, text: words = '' } = inbound;
    if (!mayBeOptOut(words)) return 'ignored';
    const last = this.#wordsOf(key);
    if (last?.doubted?.ids.includes(id)) return 'repeated';
    const optOut = this.#suppression(key);
    if (optOut !== undefined && reachOfOptOut(optOut) === 'all') return 'ignored';
    const row = withDoubt(last, { id }, atMs, this.#context);
    if (row === undefined) return 'ignored';
    this.#words.set(key, row);
    const about = this.#answered.of(channel, inbound, atMs ?? this.#context.nowMs);
    this.#texts.keep(key, { channel, words, ...(about === undefined ? {} : { about }) });
    return 'taken';
  }

  #keyOf(channel: ChannelId, from: string): string | undefined {
    const isHeard = (key: string) => this.#wordsOf(key) !== undefined;
    return knownIdentity(channel, from, this.#context, isHeard);
  }

  #wordsOf(key: string): KeywordRow | undefined {
    return this.#words.get(key) ?? readableRow(this.#context.documents, keywords, [key]);
  }

  #stop(key: string, channel: ChannelId, inbound: Inbound, writtenMs: Millis): void {
    const { about, reason } = inbound;
    const { nowMs: atMs } = this.#context;
    const named = parseIdentityKey(key);
    if (named === undefined) return;
    const scope = about === undefined ? {} : { scope: about };
    const why = { reason: reason ?? (about === undefined ? 'stop' : 'stop_marketing') };
    const source = 'callback' as const;
    const before = this.#suppression(key);
    const asked: SuppressionRow = { ...named, ...why, source, createdMs: atMs, ...scope };
    const after = withOptOut(before, asked);
    // The newest keyword also gives the reason.
    const isRenamed =
      after === before &&
      after.source === source &&
      after.scope === about &&
      after.reason !== why.reason &&
      newestWords.has(after.reason ?? '');
    const row = isRenamed ? { ...after, ...why } : after;
    if (row === before) return;
    const isWider = before === undefined || reachOfOptOut(before) !== reachOfOptOut(row);
    if (!isWider) {
      this.#put(key, row);
      return;
    }
    const people = peopleAt(key, this.#context);
    const answered = this.#answered.of(channel, inbound, writtenMs);
    const by = answered === undefined ? {} : { about: answered };
    const unsubscribed = { people, firstEvent: 0, atMs, channel, source, ...why, ...scope, ...by };
    this.#put(key, row, { unsubscribed });
  }

  #start(key: string, ends: readonly OptOutReach[]): void {
    const before = this.#suppression(key);
    const after = before && withoutStop(before, ends);
    if (before === undefined || after === before) return;
    if (after !== undefined) {
      this.#put(key, after);
      return;
    }
    this.#suppressions.set(key, null);
    this.#changes.push({
      kind: 'suppression.removed',
      owner: this.#context.owner,
      identityKey: key,
    });
  }

  #put(
    key: string,
    row: SuppressionRow,
    also: Pick<Extract<AudienceEntry, { kind: 'suppression.added' }>, 'unsubscribed'> = {},
  ): void {
    if (row.scope === undefined) this.#texts.end(key);
    this.#suppressions.set(key, row);
    this.#changes.push({
      kind: 'suppression.added',
      owner: this.#context.owner,
      identityKey: key,
      ...(row.scope === undefined ? {} : { scope: row.scope }),
      row,
      ...also,
    });
  }

  #suppression(key: string): SuppressionRow | undefined {
    const staged = this.#suppressions.get(key);
    if (staged !== undefined) return staged ?? undefined;
    if (takesMarketing(this.#app, key)) return undefined;
    return this.#context.documents.get(suppressions, [key]);
  }
}

/** Reasons that come from the person, not from a send. */
const newestWords: ReadonlySet<string> = new Set([
  'stop',
  'stop_marketing',
  'preference',
  'unfollowed',
]);
