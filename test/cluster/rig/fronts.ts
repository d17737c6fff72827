// Calls to any of the engines as a client behind a simple balancer makes them: to one at random,
// and what came of it in three words.

import { request } from 'undici';
import { below, type Rng } from '../../../engine/base/rng.ts';
import type { End } from './history.ts';

interface Answer {
  readonly end: End;
  /** 0 where there was none. */
  readonly status: number;
  /** Unchecked, and `undefined` where it is not JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly key: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which front; one at random without it. */
  readonly front?: number;
}

/** After that nobody waits for an answer: what the call did is unknown. */
const answerMs = 8_000;
/** Answers that promise that nothing was done. */
const refusals = new Set([401, 403, 404, 409, 421, 429, 503, 507]);

export class Fronts {
  readonly #urls: readonly string[];
  readonly #rng: Rng;
  /** How often which status came; 0 where no answer did. */
  readonly statuses = new Map<number, number>();

  constructor(urls: readonly string[], rng: Rng) {
    this.#urls = urls;
    this.#rng = rng;
  }

  get count(): number {
    return this.#urls.length;
  }

  /** Never throws for what a server or the network does. */
  async call(request: Request): Promise<Answer> {
    const answer = await this.#call(request);
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }

  async #call({ method, path, key, body, headers = {}, front }: Request): Promise<Answer> {
    const index = front ?? below(this.#rng, this.#urls.length);
    try {
      const response = await request(`${this.#urls[index % this.#urls.length]}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      });
      const text = await response.body.text();
      const status = response.statusCode;
      const isJson = String(response.headers['content-type']).startsWith('application/json');
      const json = isJson && text !== '' ? JSON.parse(text) : undefined;
      return { end: status < 300 ? 'acknowledged' : endOf(status), status, json };
    } catch (error) {
      const refused = (error as { readonly code?: string }).code === 'ECONNREFUSED';
      return { end: refused ? 'refused' : 'unknown', status: 0, json: undefined };
    }
  }

  /** Calls until it is answered with a 2xx; throws after two minutes. For what a run needs. */
  async must(request: Request): Promise<Answer['json']> {
    const endMs = performance.now() + 120_000;
    for (let tries = 0; ; tries++) {
      const { end, status, json } = await this.call({ front: tries, ...request });
      if (end === 'acknowledged') return json;
      const words = `${request.method} ${request.path}: ${status} ${JSON.stringify(json)}`;
      // A node that does not know a key or an app may not have heard of it yet.
      const isLasting = status >= 400 && status < 500 && ![401, 404, 421, 429].includes(status);
      if (isLasting || performance.now() > endMs) throw new Error(words);
      // Each front is asked before it waits.
      if (tries % this.count === this.count - 1)
        await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

function endOf(status: number): End {
  return refusals.has(status) || status === 400 ? 'refused' : 'unknown';
}
