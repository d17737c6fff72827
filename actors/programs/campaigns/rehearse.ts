// A dry run: each person of the audience as it stands now, judged by the code that sends, and
// nothing sent. Long audiences are cut into slices, each a decision of its own, so that nobody
// waits for the whole. What would come of each is kept for a day. What a reader would get wrong:
// people are judged one by one and scarce things are counted down as the send would take them, so
// who comes after the daily cap is put off here, too. What only rendering finds out is not among
// it.

import type { Context, Decision } from '../../../engine/actor/message.ts';
import { accepted, refused } from '../../../engine/actor/message.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { newId } from '../../../engine/base/id.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import { dryRunParts, dryRuns } from '../../../storage/tables/dry-run.ts';
import { withTimes } from '../../audiences/segments/decide.ts';
import type { CountedTimes } from '../../audiences/segments/protocol.ts';
import { type ChannelId, channelIds } from '../../channels/catalog.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { DailyRoom } from '../../sending/policy/judge.ts';
import { EmailAllowance } from '../../sending/transactional/email-allowance.ts';
import type { CredentialRules } from '../../sending/transactional/open-credentials.ts';
import type { AppState, PartitionState } from '../../state.ts';
import { audienceNow, isConfigured } from './begin.ts';
import { campaignCopies } from './copies.ts';
import type { CampaignsEntry } from './entries.ts';
import { noChannel } from './lane.ts';
import { type Judged, LaneJudge } from './lane-judge.ts';
import { channelNumbers } from './occurrence.ts';
import { appReadingHour } from './optimal-times.ts';
import type { CampaignsProtocol, DryRunBegun, Fate, ScarceRoom } from './protocol.ts';
import type { CampaignRecord } from './records.ts';
import { isHeldOut, isInSample } from './share.ts';
import { dryRunSweepTimer } from './timers.ts';
import { variantFor } from './variant-for.ts';

type Asked = CampaignsProtocol['dry_run.slice']['body'];
type Answered = CampaignsProtocol['dry_run.slice']['reply'];

/** A filter that counts events of the past, before they have been read. */
export const stillCounting = fault(
  'not_started',
  "the campaign's filter counts events of the past, which are being read; try again",
  { retryAfterSeconds: 1 },
);

/** Begins one: its audience, and an id that the slices write under. */
export function beginDryRun(
  state: PartitionState,
  app: AppState,
  campaign: CampaignRecord,
  times: CountedTimes | undefined,
  { owner, nowMs, rng }: Context,
): Decision<DryRunBegun> {
  const audience = audienceNow(app, campaign, withTimes(app.traits, times), nowMs);
  if (audience === 'gone') return refused(fault('conflict', "the campaign's segment is gone"));
  if (audience === 'waiting') return refused(stillCounting);
  const id = newId('dry', owner, nowMs, rng);
  const { org } = app.record;
  const daily = new DailyRoom(state.orgs.get(org), nowMs);
  const room = {
    sends: finite(daily.left),
    sendsUntilMs: daily.untilMs,
    emails: finite(new EmailAllowance(state, nowMs).left(org)),
  };
  return accepted({ dryRunId: id, atMs: nowMs, audience: audience.snapshot(), room });
}

/** Judges the next people of one. */
export function rehearseSlice(
  app: AppState,
  rules: CredentialRules,
  campaign: CampaignRecord,
  slice: Asked,
  context: Context,
): Decision<Answered> {
  const { dryRunId, atMs, part, from, room } = slice;
  const audience = Bitset.restore(slice.audience);
  const rehearsal = new Rehearsal(
    app,
    rules,
    { ...campaign, ...ttlOf(campaign, context) },
    atMs,
    room,
  );
  const people: PersonOrdinal[] = [];
  const codes: number[] = [];
  const fates: Fate[] = [];
  const counts: number[] = [];
  const codeOf = new Map<string, number>();
  let person = audience.nextFrom(from);
  for (
    ;
    person >= 0 && people.length < limits.dryRunSliceMax;
    person = audience.nextFrom(person + 1)
  ) {
    const fate = rehearsal.fateOf(person);
    const name = JSON.stringify(fate);
    let code = codeOf.get(name);
    if (code === undefined) {
      code = fates.push(fate) - 1;
      codeOf.set(name, code);
      counts.push(0);
    }
    counts[code] = (counts[code] ?? 0) + 1;
    people.push(person);
    codes.push(code);
  }
  const codeBytes = new Uint8Array(codes.length * 2);
  codes.forEach((code, i) => {
    codeBytes[i * 2] = code & 0xff;
    codeBytes[i * 2 + 1] = code >>> 8;
  });
  const row = { people: packOrdinals(people), fates, codes: codeBytes };
  const entry: CampaignsEntry = {
    kind: 'dry_run.written',
    owner: context.owner,
    dryRunId,
    campaignId: campaign.id,
    atMs,
  };
  // The first part sets the end of all: also of one that is given up half way.
  const sweep =
    part === 0 ? [dryRunSweepTimer(context.owner, dryRunId, atMs + limits.dryRunKeptMs)] : [];
  return accepted(
    {
      next: person < 0 ? null : person,
      room: rehearsal.room,
      counts: fates.map((fate, i) => [fate, counts[i] ?? 0] as const),
    },
    {
      entries: [entry, ...sweep],
      documents: [{ table: dryRunParts, key: [dryRunId, part], value: row }],
    },
  );
}

/** Writes the row of the whole, once every slice is there. */
export function endDryRun(
  campaign: CampaignRecord,
  { dryRunId, atMs, audience, parts }: CampaignsProtocol['dry_run.end']['body'],
  { owner }: Context,
): Decision<null> {
  const { id: campaignId } = campaign;
  const entry: CampaignsEntry = { kind: 'dry_run.written', owner, dryRunId, campaignId, atMs };
  const value = { id: dryRunId, campaignId, atMs, audience, parts };
  return accepted(null, {
    entries: [entry],
    documents: [{ table: dryRuns, key: [dryRunId], value }],
  });
}

/** The people whose turn would come, in the order in which it would. */
class Rehearsal {
  readonly #app: AppState;
  readonly #campaign: CampaignRecord;
  readonly #judges: readonly { readonly channel: number; readonly judge: LaneJudge }[];
  readonly #nobody: LaneJudge;
  /** What is left of what is scarce. */
  room: ScarceRoom;

  constructor(
    app: AppState,
    rules: CredentialRules,
    campaign: CampaignRecord,
    atMs: Millis,
    room: ScarceRoom,
  ) {
    this.#app = app;
    this.#campaign = campaign;
    this.room = room;
    const appHour = campaign.optimalTime ? (appReadingHour(app, atMs) ?? null) : null;
    const occurrence = { startedMs: atMs, winner: null, appHour };
    const judgeOn = (channel: number, isReady: boolean) =>
      new LaneJudge(app, campaign, occurrence, { phase: 'primary', channel }, atMs, isReady);
    this.#judges = channelNumbers(campaign.channels).map((channel) => ({
      channel,
      judge: judgeOn(channel, isConfigured(app, rules, channelIds[channel] as ChannelId)),
    }));
    this.#nobody = judgeOn(noChannel, true);
  }

  fateOf(person: PersonOrdinal): Fate {
    const campaign = this.#campaign;
    if (isHeldOut(campaign, person)) return { verdict: 'holdout', channels: 0 };
    // Whoever waits for the end of an experiment gets the variant that wins it, which nobody knows.
    const variant = isInSample(campaign, person)
      ? variantFor(campaign, { winner: null }, person)
      : undefined;
    const of = variant === undefined ? {} : { variant };
    let channels = 0;
    let held: Extract<Judged, { turn: 'hold' }> | undefined;
    let reason: string | undefined;
    for (const { channel, judge } of this.#judges) {
      if (!(this.#app.traits.reach[channel]?.test(person) ?? false)) continue;
      const judged = this.#scarce(judge.judge(person, channels === 0), channel, channels === 0);
      if (judged === 'send') channels |= 1 << channel;
      else if (judged === 'undecided') continue;
      else if (judged.turn === 'hold') held ??= judged;
      else if (judged.turn === 'suppress') reason ??= judged.reason;
    }
    if (channels !== 0) return { verdict: 'send', channels, ...of };
    if (held !== undefined)
      return { verdict: 'defer', channels: 0, reason: held.reason, untilMs: held.untilMs, ...of };
    if (reason !== undefined) return { verdict: 'suppress', channels: 0, reason, ...of };
    const judged = this.#nobody.judge(person, true);
    const why =
      typeof judged !== 'string' && judged.turn === 'suppress' ? judged.reason : 'no_device';
    return { verdict: 'suppress', channels: 0, reason: why, ...of };
  }

  /** Takes a place in what there is only so much of. */
  #scarce(judged: Judged, channel: number, isFirst: boolean): Judged {
    if (judged !== 'send') return judged;
    const { sends, emails, sendsUntilMs } = this.room;
    if (isFirst && sends !== null && sends <= 0)
      return { turn: 'hold', reason: 'daily_cap', untilMs: sendsUntilMs };
    const isMail = channelIds[channel] === 'email';
    if (isMail && emails !== null && emails <= 0) return { turn: 'suppress', reason: 'email_cap' };
    this.room = {
      sendsUntilMs,
      sends: isFirst && sends !== null ? sends - 1 : sends,
      emails: isMail && emails !== null ? emails - 1 : emails,
    };
    return judged;
  }
}

function finite(room: number): number | null {
  return Number.isFinite(room) ? room : null;
}

/** How long the message lives, as it would be copied now. */
function ttlOf(campaign: CampaignRecord, context: Context): { readonly ttlMs?: Millis } {
  const { ttlMs } = campaignCopies(campaign, context);
  return ttlMs === undefined ? {} : { ttlMs };
}
