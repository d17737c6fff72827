// Callbacks to the product: delivery reports and people's replies. On this machine only, in
// sequence per message, never delaying a response. Failed ones are counted and dropped.

import { Agent, request } from 'node:http';
import { z } from 'zod';
import { type ControlRoute, ok, parseControl } from './control-route.ts';
import { isLoopback } from './same-machine.ts';

/** A signed call. */
export interface Post {
  readonly url: string;
  /** Default POST. */
  readonly method?: 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Messages with pending callbacks; further ones get none. */
const playsMax = 5_000;
const socketsMax = 8;
const answerMsMax = 5_000;
const delayMsDefault = 100;
const delayMsMax = 60_000;

const setting = z.strictObject({
  on: z.boolean().optional(),
  delayMs: z.int().min(0).max(delayMsMax).optional(),
});

/** One channel's callbacks and control routes. */
export class Callbacks {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: socketsMax });
  readonly #counts = { taken: 0, refused: 0, unanswered: 0, dropped: 0, elsewhere: 0 };
  readonly #timers = new Set<NodeJS.Timeout>();
  #plays = 0;
  #isOn = true;
  #delayMs = delayMsDefault;

  /** Posts in order, with short delays. */
  play(posts: readonly Post[]): void {
    if (!this.#isOn || posts.length === 0) return;
    if (this.#plays >= playsMax) {
      this.#counts.dropped += posts.length;
      return;
    }
    this.#plays++;
    this.#next(posts, 0);
  }

  /** Posts one now: the response's status, or why there was none. */
  async post(post: Post): Promise<number | string> {
    if (!isOnThisMachine(post.url)) {
      this.#counts.elsewhere++;
      return 'callbacks go to this machine only, over http';
    }
    const status = await this.#send(post);
    if (typeof status === 'string') this.#counts.unanswered++;
    else if (status < 300) this.#counts.taken++;
    else this.#counts.refused++;
    return status;
  }

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

  close(): void {
    this.#isOn = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#agent.destroy();
  }

  #next(posts: readonly Post[], index: number): void {
    const post = this.#isOn ? posts[index] : undefined;
    if (post === undefined) {
      this.#plays--;
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // it never rejects
      void this.post(post).then(() => this.#next(posts, index + 1));
    }, this.#delayMs);
    timer.unref();
    this.#timers.add(timer);
  }

  #send({ url, method, headers, body }: Post): Promise<number | string> {
    return new Promise((resolve) => {
      const call = request(
        url,
        {
          agent: this.#agent,
          method: method ?? 'POST',
          timeout: answerMsMax,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          response.resume();
          // only the status matters
          response.once('error', () => undefined);
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
