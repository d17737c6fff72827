// How large a previewed message is against what its channel takes: bytes of a push, parts of an
// SMS, characters of a chat. What is too large is refused by the server; this says it before.

import type { Channel } from '../api/generated.ts';
import { lookOf, type PreviewItem } from './look-of.ts';

type ChatChannel = Exclude<Channel, 'fcm' | 'apns' | 'webpush' | 'email' | 'sms' | 'voice'>;

export interface Measure {
  readonly unit: 'bytes' | 'characters' | 'parts';
  readonly used: number;
  /** Absent for SMS parts, which only cost more. */
  readonly max?: number;
  readonly alphabet?: 'GSM-7' | 'UCS-2';
  /** Of an SMS. */
  readonly characters?: number;
}

const pushBytesMax = 4_096;
const mailBytesMax = 524_288;
/** Gmail cuts a mail's HTML here and hides the rest, the unsubscribe link too. */
export const clippedBytes = 102 * 1_024;
const chatMax: Readonly<Record<ChatChannel, number>> = {
  whatsapp: 4_096,
  telegram: 4_096,
  rcs: 3_072,
  line: 5_000,
  zalo: 2_000,
  viber: 7_000,
  kakao: 1_000,
};
/** Beneath a picture. */
const captionMax: Readonly<Record<ChatChannel, number>> = {
  ...chatMax,
  whatsapp: 1_024,
  telegram: 1_024,
  rcs: 2_000,
};
const callCharactersMax = 4_000;

export function measureOf(item: PreviewItem): Measure | undefined {
  const { channel, payload } = item;
  if (payload === undefined) return undefined;
  switch (channel) {
    case 'fcm':
    case 'apns':
    case 'webpush':
      return { unit: 'bytes', used: bytesOf(JSON.stringify(payload)), max: pushBytesMax };
    case 'email':
      return { unit: 'bytes', used: bytesOf(String(payload['html'] ?? '')), max: mailBytesMax };
    case 'sms': {
      const text = String(payload['Body'] ?? '');
      const { alphabet, parts } = smsParts(text);
      return { unit: 'parts', used: parts, alphabet, characters: [...text].length };
    }
    case 'voice':
      return {
        unit: 'characters',
        used: String(payload['Twiml'] ?? '').length,
        max: callCharactersMax,
      };
    default: {
      const { text = '', image } = lookOf(item, { at: '', appName: '' });
      const max = image === undefined ? chatMax[channel] : captionMax[channel];
      const used = [...text].length;
      return max === undefined ? undefined : { unit: 'characters', used, max };
    }
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

const gsm =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const gsmPlaces = new Map([
  ...[...gsm].map((sign) => [sign, 1] as const),
  ...[...'\f^{}\\[~]|€'].map((sign) => [sign, 2] as const),
]);

/**
 * What an SMS costs: one character outside the GSM alphabet, such as a curly quote, makes all of it
 * UCS-2, with less than half per part. Source: 3GPP TS 23.038 6.2.1.
 */
export function smsParts(text: string): {
  readonly alphabet: 'GSM-7' | 'UCS-2';
  readonly parts: number;
} {
  const places = [...text].map((sign) => gsmPlaces.get(sign));
  if (!places.includes(undefined))
    return { alphabet: 'GSM-7', parts: partsOf(places as number[], 160, 153) };
  const units = [...text].map((sign) => sign.length);
  return { alphabet: 'UCS-2', parts: partsOf(units, 70, 67) };
}

/** Never splits a character. A single part has more room, without a header. */
function partsOf(places: readonly number[], alone: number, joined: number): number {
  if (places.reduce((sum, place) => sum + place, 0) <= alone) return 1;
  let parts = 1;
  let used = 0;
  for (const place of places) {
    if (used + place > joined) {
      parts++;
      used = 0;
    }
    used += place;
  }
  return parts;
}
