// The HTML of previewed mails, each for a frame of its own: the policy of a page would drop every
// inline style of a mail within it. In memory alone: a restart forgets them, and a preview is made
// again in a moment.

import type { Millis, Ordinal } from '../engine/base/brand.ts';
import type { Rng } from '../engine/base/rng.ts';

const mailPreviewMs = 5 * 60_000;
/** Of all texts, in characters; the oldest go first. */
const charactersMax = 33_554_432;
/** Of one app, so that no other app's previews go for it. */
const charactersOfAppMax = 4_194_304;

interface Kept {
  readonly app: Ordinal;
  readonly html: string;
  readonly endsMs: Millis;
}

export class MailPreviews {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();
  readonly #ofApps = new Map<Ordinal, number>();
  #characters = 0;

  /** Returns its token. */
  keep(app: Ordinal, html: string, nowMs: Millis, rng: Rng): string {
    const token = Buffer.from(Uint32Array.from({ length: 8 }, () => rng.uint32()).buffer).toString(
      'base64url',
    );
    this.#kept.set(token, { app, html, endsMs: (nowMs + mailPreviewMs) as Millis });
    this.#characters += html.length;
    this.#ofApps.set(app, (this.#ofApps.get(app) ?? 0) + html.length);
    this.#dropOld(app, nowMs);
    return token;
  }

  /** `undefined` once it is over, and for what was never a token. */
  read(token: string, nowMs: Millis): string | undefined {
    const kept = this.#kept.get(token);
    return kept === undefined || kept.endsMs <= nowMs ? undefined : kept.html;
  }

  #dropOld(app: Ordinal, nowMs: Millis): void {
    for (const [token, kept] of this.#kept) {
      const isOver = kept.endsMs <= nowMs || this.#characters > charactersMax;
      const isFull = (this.#ofApps.get(app) ?? 0) > charactersOfAppMax;
      if (!isOver && !isFull) return;
      if (isOver || kept.app === app) this.#drop(token, kept);
    }
  }

  #drop(token: string, { app, html }: Kept): void {
    this.#kept.delete(token);
    this.#characters -= html.length;
    const left = (this.#ofApps.get(app) ?? 0) - html.length;
    if (left > 0) this.#ofApps.set(app, left);
    else this.#ofApps.delete(app);
  }
}
