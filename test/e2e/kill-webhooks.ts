// Webhooks under the kill -9 test: a receiver that outlives the server, now and then slow, failing
// or done with a delivery for good. Afterwards it must have heard of each outcome and of each
// campaign once, and the ledger must agree with it about every delivery.

import { hash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { until } from '../support/server.ts';
import type { Campaigns } from './kill-campaigns.ts';
import type { Load, Row } from './kill-load.ts';
import { inTurns, isExcused } from './kill-verdict.ts';

/** What the receiver knows of a delivery. */
interface Received {
  readonly app: string;
  readonly body: string;
  readonly event: Row;
  /** When the attempts arrived that took it, or refused it for good. */
  readonly endedAt: number[];
  attempts: number;
}

/** A second attempt comes after a minute; what a kill interrupted may wait for several. */
const quietMs = 300_000;

/** States of the ledger from which a delivery goes on by itself. */
const unfinished = ['pending', 'retrying'];

export class WebhookReceiver {
  /** By id. */
  readonly #received = new Map<string, Received>();
  readonly #problems: string[];
  /** Attempts that were answered with an error. */
  failed = 0;

  private constructor(problems: string[]) {
    this.#problems = problems;
  }

  get deliveries(): number {
    return this.#received.size;
  }

  /** Listens, and subscribes to the messages of the load and the campaigns of `mailing`. */
  static async start(t: Test, load: Load, mailing: string): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(load.problems);
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const app = (request.url ?? '').slice(1);
        receiver.#take(app, Buffer.concat(chunks).toString(), response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const subscribe = (app: string, events: readonly string[]) =>
      load.ask(`PUT /v1/apps/${app}/integrations/webhook`, { url: `${url}/${app}`, events });
    await subscribe(load.app, ['message.*', 'subscriber.unsubscribed']);
    await subscribe(mailing, ['message.delivered', 'campaign.completed']);
    return receiver;
  }

  /** The same delivery always meets the same luck. */
  #take(app: string, body: string, response: ServerResponse): void {
    const event: Row = JSON.parse(body);
    const before = this.#received.get(event.id);
    const one = before ?? { app, body, event, endedAt: [], attempts: 0 };
    this.#received.set(event.id, one);
    if (one.body !== body) this.#problems.push(`delivery ${event.id} has other bytes than before`);
    one.attempts++;
    const luck = luckOf(event.id);
    const arrivedAt = Date.now();
    const answer = (status: number) => {
      if (status === 500) this.failed++;
      else one.endedAt.push(arrivedAt);
      response.writeHead(status).end();
    };
    if (luck === 'fails_once' && one.attempts === 1) answer(500);
    else if (luck === 'gone') answer(410);
    else if (luck === 'slow') setTimeout(() => answer(204), 300);
    else answer(204);
  }

  /** `killed`: when. */
  async verify(load: Load, campaigns: Campaigns, killed: readonly number[]): Promise<void> {
    for (const app of [load.app, campaigns.app]) await this.#verifyLedger(load, app);
    this.#verifyRepeats(killed);
    await this.#verifySends(load);
    this.#verifyCampaigns(campaigns);
  }

  async #verifyLedger(load: Load, app: string): Promise<void> {
    const path = `/v1/apps/${app}/webhook-deliveries?limit=200`;
    let open: Row[] = [];
    await until(
      async () => {
        const pages = unfinished.map((status) => load.pages(`${path}&status=${status}`));
        open = (await Promise.all(pages)).flat();
        return open.length === 0;
      },
      () => `${open.length} deliveries are not done: ${JSON.stringify(open[0])}`,
      quietMs,
    );
    const rows = await load.pages(path);
    const known = new Set(rows.map(({ id }) => id));
    if (known.size !== rows.length)
      this.#problems.push(`${rows.length - known.size} deliveries are in the ledger twice`);
    for (const { id, status } of rows) {
      const wanted = luckOf(id) === 'gone' ? 'stopped' : 'delivered';
      const one = this.#received.get(id);
      if (status !== wanted || one === undefined || one.endedAt.length === 0)
        this.#problems.push(`delivery ${id} is ${status}, arrived ${one?.attempts ?? 0} times`);
    }
    for (const [id, one] of this.#received)
      if (one.app === app && !known.has(id)) this.#problems.push(`the ledger lost delivery ${id}`);
  }

  /** A delivery that was taken leaves again only if a kill hid the answer. */
  #verifyRepeats(killed: readonly number[]): void {
    for (const [id, { endedAt }] of this.#received)
      for (const [index, at] of endedAt.slice(0, -1).entries())
        if (!isExcused(killed, at, endedAt[index + 1] ?? at))
          this.#problems.push(`delivery ${id} was taken again without a kill: ${endedAt}`);
  }

  /** The receiver heard of each outcome of each device once. */
  async #verifySends(load: Load): Promise<void> {
    const told = this.#told(load.app);
    await inTurns(load.sends, async ({ id, key }) => {
      const { json } = await load.ask(`GET ${load.base}/notifications/${id}`);
      const last = new Map<string, Row>(json.outcomes.map((one: Row) => [one.deviceId, one]));
      for (const [deviceId, { status }] of last) {
        const times = told.get(`message.${status} ${id} ${deviceId}`)?.length ?? 0;
        if (times !== 1)
          this.#problems.push(`${key} is ${status} on ${deviceId}, told ${times} times`);
      }
    });
  }

  /** The receiver heard once of the end of each campaign, and of each of its messages. */
  #verifyCampaigns({ app, compared, pairsEach }: Campaigns): void {
    const ended = new Set<string>();
    const delivered = new Map<string, number>();
    for (const [what, events] of this.#told(app)) {
      const { type, campaignId } = events[0];
      if (type === 'campaign.completed') ended.add(campaignId);
      else delivered.set(campaignId, (delivered.get(campaignId) ?? 0) + 1);
      if (events.length > 1) this.#problems.push(`${what} was told ${events.length} times`);
    }
    for (const [campaign, count] of delivered)
      if (count !== pairsEach || !ended.has(campaign))
        this.#problems.push(`campaign ${campaign}: ${count} of ${pairsEach} messages were told of`);
    if (ended.size !== compared)
      this.#problems.push(`${ended.size} ends of ${compared} campaigns were told of`);
  }

  /** The events of an app by what they tell of. */
  #told(app: string): ReadonlyMap<string, readonly [Row, ...Row[]]> {
    const told = new Map<string, [Row, ...Row[]]>();
    for (const { app: of, event } of this.#received.values()) {
      if (of !== app) continue;
      const { type, campaignId, sendId, deviceId } = event;
      const what =
        type === 'campaign.completed' ? `${type} ${campaignId}` : `${type} ${sendId} ${deviceId}`;
      const before = told.get(what);
      if (before === undefined) told.set(what, [event]);
      else before.push(event);
    }
    return told;
  }
}

type Luck = 'fine' | 'fails_once' | 'gone' | 'slow';

function luckOf(id: string): Luck {
  const drawn = Number.parseInt(hash('sha256', id).slice(0, 6), 16) / 0x1000000;
  if (drawn < 0.01) return 'fails_once';
  if (drawn < 0.015) return 'gone';
  return drawn < 0.05 ? 'slow' : 'fine';
}
