// Keeps, of the newest sends to a device, what a callback about one will not say: Viber and Zalo name a message by a name of
// their own, and the id of a journey's send does not say which journey it was of. Easily got wrong: of most channels and
// lanes nothing is kept, since their callbacks carry our ids, and ids of campaigns say whose they are.

import type { DocumentWrite } from '../../engine/actor/message.ts';
import {
  type DeviceSendRow,
  deviceSends,
  type KeptSend,
} from '../../storage/tables/device-send.ts';
import type { ChannelId } from '../channels/catalog.ts';
import { limits } from '../limits.ts';
import type { SettlementContext } from './aftermath.ts';
import type { Origin, Receipt } from './protocol.ts';
import { readableRow } from './read-row.ts';

/** Channels whose callbacks name a message by the provider's own name alone. */
const namedByProvider: ReadonlySet<ChannelId> = new Set(['viber', 'zalo']);
/** Channels from which anything comes after the answer. */
const calledBack: ReadonlySet<ChannelId> = new Set([
  ...(['sms', 'voice', 'whatsapp', 'rcs', 'kakao'] as const),
  ...namedByProvider,
]);

export const nothingKept: DeviceSendRow = { sends: [], early: [], looks: 0, unreached: [] };

/** Whether sends on a channel are found by the provider's own name for them. */
export function isNamedByProvider(channel: ChannelId): boolean {
  return namedByProvider.has(channel);
}

/** The rows of devices as one batch leaves them, each read and written once. */
export class DeviceSends {
  readonly #rows = new Map<string, DeviceSendRow>();
  readonly #changed = new Set<string>();
  readonly #documents: SettlementContext['documents'];

  constructor({ documents }: Pick<SettlementContext, 'documents'>) {
    this.#documents = documents;
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
    { deviceId, channel }: { readonly deviceId: string; readonly channel: ChannelId },
    { status, providerMessageId }: Pick<Receipt, 'status' | 'providerMessageId'>,
    origin?: Pick<Origin, 'journeyId'>,
  ): void {
    const isNamed = providerMessageId !== undefined && namedByProvider.has(channel);
    const journeyId = calledBack.has(channel) ? origin?.journeyId : undefined;
    if (status === 'suppressed' || (!isNamed && journeyId === undefined)) return;
    const row = this.of(deviceId);
    const kept: KeptSend = {
      sendId,
      ...(isNamed ? { name: providerMessageId } : {}),
      ...(journeyId === undefined ? {} : { journeyId }),
    };
    const others = row.sends.filter((one) => one.sendId !== sendId || one.name !== kept.name);
    this.put(deviceId, { ...row, sends: [...others, kept].slice(-limits.deviceSendsKept) });
  }

  documents(): readonly DocumentWrite[] {
    return [...this.#changed].map((deviceId) => ({
      table: deviceSends,
      key: [deviceId],
      value: this.#rows.get(deviceId),
    }));
  }
}
