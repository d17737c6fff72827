// Keeps what later callbacks about a device's newest sends will not contain: the provider's name of
// a message, a send's journey, a marketing send's dead letter. Most channels need none: their
// callbacks carry our ids, and a campaign send's id names the campaign.

import type { DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import {
  type DeviceSendRow,
  deviceSends,
  type KeptSend,
} from '../../../storage/tables/device-send.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import { readableRow } from '../../readable-row.ts';
import type { RelaysReads } from '../../tenants/relays/reads.ts';
import type { RelayRecord } from '../../tenants/relays/records.ts';
import type { LateStatus, Origin, Receipt } from './records.ts';
import type { SettlementContext } from './settlement-effects.ts';

const nothingKept: DeviceSendRow = { sends: [], early: [], looks: 0, unreached: [] };

/**
 * Whether reports or answers may name a message of a channel by the provider's id alone; those of a
 * gateway for texts do, where it echoes nothing of ours.
 */
export function isNameKept(channel: ChannelId, app: RelaysReads): boolean {
  const { namesMessages, answersNameMessages } = catalog[channel];
  if (namesMessages === 'provider' || answersNameMessages === true) return true;
  if (app.relays.size === 0 && app.sharedRelays.length === 0) return false;
  const isGateway = (one: RelayRecord) => one.channel === channel && one.kind === 'http';
  return [...app.relays.values()].some(isGateway) || app.sharedRelays.some(isGateway);
}

interface Ended {
  readonly deviceId: string;
  readonly channel: ChannelId;
  readonly deadLetter?: string;
}

/** Whether a provider reports on sends of a channel after its answer. */
export function isCalledBack(channel: ChannelId): boolean {
  return catalog[channel].namesMessages !== undefined;
}

/** Rows of devices with the changes of one batch, each read and written once. */
export class DeviceSends {
  readonly #rows = new Map<string, DeviceSendRow>();
  readonly #changed = new Set<string>();
  readonly #app: RelaysReads;
  readonly #documents: SettlementContext['documents'];
  readonly #nowMs: Millis;

  constructor(
    app: RelaysReads,
    { documents, nowMs }: Pick<SettlementContext, 'documents' | 'nowMs'>,
  ) {
    this.#app = app;
    this.#documents = documents;
    this.#nowMs = nowMs;
  }

  of(deviceId: string): DeviceSendRow {
    const known = this.#rows.get(deviceId);
    if (known !== undefined) return known;
    const row = readableRow(this.#documents, deviceSends, [deviceId]) ?? nothingKept;
    this.#rows.set(deviceId, row);
    return row;
  }

  put(deviceId: string, row: DeviceSendRow): void {
    this.#rows.set(deviceId, row);
    this.#changed.add(deviceId);
  }

  /** Keeps what callbacks about this send will need. */
  ended(
    sendId: string,
    { deviceId, channel, deadLetter }: Ended,
    { status, providerMessageId }: Pick<Receipt, 'status' | 'providerMessageId'>,
    origin?: Pick<Origin, 'journeyId'>,
  ): void {
    const isMarketing = origin !== undefined && isCalledBack(channel);
    const hasFailed = isMarketing && status === 'failed';
    const isRedriven = isMarketing && deadLetter !== undefined;
    const isNamed = providerMessageId !== undefined && isNameKept(channel, this.#app);
    const journeyId = isCalledBack(channel) ? origin?.journeyId : undefined;
    const isNew = status !== 'suppressed' && (isNamed || journeyId !== undefined || hasFailed);
    if (!isNew && !isRedriven) return;
    const row = this.of(deviceId);
    const before = this.failed(sendId, deviceId);
    // A late bounce takes the recovery back.
    const landed =
      isRedriven && (status === 'delivered' || status === 'accepted') && before !== undefined
        ? { failedMs: before.failedMs, isLanded: true as const }
        : undefined;
    const isKept = isNew || landed !== undefined;
    const kept: KeptSend = {
      sendId,
      ...(isNamed ? { name: providerMessageId } : {}),
      ...(journeyId === undefined ? {} : { journeyId }),
      // A redrive that failed keeps the instant of the first letter.
      ...(hasFailed ? { failedMs: before?.failedMs ?? this.#nowMs } : landed),
    };
    const others = row.sends.filter(
      (one) => one !== before && (one.sendId !== sendId || one.name !== kept.name),
    );
    const all = isKept ? [...others, kept] : others;
    this.put(deviceId, { ...row, sends: all.slice(-limits.deviceSendsKept) });
  }

  /** What is kept of a failed marketing send, unless a redrive bounced. */
  failed(sendId: string, deviceId: string): (KeptSend & { readonly failedMs: Millis }) | undefined {
    return this.of(deviceId).sends.findLast(
      (one): one is KeptSend & { readonly failedMs: Millis } =>
        one.sendId === sendId && one.failedMs !== undefined,
    );
  }

  /** A late delivery keeps the letter's instant; a late bounce removes it. */
  endedLate(sendId: string, deviceId: string, status: LateStatus): void {
    const row = this.of(deviceId);
    const before = this.failed(sendId, deviceId);
    if (before === undefined) return;
    const { failedMs, isLanded: _landed, ...rest } = before;
    const after: KeptSend =
      status === 'bounced' ? rest : { ...rest, failedMs, isLanded: true as const };
    this.put(deviceId, { ...row, sends: row.sends.map((one) => (one === before ? after : one)) });
  }

  documents(): readonly DocumentWrite[] {
    return [...this.#changed].map((deviceId) => ({
      table: deviceSends,
      key: [deviceId],
      value: this.#rows.get(deviceId),
    }));
  }
}
