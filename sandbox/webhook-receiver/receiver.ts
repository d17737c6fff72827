// A receiver of webhooks for the inbox page: keeps the newest deliveries, and answers as a person
// chose or as the last part of its URL says (`/receiver/gone`).

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Millis } from '../../engine/base/brand.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { readBody, sendAnswer } from '../http-shell.ts';

export const receiverMount = '/receiver';

export const receiverAnswers = ['200', '410', '500', 'hang'] as const;
type ReceiverAnswer = (typeof receiverAnswers)[number];

/** Ends of a URL that always answer the same. */
export const receiverPaths: Readonly<Record<string, ReceiverAnswer>> = {
  '/gone': '410',
  '/broken': '500',
  '/hang': 'hang',
};

export interface ReceivedDelivery {
  readonly id: number;
  readonly atMs: Millis;
  /** After the mount: `` or `/gone`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly answer: ReceiverAnswer;
}

const deliveriesMax = 200;
const bodyBytesMax = 256 * 1024;
const announceEveryMs = 200;

export class WebhookReceiver {
  answer: ReceiverAnswer = '200';
  secrets: readonly string[] = [];
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #deliveries: ReceivedDelivery[] = [];
  #nextId = 1;
  #announcing: NodeJS.Timeout | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Newest first. */
  get deliveries(): readonly ReceivedDelivery[] {
    return this.#deliveries;
  }

  /** How many attempts of this one's delivery had come when it came. */
  attemptOf({ id, headers }: ReceivedDelivery): number {
    const name = headers['x-engage-delivery-id'];
    if (name === undefined) return 1;
    return this.#deliveries.filter(
      (other) => other.id <= id && other.headers['x-engage-delivery-id'] === name,
    ).length;
  }

  /** `path` follows the mount. Rejects only for a bug. */
  async serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const body = await readBody(request, bodyBytesMax);
    if (body === 'aborted') return;
    if (body === 'too_large') {
      response.shouldKeepAlive = false;
      send(response, 413);
      return;
    }
    const answer = receiverPaths[path] ?? this.answer;
    const id = this.#nextId++;
    const one = { id, atMs: this.#clock.now(), path, headers: request.headers, body, answer };
    this.#deliveries = [one, ...this.#deliveries.slice(0, deliveriesMax - 1)];
    this.#announceSoon();
    if (answer !== 'hang') send(response, Number(answer));
  }

  clear(): void {
    this.#deliveries = [];
    this.#announceSoon();
  }

  /** As at its start. */
  reset(): void {
    this.answer = '200';
    this.secrets = [];
    this.clear();
  }

  /** Calls `listener` after deliveries, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearTimeout(this.#announcing);
  }

  #announceSoon(): void {
    if (this.#announcing !== undefined || this.#listeners.size === 0) return;
    this.#announcing = setTimeout(() => {
      this.#announcing = undefined;
      for (const listener of this.#listeners) listener();
    }, announceEveryMs);
    this.#announcing.unref();
  }
}

function send(response: ServerResponse, status: number): void {
  const headers = { 'content-type': 'text/plain; charset=UTF-8' };
  sendAnswer(response, { status, headers, body: status === 200 ? 'ok' : `answered ${status}` });
}
