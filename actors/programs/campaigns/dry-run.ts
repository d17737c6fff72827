// Runs a dry run slice by slice, lists its people, compares a send with it, and deletes it.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  type DocumentWrite,
  type Message,
  refused,
} from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import { type DryRunRow, dryRunParts, dryRuns } from '../../../storage/tables/dry-run.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { withCounted } from '../../audiences/segments/counted.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { fault, unknownId } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { askActor, type PoolQuestion } from '../../pool-question.ts';
import { readableRow } from '../../readable-row.ts';
import { sourcesOf } from './bucketing.ts';
import type { CampaignsEntry } from './entries.ts';
import type {
  CampaignsProtocol,
  DryRun,
  DryRunBegun,
  DryRunPerson,
  PersonVerdict,
  WarmUpSpread,
} from './protocol.ts';
import type { CampaignRecord } from './records.ts';

type ReplyTo<K extends keyof CampaignsProtocol> = CampaignsProtocol[K]['reply'];

/** Asks the app's actor slice by slice, so that other messages run in between. */
export const answerDryRun: PoolQuestion<MessageOf<CampaignsProtocol, 'campaign.dry_run'>> = (
  host,
  app,
  asked,
  answer,
) => {
  const ask = <K extends keyof CampaignsProtocol>(
    kind: K,
    body: object,
    then: (reply: ReplyTo<K>) => void,
  ) => askActor<ReplyTo<K>>(host, app, { ...asked, ...body, kind } as Message, answer, then);
  let hasFallback = false;
  ask('campaign.read', {}, ({ segmentId, filter, fallbackChannels }) => {
    hasFallback = fallbackChannels !== undefined;
    const counts = segmentId === undefined ? (filter ? { filter } : undefined) : { segmentId };
    if (counts === undefined) begin({});
    else
      withCounted(host, app, asked, counts, answer, (times) =>
        begin(times === undefined ? {} : { times }),
      );
  });

  function begin(times: object): void {
    ask('dry_run.begin', times, (begun) => slice(begun, new Sums(), 0, 0));
  }

  function slice(begun: DryRunBegun, sums: Sums, part: number, from: PersonOrdinal): void {
    ask('dry_run.slice', { ...begun, part, from }, ({ next, room, warmUp, counts }) => {
      for (const [verdict, count] of counts) sums.add(verdict, count);
      const more = { ...begun, room, ...(warmUp && { warmUp }) };
      if (next !== null) slice(more, sums, part + 1, next);
      else end(more, sums, part + 1);
    });
  }

  function end(begun: DryRunBegun, sums: Sums, parts: number): void {
    const { dryRunId, atMs, unvouched, warnings, warmUp } = begun;
    ask('dry_run.end', { ...begun, parts }, () =>
      ask('dry_run.people', { dryRunId, limit: limits.dryRunSampled }, ({ items: sampled }) => {
        const expiresMs = atMs + limits.dryRunKeptMs;
        const shown = { ...sums.shown(hasFallback), warmUp: spreadOf(warmUp) };
        const seen = { ...shown, unvouched, warnings, sampled };
        const value: DryRun = { dryRunId, atMs, ...seen, expiresMs };
        answer({ ok: true, value });
      }),
    );
  }
};

/** The people of a dry run. The cursor is the last person of the previous page. */
export function dryRunPeople(
  campaign: CampaignRecord,
  { dryRunId, verdict, limit, cursor }: MessageOf<CampaignsProtocol, 'dry_run.people'>,
  { owner, documents }: Context,
): Decision<ReplyTo<'dry_run.people'>> {
  const run = readDryRun(campaign, dryRunId, documents);
  if (run === undefined) return refused(unknownId('dryRunId', 'dry run', dryRunId));
  const after = cursor === undefined ? -1 : (parseId('sub', cursor)?.low32 ?? -2);
  if (after === -2 || (cursor !== undefined && parseId('sub', cursor)?.ordinal !== owner))
    return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const items: DryRunPerson[] = [];
  for (let part = 0; part < run.parts; part++) {
    const row = documents.get(dryRunParts, [dryRunId, part]);
    if (row === undefined) continue;
    const people = unpackOrdinals(row.people);
    if ((people.at(-1) ?? -1) <= after) continue;
    for (const [i, person] of people.entries()) {
      if (person <= after) continue;
      const code = (row.codes[i * 2] as number) | ((row.codes[i * 2 + 1] as number) << 8);
      const one = row.fates[code] as PersonVerdict;
      if (verdict !== undefined && one.verdict !== verdict) continue;
      const last = items.at(-1);
      if (items.length === limit && last !== undefined)
        return accepted({ items, nextCursor: last.subscriberId });
      const shown = personOf(person, one, documents);
      if (shown !== undefined) items.push(shown);
    }
  }
  return accepted({ items, nextCursor: null });
}

/** The refusal of a send whose audience or campaign changed since the dry run. */
export function changedSince(
  campaign: CampaignRecord,
  dryRunId: string,
  tolerance: number,
  audience: Bitset,
  documents: DocumentReader,
): Fault | undefined {
  const run = readDryRun(campaign, dryRunId, documents);
  const field = 'dryRunId';
  if (run === undefined) return unknownId(field, 'dry run', dryRunId);
  const before = Bitset.restore(run.audience);
  const joined = audience.clone().andNot(before).count();
  const left = before.andNot(audience).count();
  if (joined + left > tolerance)
    return fault(
      'changed',
      `dryRunId: the audience has changed: ${joined} joined and ${left} left since the dry run; tolerance allows ${tolerance}`,
      { field },
    );
  const edited = sourcesOf(campaign)
    .map(({ messageId }) => readMessage(messageId, { documents }))
    .find((message) => message !== undefined && message.updatedMs > run.atMs);
  if (edited !== undefined)
    return fault(
      'changed',
      `dryRunId: the message ${edited.id} was changed after the dry run; run a new dry run`,
      { field },
    );
  // The same people on other channels, or with another variant, were not checked.
  if (campaign.updatedMs > run.atMs)
    return fault(
      'changed',
      'dryRunId: the campaign was changed after the dry run; run a new dry run',
      { field },
    );
  return undefined;
}

/** Deletes all rows in one turn: a thousand parts cover sixteen million people. */
export function sweepDryRun(
  dryRunId: string,
  { owner, documents }: Context,
): { readonly entries: readonly CampaignsEntry[]; readonly writes: readonly DocumentWrite[] } {
  const parts = documents.range(dryRunParts, {
    from: [dryRunId],
    to: [`${dryRunId}\u0000`],
    limit: 1_000,
  });
  const writes: DocumentWrite[] = parts.map(({ key }) => ({
    table: dryRunParts,
    key,
    value: undefined,
  }));
  writes.push({ table: dryRuns, key: [dryRunId], value: undefined });
  return { entries: [{ kind: 'dry_run.swept', owner, dryRunId }], writes };
}

function readDryRun(
  { id }: CampaignRecord,
  dryRunId: string,
  documents: DocumentReader,
): DryRunRow | undefined {
  const row =
    parseId('dry', dryRunId) === undefined ? undefined : documents.get(dryRuns, [dryRunId]);
  return row?.campaignId === id ? row : undefined;
}

/** `undefined` for a person who no longer exists. */
function personOf(
  person: PersonOrdinal,
  { verdict, channels, reason, untilMs, variant, fallback }: PersonVerdict,
  documents: DocumentReader,
): DryRunPerson | undefined {
  const row = readableRow(documents, subscribers, [person]);
  if (row === undefined) return undefined;
  const { id: subscriberId, externalUserId } = row;
  return {
    subscriberId,
    ...(externalUserId === undefined ? {} : { externalUserId }),
    verdict,
    channels: channelIds.filter((_channel, index) => (channels & (1 << index)) !== 0),
    ...(reason === undefined ? {} : { reason }),
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(variant === undefined ? {} : { variant }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** Sums over all slices. */
class Sums {
  #audience = 0;
  #holdout = 0;
  #sends = 0;
  readonly #byChannel = new Map<string, number>();
  readonly #byVariant = new Map<string, number>();
  readonly #suppress = new Map<string, number>();
  readonly #defer = new Map<string, number>();
  /** Of the fallback, by verdict and reason; empty without one. */
  readonly #fallback = {
    send: new Map<string, number>(),
    suppress: new Map<string, number>(),
    defer: new Map<string, number>(),
  };

  add(one: PersonVerdict, count: number): void {
    const { verdict, channels, reason = verdict, variant, fallback } = one;
    this.#audience += count;
    if (fallback !== undefined)
      more(this.#fallback[fallback.verdict], fallback.reason ?? fallback.verdict, count);
    if (verdict === 'holdout') this.#holdout += count;
    if (verdict === 'suppress') more(this.#suppress, reason, count);
    if (verdict === 'defer') more(this.#defer, reason, count);
    if (verdict !== 'send') return;
    this.#sends += count;
    if (variant !== undefined) more(this.#byVariant, variant, count);
    channelIds.forEach((channel, index) => {
      if ((channels & (1 << index)) !== 0) more(this.#byChannel, channel, count);
    });
  }

  shown(
    hasFallback: boolean,
  ): Omit<DryRun, keyof DryRunBegun | 'sampled' | 'expiresMs'> & { audience: number } {
    return {
      audience: this.#audience,
      byChannel: Object.fromEntries(this.#byChannel),
      byVariant: Object.fromEntries(this.#byVariant),
      wouldSend: this.#sends,
      wouldSuppress: Object.fromEntries(this.#suppress),
      wouldDefer: Object.fromEntries(this.#defer),
      holdout: this.#holdout,
      fallback: hasFallback
        ? {
            wouldSend: this.#fallback.send.get('send') ?? 0,
            wouldSuppress: Object.fromEntries(this.#fallback.suppress),
            wouldDefer: Object.fromEntries(this.#fallback.defer),
          }
        : null,
    };
  }
}

function spreadOf(placed: DryRunBegun['warmUp']): WarmUpSpread | null {
  if (placed === undefined) return null;
  const [today = 0, ...after] = placed.mails;
  const days = after.findLastIndex((mails) => mails > 0) + 1;
  return { domain: placed.domain, today, later: after.reduce((sum, one) => sum + one, 0), days };
}

function more(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
