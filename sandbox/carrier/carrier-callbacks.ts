// The carrier's signed posts to the product: what became of a message or call, and what people wrote back. Only ever to
// this machine, one after another for each message, and never in the way: whoever does not take them is counted and
// forgotten, as the carrier itself does. Easily got wrong: the signature covers the whole address, query included.

import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { z } from 'zod';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import { isLoopback } from '../same-machine.ts';

/** One signed form. */
export interface SignedPost {
  readonly url: string;
  readonly form: readonly (readonly [name: string, value: string])[];
  readonly authToken: string;
  /** Signed with another token: what the product must refuse. */
  readonly isForged?: boolean;
}

/** Messages whose callbacks are still to come; those of one more are dropped. */
export const playsMax = 5_000;
const socketsMax = 8;
const answerMsMax = 5_000;
const delayMsDefault = 100;
const delayMsMax = 60_000;

const setting = z.strictObject({
  on: z.boolean().optional(),
  delayMs: z.int().min(0).max(delayMsMax).optional(),
});

/** The callbacks of one channel, with the control route that holds and counts them. */
export class CarrierCallbacks {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: socketsMax });
  readonly #counts = { taken: 0, refused: 0, unanswered: 0, dropped: 0, elsewhere: 0 };
  readonly #timers = new Set<NodeJS.Timeout>();
  #plays = 0;
  #isOn = true;
  #delayMs = delayMsDefault;

  /** Posts these in order, a little later and a little apart. */
  play(posts: readonly SignedPost[]): void {
    if (!this.#isOn || posts.length === 0) return;
    if (this.#plays >= playsMax) {
      this.#counts.dropped += posts.length;
      return;
    }
    this.#plays++;
    this.#next(posts, 0);
  }

  /** Posts one now; the status of the answer, or what kept it from having one. */
  async post({ url, form, authToken, isForged }: SignedPost): Promise<number | string> {
    if (!isOnThisMachine(url)) {
      this.#counts.elsewhere++;
      return 'callbacks go to this machine only, over http';
    }
    const token = isForged === true ? `not ${authToken}` : authToken;
    const signature = carrierSignature(token, url, form);
    const body = new URLSearchParams(form as [string, string][]).toString();
    const status = await this.#send(url, body, signature);
    if (typeof status === 'string') this.#counts.unanswered++;
    else if (status < 300) this.#counts.taken++;
    else this.#counts.refused++;
    return status;
  }

  /** The control routes of this channel's callbacks. */
  controls(channel: string): readonly ControlRoute[] {
    const path = `/${channel}/callbacks`;
    const view = () =>
      ok({ on: this.#isOn, delayMs: this.#delayMs, waiting: this.#plays, ...this.#counts });
    return [
      {
        method: 'GET',
        path,
        about: 'Whether callbacks are posted, and how they fared. Nobody has to take them.',
        handle: view,
      },
      {
        method: 'POST',
        path,
        about: '{on?, delayMs?}: posts no more callbacks, or posts them sooner or later.',
        handle: ({ body }) => {
          const parsed = parseControl(setting, body);
          if ('refusal' in parsed) return parsed.refusal;
          this.#isOn = parsed.value.on ?? this.#isOn;
          this.#delayMs = parsed.value.delayMs ?? this.#delayMs;
          return view();
        },
      },
    ];
  }

  /** Posts nothing more. */
  close(): void {
    this.#isOn = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#agent.destroy();
  }

  #next(posts: readonly SignedPost[], index: number): void {
    const post = this.#isOn ? posts[index] : undefined;
    if (post === undefined) {
      this.#plays--;
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.post(post).then(() => this.#next(posts, index + 1)); // it resolves, whatever came of it
    }, this.#delayMs);
    timer.unref();
    this.#timers.add(timer);
  }

  #send(url: string, body: string, signature: string): Promise<number | string> {
    return new Promise((resolve) => {
      const call = request(
        url,
        {
          agent: this.#agent,
          method: 'POST',
          timeout: answerMsMax,
          headers: {
            'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
            'content-length': Buffer.byteLength(body),
            // The real carrier's name for it, and the specification's.
            'x-twilio-signature': signature,
            'x-carrier-signature': signature,
          },
        },
        (response) => {
          response.resume();
          response.once('error', () => undefined); // the status has been read; the rest says nothing
          resolve(response.statusCode ?? 0);
        },
      );
      call.once('timeout', () => call.destroy(new Error('no answer in time')));
      call.once('error', (error) => resolve(error.message));
      call.end(body);
    });
  }
}

function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** base64 of HMAC-SHA1 over the address, then each name and value, by name. No name comes twice in what is posted here. */
function carrierSignature(authToken: string, url: string, form: SignedPost['form']): string {
  const signing = createHmac('sha1', authToken).update(url);
  for (const [name, value] of [...form].sort(([a], [b]) => (a < b ? -1 : 1))) {
    signing.update(name + value);
  }
  return signing.digest('base64');
}
