// The HTML of previewed mails, each for a frame of its own: the policy of a page would drop every
// inline style of a mail within it. In memory alone: a restart forgets them, and a preview is made
// again in a moment.

import { slotOf } from '../../engine/actor/placement.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import type { Rng } from '../../engine/base/rng.ts';

const mailPreviewMs = 5 * 60_000;
/** Of all texts, in characters; the oldest of the org that has the most go first. */
const charactersMax = 33_554_432;
/** Of one org with its apps. */
const charactersOfOrgMax = 4_194_304;

interface Kept {
  /** The app's slot, which its org's other apps share. */
  readonly slot: number;
  readonly html: string;
  readonly endsMs: Millis;
}

export class MailPreviews {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();
  readonly #ofSlots = new Map<number, number>();
  #characters = 0;

  /** Returns its token, which names the app's slot: only the server that made it knows it. */
  keep(app: Ordinal, html: string, nowMs: Millis, rng: Rng): string {
    const slot = slotOf(app);
    const random = Buffer.from(Uint32Array.from({ length: 8 }, () => rng.uint32()).buffer);
    const token = `${random.toString('base64url')}.${slot}`;
    this.#kept.set(token, { slot, html, endsMs: (nowMs + mailPreviewMs) as Millis });
    this.#characters += html.length;
    this.#ofSlots.set(slot, (this.#ofSlots.get(slot) ?? 0) + html.length);
    this.#dropOver(nowMs);
    this.#dropOldest(slot, () => (this.#ofSlots.get(slot) ?? 0) <= charactersOfOrgMax);
    while (this.#characters > charactersMax) this.#dropOldest(this.#largest());
    return token;
  }

  /** `undefined` once it is over, and for what was never a token. */
  read(token: string, nowMs: Millis): string | undefined {
    const kept = this.#kept.get(token);
    return kept === undefined || kept.endsMs <= nowMs ? undefined : kept.html;
  }

  #dropOver(nowMs: Millis): void {
    for (const [token, kept] of this.#kept) {
      if (kept.endsMs > nowMs) return;
      this.#drop(token, kept);
    }
  }

  /** Drops an org's previews, oldest first, while there are too many; one by default. */
  #dropOldest(slot: number, isDone?: () => boolean): void {
    for (const [token, kept] of this.#kept) {
      if (isDone?.() === true) return;
      if (kept.slot !== slot) continue;
      this.#drop(token, kept);
      if (isDone === undefined) return;
    }
  }

  #largest(): number {
    let largest = -1;
    for (const [slot, characters] of this.#ofSlots)
      if (characters > (this.#ofSlots.get(largest) ?? 0)) largest = slot;
    return largest;
  }

  #drop(token: string, { slot, html }: Kept): void {
    this.#kept.delete(token);
    this.#characters -= html.length;
    const left = (this.#ofSlots.get(slot) ?? 0) - html.length;
    if (left > 0) this.#ofSlots.set(slot, left);
    else this.#ofSlots.delete(slot);
  }
}
