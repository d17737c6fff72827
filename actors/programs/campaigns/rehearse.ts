// A dry run: asks the gate of the real send about each person of the current audience. Runs in
// slices, one decision each; results are kept for a day. Scarce room (caps, emails) is counted down
// as a send would; with several slices, or if dispatch is busy, other people may get it, but as
// many. Problems that only rendering finds are not included.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  refused,
} from '../../../engine/actor/message.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import { hourMs, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { newId } from '../../../engine/base/id.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import { dryRunParts, dryRuns } from '../../../storage/tables/dry-run.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import type { CountedTimes } from '../../audiences/segments/protocol.ts';
import { withTimes } from '../../audiences/segments/with-traits.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { readableRow } from '../../readable-row.ts';
import type { Phase, Turn } from '../../sending/dispatch/entries.ts';
import type { Ahead } from '../../sending/gate/gate.ts';
import { openDevices } from '../../sending/gate/open-devices.ts';
import { OrgRoom } from '../../sending/gate/org-room.ts';
import { type CredentialRules, isConfigured } from '../../sending/outbox/open-credentials.ts';
import { WarmUpForecast } from '../../sending/warm-up/forecast.ts';
import { audienceNow } from './begin.ts';
import { isHeldOut, isInSample, variantFor } from './bucketing.ts';
import { ttlMsOfSources } from './copies.ts';
import type { CampaignsEntry } from './entries.ts';
import { fallbackWaitMs, fallbackWarnings } from './fallback-caps.ts';
import { warningsOf } from './keyless-audience.ts';
import { noChannel } from './lane.ts';
import { LaneGate } from './lane-gate.ts';
import type { CampaignsMemory, CampaignsView } from './memory.ts';
import { channelNumbers } from './occurrence.ts';
import { appReadingHour } from './optimal-times.ts';
import type {
  CampaignsProtocol,
  DryRunBegun,
  DryRunWarning,
  FallbackVerdict,
  PersonVerdict,
} from './protocol.ts';
import type { CampaignRecord } from './records.ts';
import { dryRunSweepTimer } from './timers.ts';

type SliceRequest = CampaignsProtocol['dry_run.slice']['body'];

/** The filter counts past events that have not been read yet. */
export const stillCounting = fault(
  'not_started',
  "the campaign's filter counts past events, which are still being read; retry",
  { retryAfterSeconds: 1 },
);

/** Returns the audience and the id that slices write under. */
export function beginDryRun(
  state: CampaignsMemory,
  app: CampaignsView,
  campaign: CampaignRecord,
  times: CountedTimes | undefined,
  { owner, nowMs, rng }: Context,
): Decision<DryRunBegun> {
  const audience = audienceNow(app, campaign, withTimes(app.traits, times), nowMs);
  if (audience === 'gone')
    return refused(fault('wrong_state', "the campaign's segment no longer exists"));
  if (audience === 'waiting') return refused(stillCounting);
  const id = newId('dry', owner, nowMs, rng);
  const room = OrgRoom.of(state, app.record.org, nowMs).snapshot();
  const warmUp = WarmUpForecast.of(app, nowMs)?.snapshot();
  return accepted({
    dryRunId: id,
    atMs: nowMs,
    audience: audience.snapshot(),
    room,
    ...(warmUp && { warmUp }),
    unvouched: app.monthlyActive.unvouchedAmong(audience),
    warnings: [
      ...fieldWarnings(campaign),
      ...warningsOf(app, campaign),
      ...fallbackWarnings(app, campaign),
    ],
  });
}

export function rehearseSlice(
  app: CampaignsView,
  rules: CredentialRules,
  campaign: CampaignRecord,
  slice: SliceRequest,
  context: Context,
): Decision<CampaignsProtocol['dry_run.slice']['reply']> {
  const { dryRunId, atMs, part, from } = slice;
  const audience = Bitset.restore(slice.audience);
  const ttlMs = ttlMsOfSources(campaign, context);
  const { ttlMs: _former, ...rest } = campaign;
  const rehearsal = new Rehearsal(
    app,
    rules,
    ttlMs === undefined ? rest : { ...rest, ttlMs },
    slice,
    context.documents,
  );
  const people: PersonOrdinal[] = [];
  let person = audience.nextFrom(from);
  for (
    ;
    person >= 0 && people.length < limits.dryRunSliceMax;
    person = audience.nextFrom(person + 1)
  )
    people.push(person);
  const codes: number[] = [];
  const verdicts: PersonVerdict[] = [];
  const counts: number[] = [];
  const codeOf = new Map<string, number>();
  for (const verdict of rehearsal.verdictsOf(people)) {
    const name = JSON.stringify(verdict);
    let code = codeOf.get(name);
    if (code === undefined) {
      code = verdicts.push(verdict) - 1;
      codeOf.set(name, code);
      counts.push(0);
    }
    counts[code] = (counts[code] ?? 0) + 1;
    codes.push(code);
  }
  const codeBytes = new Uint8Array(codes.length * 2);
  codes.forEach((code, i) => {
    codeBytes[i * 2] = code & 0xff;
    codeBytes[i * 2 + 1] = code >>> 8;
  });
  const row = { people: packOrdinals(people), fates: verdicts, codes: codeBytes };
  const entry: CampaignsEntry = {
    kind: 'dry_run.written',
    owner: context.owner,
    dryRunId,
    campaignId: campaign.id,
    atMs,
  };
  // The first part sets the timer, so abandoned runs are deleted, too.
  const sweep =
    part === 0 ? [dryRunSweepTimer(context.owner, dryRunId, atMs + limits.dryRunKeptMs)] : [];
  return accepted(
    {
      next: person < 0 ? null : person,
      room: rehearsal.room.snapshot(),
      ...(rehearsal.warmUp && { warmUp: rehearsal.warmUp.snapshot() }),
      counts: verdicts.map((verdict, i) => [verdict, counts[i] ?? 0] as const),
    },
    {
      entries: [entry, ...sweep],
      documents: [{ table: dryRunParts, key: [dryRunId, part], value: row }],
    },
  );
}

/** Stores the run after its last slice. */
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

interface LaneOf {
  readonly channel: number;
  readonly gate: LaneGate;
}

interface Asking {
  readonly person: PersonOrdinal;
  readonly isHeldOut: boolean;
  /** The channels it would be sent on: bits by catalog index. */
  channels: number;
  /** The first other answer; a hold takes precedence over a suppression. */
  first?: Turn;
}

/** Asks the gate in the order of a real send. */
class Rehearsal {
  readonly #app: CampaignsView;
  readonly #campaign: CampaignRecord;
  readonly #documents: DocumentReader;
  readonly #lanes: readonly LaneOf[];
  /** For people whom no channel reaches. */
  readonly #nobody: LaneOf;
  /** Asked as of the end of the fallback wait. Their room is not counted down. */
  readonly #fallback: readonly LaneOf[];
  /** For people who cannot be reached on any fallback channel. */
  readonly #noFallback: LaneOf;
  /** What is left of the org's caps. */
  readonly room: OrgRoom;
  /** If the sender domain of its emails is warming up. */
  readonly warmUp: WarmUpForecast | undefined;

  constructor(
    app: CampaignsView,
    rules: CredentialRules,
    campaign: CampaignRecord,
    { atMs, room, warmUp }: Pick<SliceRequest, 'atMs' | 'room' | 'warmUp'>,
    documents: DocumentReader,
  ) {
    this.#app = app;
    this.#documents = documents;
    this.#campaign = campaign;
    this.room = OrgRoom.restore(room);
    this.warmUp = warmUp && WarmUpForecast.of(app, atMs, warmUp);
    const appHour = campaign.optimalTime ? (appReadingHour(app, atMs) ?? null) : null;
    const occurrence = { startedMs: atMs, aheadMs: 0, winner: null, appHour };
    const laneOn = (channel: number, isReady: boolean, phase: Phase = 'primary'): LaneOf => {
      const lane = { phase, channel };
      const laneMs = phase === 'primary' ? atMs : atMs + fallbackWaitMs(campaign);
      const at = { nowMs: laneMs, wallMs: laneMs };
      const gate = new LaneGate(app, campaign, occurrence, lane, at, isReady, this.room);
      return { channel, gate };
    };
    const isReady = (channel: number) => isConfigured(app, rules, channelIds[channel] as ChannelId);
    this.#lanes = channelNumbers(campaign.channels).map((channel) =>
      laneOn(channel, isReady(channel)),
    );
    this.#fallback = channelNumbers(campaign.fallbackChannels ?? []).map((channel) =>
      laneOn(channel, isReady(channel), 'fallback'),
    );
    this.#noFallback = laneOn(noChannel, true, 'fallback');
    this.#nobody = laneOn(noChannel, true);
  }

  /** Channel by channel, like a send: first come, first served. */
  verdictsOf(people: readonly PersonOrdinal[]): readonly PersonVerdict[] {
    const asked = people.map(
      (person): Asking => ({ person, isHeldOut: isHeldOut(this.#campaign, person), channels: 0 }),
    );
    for (const lane of this.#lanes)
      for (const one of asked)
        if (!one.isHeldOut && this.#app.traits.reach[lane.channel]?.test(one.person) === true)
          this.#ask(lane, one);
    return asked.map((one) => {
      const verdict = this.#verdictOf(one);
      const fallback = this.#fallbackOf(one.person, verdict);
      return fallback === undefined ? verdict : { ...verdict, fallback };
    });
  }

  #ask({ channel, gate }: LaneOf, one: Asking): void {
    const { person } = one;
    const isFirst = one.channels === 0;
    const asked = gate.ask(person, isFirst);
    const allowed = asked === 'send' ? gate.askRoom(isFirst) : asked;
    const judged = allowed === 'send' ? this.#askWarmUp(person, channel) : allowed;
    if (judged === 'send') {
      gate.takeRoom(isFirst, this.#devicesOf(person, channel));
      one.channels |= 1 << channel;
    } else if (judged !== 'undecided' && one.first?.turn !== 'hold')
      if (judged.turn === 'hold' || one.first === undefined) one.first = judged;
  }

  #verdictOf(one: Asking): PersonVerdict {
    const campaign = this.#campaign;
    const { person, channels } = one;
    if (one.isHeldOut) return { verdict: 'holdout', channels };
    // Outside the sample the variant is the winner's, still unknown.
    const variant = isInSample(campaign, person)
      ? variantFor(campaign, { winner: null }, person)
      : undefined;
    const of = variant === undefined ? {} : { variant };
    if (channels !== 0) return { verdict: 'send', channels, ...of };
    if (one.first === undefined) this.#ask(this.#nobody, one);
    const { first } = one;
    if (first?.turn === 'hold')
      return { verdict: 'defer', channels, reason: first.reason, untilMs: first.untilMs, ...of };
    const reason = first?.turn === 'suppress' ? first.reason : 'no_device';
    return { verdict: 'suppress', channels, reason, ...of };
  }

  /** As if the person did not react; a primary send counts toward the caps by then. */
  #fallbackOf(
    person: PersonOrdinal,
    { verdict }: Pick<PersonVerdict, 'verdict'>,
  ): FallbackVerdict | undefined {
    if (this.#fallback.length === 0 || verdict === 'holdout') return undefined;
    const waitMs = fallbackWaitMs(this.#campaign);
    const ahead: Ahead = (cap) =>
      verdict !== 'suppress' && cap.channel === undefined && cap.perHours * hourMs > waitMs ? 1 : 0;
    let first: Turn | undefined;
    for (const { channel, gate } of this.#fallback) {
      if (this.#app.traits.reach[channel]?.test(person) !== true) continue;
      const judged = gate.ask(person, true, ahead);
      if (judged === 'send') return { verdict: 'send' };
      if (judged !== 'undecided' && first?.turn !== 'hold')
        if (judged.turn === 'hold' || first === undefined) first = judged;
    }
    const unreached = first ?? this.#noFallback.gate.ask(person, true);
    if (typeof unreached === 'string') return undefined;
    if (unreached.turn === 'hold') return { verdict: 'defer', reason: unreached.reason };
    const reason = unreached.turn === 'suppress' ? unreached.reason : 'no_device';
    return { verdict: 'suppress', reason };
  }

  /** Emails that do not fit into today wait for a later day, or are not sent. */
  #askWarmUp(person: PersonOrdinal, channel: number): Turn | 'send' {
    const { warmUp } = this;
    if (warmUp === undefined || channelIds[channel] !== 'email') return 'send';
    const addresses = warmUp.asksProviders ? this.#addressesOf(person) : [];
    const untilMs = warmUp.place(this.#devicesOf(person, channel), addresses);
    return untilMs === undefined ? 'send' : { turn: 'hold', reason: 'warm_up', untilMs };
  }

  /** Only for email does the number of devices matter. */
  #devicesOf(person: PersonOrdinal, channel: number): number {
    if (channelIds[channel] !== 'email' || !this.#app.contact.hasSeveral(person, channel)) return 1;
    return Math.max(1, this.#addressesOf(person).length);
  }

  #addressesOf(person: PersonOrdinal): readonly string[] {
    const row = readableRow(this.#documents, subscribers, [person]);
    const devices = openDevices(row, (one) => one === 'email', this.#app);
    return devices.map(({ endpoint }) => (typeof endpoint === 'string' ? endpoint : ''));
  }
}

function fieldWarnings({ doubts = [] }: CampaignRecord): readonly DryRunWarning[] {
  return doubts.map(({ field, warning }) => ({
    code: 'did_you_mean',
    message: `${field}: ${warning}`,
  }));
}
