// What mail services have told of the mails that they took, in whatever order, kept as plain facts
// for whoever checks. A fact is sure once the app has acknowledged it and has not said that it
// means nothing to it.

import type { RelayEventKind } from '../../actors/channels/port/relay-events.ts';

/** What was told of one mail. */
interface ToldMail {
  readonly kinds: Set<RelayEventKind>;
  /** Something of it was not heard: the person is gone, or nobody knows whose mail it was. */
  isUnsure: boolean;
}

const failures: readonly RelayEventKind[] = ['soft_bounce', 'hard_bounce', 'refused'];
const arrivals: readonly RelayEventKind[] = ['delivered', 'complained', 'unsubscribed'];

export class ToldMails {
  readonly #mails = new Map<string, ToldMail>();

  /** It is true from now on, whether or not the answer comes. */
  tell(sendId: string, deviceId: string, kind: RelayEventKind): void {
    this.#of(`${sendId}|${deviceId}`).kinds.add(kind);
  }

  unsure(sendId: string, deviceId: string): void {
    this.#of(`${sendId}|${deviceId}`).isUnsure = true;
  }

  *all(): Generator<{ sendId: string; deviceId: string; told: ToldMail }> {
    for (const [key, told] of this.#mails) {
      const [sendId = '', deviceId = ''] = key.split('|');
      yield { sendId, deviceId, told };
    }
  }

  /** The kinds told of any mail of a send, and whether all of it was surely heard. */
  ofSend(sendId: string, deviceId: string): ToldMail | undefined {
    return this.#mails.get(`${sendId}|${deviceId}`);
  }

  #of(key: string): ToldMail {
    let told = this.#mails.get(key);
    if (told === undefined) this.#mails.set(key, (told = { kinds: new Set(), isUnsure: false }));
    return told;
  }
}

/**
 * The newest receipt that a device must have, from what its relay answered and what was told of it
 * later: a failure is final, whatever else was told before or after it.
 */
export function statusTold(
  answered: string | undefined,
  kinds: ReadonlySet<RelayEventKind>,
): string | undefined {
  // Nothing left, or it was refused there and then.
  if (answered === 'suppressed' || answered === 'bounced') return answered;
  if (failures.some((kind) => kinds.has(kind))) return 'bounced';
  if (arrivals.some((kind) => kinds.has(kind))) return 'delivered';
  return answered === 'failed' ? 'accepted' : answered;
}
