// Which clicks a scanner made: nobody follows two links of one mail within a second. The first
// click of a burst is recorded before that is known, and stays a person's. Nothing durable: after a
// restart it begins anew.

import type { Tracked } from '../../actors/channels/email/tracked.ts';
import { type Millis, secondMs } from '../../engine/base/brand.ts';

/** Whether a click comes within a second of a click on another link of the same mail. */
type IsBurst = (tracked: Tracked) => boolean;

const windowMs: Millis = secondMs;
/** Mails that were clicked last; of more, the oldest is forgotten. */
const mailsMax = 10_000;

interface LastClick {
  readonly url: string;
  readonly atMs: Millis;
  /** It was one of a burst, so the next within a second is, too. */
  readonly isBurst: boolean;
}

export function clickBursts(now: () => Millis): IsBurst {
  const last = new Map<string, LastClick>();
  return (tracked) => {
    if (tracked.kind !== 'clicked') return false;
    const { sendId, deviceId, url } = tracked;
    const key = `${sendId}|${deviceId}`;
    const atMs = now();
    const before = last.get(key);
    const isNear = before !== undefined && Math.abs(atMs - before.atMs) < windowMs;
    const isBurst = isNear && (before.isBurst || before.url !== url);
    last.delete(key);
    last.set(key, { url, atMs, isBurst });
    if (last.size > mailsMax) {
      for (const oldest of last.keys()) {
        last.delete(oldest);
        break;
      }
    }
    return isBurst;
  };
}
