// Keeps, of the newest sends to a device, what a callback about one will not say: some providers
// name a message by a name of their own, the id of a journey's send does not name the journey, and
// no marketing send has a row that names its dead letter. Most channels and lanes need nothing of
// it: their callbacks carry our ids, and the id of a campaign's send names the campaign.

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
import type { SettlementContext } from './aftermath.ts';
import type { Origin, Receipt } from './protocol.ts';
import { readableRow } from './read-row.ts';

export const nothingKept: DeviceSendRow = { sends: [], early: [], looks: 0, unreached: [] };

/** Whether sends on a channel are found by the provider's own name for them. */
export function isNamedByProvider(channel: ChannelId): boolean {
  return catalog[channel].namesMessages === 'provider';
}

interface Ended {
  readonly deviceId: string;
  readonly channel: ChannelId;
  readonly deadLetter?: string;
}

/** Whether a provider tells anything of sends on a channel after its answer. */
export function isCalledBack(channel: ChannelId): boolean {
  return catalog[channel].namesMessages !== undefined;
}

/** The rows of devices as one batch leaves them, each read and written once. */
export class DeviceSends {
  readonly #rows = new Map<string, DeviceSendRow>();
  readonly #changed = new Set<string>();
  readonly #documents: SettlementContext['documents'];
  readonly #nowMs: Millis;

  constructor({ documents, nowMs }: Pick<SettlementContext, 'documents' | 'nowMs'>) {
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

  /** A send to a device ended; what its callbacks will need is kept. */
  ended(
    sendId: string,
    { deviceId, channel, deadLetter }: Ended,
    { status, providerMessageId }: Pick<Receipt, 'status' | 'providerMessageId'>,
    origin?: Pick<Origin, 'journeyId'>,
  ): void {
    const isMarketing = origin !== undefined && isCalledBack(channel);
    const hasFailed = isMarketing && status === 'failed';
    const isRedriven = isMarketing && deadLetter !== undefined;
    const isNamed = providerMessageId !== undefined && isNamedByProvider(channel);
    const journeyId = isCalledBack(channel) ? origin?.journeyId : undefined;
    const isKept = status !== 'suppressed' && (isNamed || journeyId !== undefined || hasFailed);
    if (!isKept && !isRedriven) return;
    const row = this.of(deviceId);
    const before = this.failed(sendId, deviceId);
    const kept: KeptSend = {
      sendId,
      ...(isNamed ? { name: providerMessageId } : {}),
      ...(journeyId === undefined ? {} : { journeyId }),
      // A letter that was sent again in vain is still the first one.
      ...(hasFailed ? { failedMs: before?.failedMs ?? this.#nowMs } : {}),
    };
    const others = row.sends.filter(
      (one) => one !== before && (one.sendId !== sendId || one.name !== kept.name),
    );
    const all = isKept ? [...others, kept] : others;
    this.put(deviceId, { ...row, sends: all.slice(-limits.deviceSendsKept) });
  }

  /** What is kept of a marketing send that had failed, unless it was sent again since. */
  failed(sendId: string, deviceId: string): (KeptSend & { readonly failedMs: Millis }) | undefined {
    return this.of(deviceId).sends.findLast(
      (one): one is KeptSend & { readonly failedMs: Millis } =>
        one.sendId === sendId && one.failedMs !== undefined,
    );
  }

  /** It landed after all, or bounced, and then there is no letter any more. */
  toldLate(sendId: string, deviceId: string, status: 'delivered' | 'bounced'): void {
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
