// GET /control/events: the inbox's Server-Sent Events. `messages`: the newest, and how many more;
// `cleared`: all removed; `webhooks`: deliveries came; `ready`: first and after reconnecting. A
// slow page is disconnected rather than buffered for; it reconnects and lists again.

import type { ServerResponse } from 'node:http';
import type { Ledger, LedgerChange } from './ledger.ts';
import { summaryOf } from './search.ts';
import type { WebhookReceiver } from './webhook-receiver/receiver.ts';

const listenersMax = 32;
/** Per event; of a larger burst only the newest. */
const messagesPerEventMax = 50;
const heartbeatMs = 15_000;
const backlogBytesMax = 1024 * 1024;

export class EventStreams {
  readonly #ledger: Ledger;
  readonly #receiver: WebhookReceiver;
  readonly #open = new Set<ServerResponse>();

  constructor(ledger: Ledger, receiver: WebhookReceiver) {
    this.#ledger = ledger;
    this.#receiver = receiver;
  }

  /** 503 when there are too many. */
  attach(response: ServerResponse): void {
    if (this.#open.size >= listenersMax) {
      response.writeHead(503, { 'retry-after': '5' }).end();
      return;
    }
    this.#open.add(response);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(`retry: 1000\n${eventText('ready', { held: this.#ledger.held })}`);
    // Contents load asynchronously, so a chain keeps the order.
    let last = Promise.resolve();
    const stop = this.#ledger.listen((news) => {
      last = last.then(async () => write(response, await this.#textOf(news)));
    });
    const stopReceiver = this.#receiver.listen(() => write(response, eventText('webhooks', {})));
    const heartbeat = setInterval(() => write(response, ':\n\n'), heartbeatMs);
    heartbeat.unref();
    response.on('close', () => {
      clearInterval(heartbeat);
      stop();
      stopReceiver();
      this.#open.delete(response);
    });
  }

  close(): void {
    for (const response of this.#open) response.destroy();
  }

  async #textOf(news: LedgerChange): Promise<string> {
    if (news.kind === 'cleared') return eventText('cleared', {});
    const messages = [];
    let more = 0;
    for (const message of this.#ledger.newestFirst(news.afterId)) {
      if (messages.length < messagesPerEventMax) messages.push(message);
      else more++;
    }
    const summaries = await Promise.all(
      messages.map((message) => summaryOf(this.#ledger, message)),
    );
    return eventText('messages', { messages: summaries, more, held: this.#ledger.held });
  }
}

function eventText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function write(response: ServerResponse, text: string): void {
  if (response.writableLength > backlogBytesMax) response.destroy();
  else if (!response.destroyed) response.write(text);
}
