// What a call to a destination needs, opened where it is granted and never stored.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { SealError } from '../../../storage/sealed.ts';
import { type Sealer, settingPlace, webhookPlace } from '../../sealer.ts';
import {
  type DestinationRecord,
  type DestinationSecrets,
  legacyNumber,
  previousSecretMs,
} from './destination.ts';
import type { WebhooksView } from './memory.ts';
import type { WebhookGrant } from './protocol.ts';

export type OpenedDestination = Pick<WebhookGrant, 'type' | 'url' | 'headers' | 'secrets'>;

interface Reported {
  onUnreadable?(app: Ordinal, error: Error): void;
}

/** `undefined` if its master key is not configured; its deliveries wait. */
export function openDestination(
  app: Pick<WebhooksView, 'record' | 'settings'>,
  record: DestinationRecord,
  sealer: Pick<Sealer, 'open'>,
  { onUnreadable }: Reported,
  nowMs: Millis,
): OpenedDestination | undefined {
  const owner = app.record.ordinal;
  try {
    if (record.number === legacyNumber) return openLegacy(app, sealer);
    const { url, headers, secret, previous } = secretsOf(owner, record, sealer);
    const leftMs = (previous?.untilMs ?? 0) - nowMs;
    // More is left only of a rotation at a wrong time: its end must not be a year away.
    const isPreviousValid = previous !== undefined && leftMs > 0 && leftMs <= previousSecretMs;
    return {
      type: record.type === 'slack' ? 'slack' : 'webhook',
      url,
      headers,
      secrets: [
        ...(secret === undefined ? [] : [secret]),
        ...(isPreviousValid ? [previous.secret] : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    onUnreadable?.(owner, error);
    return undefined;
  }
}

export function secretsOf(
  owner: Ordinal,
  { number, sealed }: DestinationRecord,
  sealer: Pick<Sealer, 'open'>,
): DestinationSecrets {
  return JSON.parse(sealer.open(sealed, webhookPlace(owner, number))) as DestinationSecrets;
}

function openLegacy(
  { record, settings }: Pick<WebhooksView, 'record' | 'settings'>,
  sealer: Pick<Sealer, 'open'>,
): OpenedDestination | undefined {
  const { webhookUrl, secret } = settings;
  if (webhookUrl === null) return undefined;
  const place = settingPlace(record.ordinal, 'secret');
  const secrets = secret === null ? [] : [sealer.open(secret, place)];
  return { type: 'legacy', url: webhookUrl, headers: {}, secrets };
}
