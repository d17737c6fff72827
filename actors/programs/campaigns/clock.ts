// When campaigns of a partition are due, as one instant per app. Derived from memory: computed at
// start and again after each entry that may change it. If deciding a due campaign yields no entry
// (it threw, or the app is in quarantine), the app waits a minute instead of being asked every
// turn.

import type { Context, Entry, Tell } from '../../../engine/actor/message.ts';
import { type Millis, minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import type { AreaClock, DueTurn, Started, StartTurn } from '../../area-clock.ts';
import { limits } from '../../limits.ts';
import type { Sealer } from '../../sealer.ts';
import { isComplaint } from '../../sending/callbacks/facts.ts';
import type { WaveReport } from '../../sending/dispatch/protocol.ts';
import { OrgRooms } from '../../sending/gate/org-room.ts';
import {
  type CredentialCache,
  type CredentialRules,
  openCredentials,
} from '../../sending/outbox/open-credentials.ts';
import type { OutboxEntry } from '../../sending/outbox/protocol.ts';
import type { RelayRules } from '../../sending/outbox/relay-rules.ts';
import type { WaveShares } from '../../sending/outbox/wave-shares.ts';
import { BulkWindows } from './bulk-window.ts';
import { dueOfApp } from './due.ts';
import { type FanOutPlan, fanOut } from './fan-out.ts';
import type { CampaignsMemory, CampaignsView } from './memory.ts';
import { interruptedWave, isInterruptedReport } from './settle-wave.ts';
import { WaveRelays } from './wave-relays.ts';

/** How long an app waits after its due campaigns got their messages. */
const againMs: Millis = minuteMs;

export interface CampaignClockRules {
  readonly plan: CredentialRules & RelayRules & Pick<FanOutPlan, 'partition' | 'dispatchers'>;
  readonly sealer: Sealer;
  readonly credentials: CredentialCache;
  readonly shares: WaveShares;
}

export class CampaignClock implements AreaClock<CampaignsMemory, CampaignsView> {
  readonly #rules: CampaignClockRules;
  readonly #windows = new BulkWindows();
  /** The next due instant per app; 0 to compute it. */
  readonly #nextOf = new Map<Ordinal, Millis>();
  /** Nothing is due before this. */
  #nextMs: Millis = Number.POSITIVE_INFINITY;

  /** When the clock needs a turn; `undefined` for never. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  readonly before = {
    'dispatch.wave_report': (
      app: CampaignsView | undefined,
      report: WaveReport,
      { nowMs, owner }: Context,
    ) => {
      if (!isInterruptedReport(report))
        this.#rules.shares.rowsBack(owner, report.channel, report.people.length);
      const wave = app?.sending.waves.get(report.wave);
      if (app !== undefined && wave !== undefined)
        this.#windows.reported(app.record.ordinal, wave, report, nowMs);
    },
  };

  constructor(rules: CampaignClockRules) {
    this.#rules = rules;
  }

  begin(state: CampaignsMemory): void {
    for (const owner of state.apps.keys()) this.#look(owner);
  }

  /** A campaign may have waited for them. */
  columnsComplete({ record }: CampaignsView): void {
    this.#look(record.ordinal);
  }

  /** Computes an app's due instant again in the next turn. */
  #look(owner: Ordinal): void {
    this.#nextOf.set(owner, 0);
    this.#nextMs = 0;
  }

  confirmed(): void {
    for (const owner of this.#nextOf.keys()) this.#look(owner);
  }

  folded(entry: Entry): void {
    if (moves(entry)) this.#look(entry.owner);
  }

  due(state: CampaignsMemory, { nowMs, wallMs }: DueTurn): Tell[] {
    if (nowMs < this.#nextMs) return [];
    const tells: Tell[] = [];
    const served: Ordinal[] = [];
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const [owner, askMs] of this.#nextOf) {
      const app = state.apps.get(owner);
      if (app === undefined) {
        this.#nextOf.delete(owner);
        continue;
      }
      const left = limits.turnCampaignsMax - tells.length;
      if (askMs <= nowMs && left > 0) {
        const { due, nextMs } = dueOfApp(app, nowMs, left, nowMs - wallMs);
        for (const { id } of due)
          tells.push({
            to: owner,
            message: { kind: 'campaign.due', by: -1, id } as Tell['message'],
          });
        if (due.length > 0) served.push(owner);
        // A throttled campaign may continue now, in the pump.
        state.ready.add(owner);
        const next = due.length > 0 ? nowMs + againMs : nextMs;
        if (next === undefined) this.#nextOf.delete(owner);
        else this.#nextOf.set(owner, next);
      }
      this.#nextMs = Math.min(this.#nextMs, this.#nextOf.get(owner) ?? this.#nextMs);
    }
    // Round-robin: move a served app to the back.
    for (const owner of served) {
      const next = this.#nextOf.get(owner);
      this.#nextOf.delete(owner);
      if (next !== undefined) this.#nextOf.set(owner, next);
    }
    return tells;
  }

  /** Campaigns get what single sends leave. */
  start(
    state: CampaignsMemory,
    app: CampaignsView,
    { context, people }: StartTurn,
  ): Started | undefined {
    if (people <= 0 || app.sending.isEmpty) return undefined;
    const { plan, sealer, credentials, shares } = this.#rules;
    const { ordinal } = app.record;
    const relays = new WaveRelays(app, plan, sealer, credentials, context.nowMs);
    const fanOutPlan: FanOutPlan = {
      partition: plan.partition,
      dispatchers: plan.dispatchers,
      credentialsOf: (channel) => openCredentials(app, channel, plan, sealer, credentials),
      waysOn: (channel) => shares.waysOn(ordinal, channel),
      relayOn: (channel) => relays.of(channel)?.way,
      roomOn: (channel) =>
        shares.singlesRoomOn(ordinal, channel) > 0
          ? this.#windows.roomOn(app, channel, context.nowMs, relays.of(channel))
          : 0,
      room: OrgRooms.ofTurn(context, state).of(app.record.org),
    };
    const begun = fanOut(app, fanOutPlan, context, people);
    return begun && { ...begun, effects: shares.leaving(begun.effects) };
  }

  hasMore({ sending }: CampaignsView): boolean {
    return !sending.isEmpty;
  }

  resumeApp(state: CampaignsMemory, app: CampaignsView): readonly Tell[] {
    const { record, sending } = app;
    if (!sending.isEmpty) state.ready.add(record.ordinal);
    return Array.from(sending.waves.values(), (wave) => ({
      to: record.ordinal,
      message: interruptedWave(wave),
    }));
  }
}

/** Whether an entry may change when campaigns are due. */
function moves(entry: Entry): boolean {
  const { kind } = entry;
  if (kind === 'attempts.settled') {
    const { items } = entry as Extract<OutboxEntry, { kind: 'attempts.settled' }>;
    return items.some(({ origin }) => origin?.campaignId !== undefined);
  }
  if (kind === 'receipt.told') return isComplaint(entry as Parameters<typeof isComplaint>[0]);
  return (
    kind.startsWith('campaign.') ||
    kind.startsWith('warm_up.') ||
    kind.startsWith('email_domain.') ||
    kind === 'settings.changed' ||
    kind === 'wave.settled' ||
    kind === 'people.expired' ||
    kind === 'subscriber.erased' ||
    kind === 'subscriber.merged'
  );
}
