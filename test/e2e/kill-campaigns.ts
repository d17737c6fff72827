// Campaigns under the kill -9 test: one author sends campaign after campaign in an app of its own,
// some throttled, some paused and resumed. Afterwards everybody has it on each device and the stats
// equal the stand-ins' records. Duplicates are judged in `Duplicates`; fallbacks in the simulator.

import { below, pick, type Rng } from '../../engine/base/rng.ts';
import type { Client } from '../support/server.ts';
import { type Load, pause, type Row } from './kill-load.ts';

const channels = ['fcm', 'email'];
/** So long a pause is looked at. What was under way when it began may still arrive. */
const pauseMs = 1_000;

/** See the head of this file. */
export class Campaigns {
  /** Those that came to their end and were compared; and how often one was paused. */
  compared = 0;
  pauses = 0;
  /** Pairs of a send and a device that their providers must have seen by now. */
  pairs = 0;
  readonly #load: Load;
  readonly #sandbox: Client;
  readonly app: string;
  readonly #rng: Rng;
  readonly #people: number;
  #made = 0;
  #stopping = false;

  /** `app`: one with nobody in it. */
  constructor(load: Load, sandbox: Client, app: string, rng: Rng, people = 150) {
    this.#load = load;
    this.#sandbox = sandbox;
    this.app = app;
    this.#rng = rng;
    this.#people = people;
  }

  /** Sends campaigns until it is stopped; the last one comes to its end. */
  async run(): Promise<void> {
    await this.#import();
    while (!this.#stopping) await this.#one();
  }

  /** The devices that each campaign goes to. */
  get pairsEach(): number {
    return this.#people * channels.length;
  }

  stop(): void {
    this.#stopping = true;
  }

  async #import(): Promise<void> {
    const rows = Array.from({ length: this.#people }, (_, i) => ({
      externalUserId: `reader-${i}`,
      devices: [
        { channel: 'email', endpoint: `reader-${i}@example.com` },
        { channel: 'fcm', endpoint: `token-of-reader-${i}` },
      ],
    }));
    const { json } = await this.#load.ask('POST /v1/import/subscribers', {
      appId: this.app,
      rows,
    });
    if (json.failed !== 0) this.#problem(`an import came to ${JSON.stringify(json)}`);
  }

  async #one(): Promise<void> {
    const load = this.#load;
    const rng = this.#rng;
    const base = `/v1/apps/${this.app}`;
    const title = `Issue ${this.#made++} of ${this.app}`;
    const { json: message } = await load.ask(`POST ${base}/messages`, { title, body: 'News' });
    const perMinute = pick(rng, [6_000, 12_000, undefined]);
    const throttle = perMinute === undefined ? {} : { throttle: { perMinute } };
    const body = { messageId: message.messageId, channels, ...throttle };
    const { json: campaign } = await load.ask(`POST ${base}/campaigns`, body);
    const at = `${base}/campaigns/${campaign.id}`;
    // Sent, paused or resumed already when the answer of an earlier try was lost, or over by now.
    const verb = (what: string, body?: object) => load.ask(`POST ${at}/${what}`, body, {}, [409]);
    await this.#send(verb);
    if (below(rng, 2) === 0) {
      await pause(below(rng, 1_500));
      const { status } = await verb('pause');
      await this.#checkPause(at, title, status);
      await verb('resume');
    }
    let stats: Row;
    for (let tries = 0; ; tries++) {
      stats = (await load.ask(`GET ${at}/stats`)).json;
      if (stats.state === 'completed') break;
      if (tries > 600) return this.#problem(`${title} does not end: ${JSON.stringify(stats)}`);
      if (stats.state === 'paused') await verb('resume');
      await pause(100);
    }
    await this.#compare(title, stats);
  }

  /** Some wait for their author, some of those are taken back, and one may be too late for that. */
  async #send(verb: (what: string, body?: object) => Promise<unknown>): Promise<void> {
    const rng = this.#rng;
    const delaySeconds = pick(rng, [0, 0, 1, 2]);
    await verb('send', { delaySeconds });
    if (delaySeconds === 0 || below(rng, 2) === 0) return;
    await pause(below(rng, 2_500));
    await verb('unschedule');
    // Unless it had begun, it is a draft: sent a second time it goes to everybody, once.
    await verb('send');
  }

  /** While a campaign is paused nobody has their turn, and providers see nobody who had none. */
  async #checkPause(at: string, title: string, status: number): Promise<void> {
    if (status !== 200) return; // it was over before
    const before = (await this.#load.ask(`GET ${at}/stats`)).json;
    await pause(pauseMs);
    const seen = await this.#seen(title);
    const after = (await this.#load.ask(`GET ${at}/stats`)).json;
    if (before.state !== 'paused' || after.state !== 'paused') return;
    this.pauses++;
    const arrived = channels.reduce((sum, channel) => sum + (seen.get(channel)?.size ?? 0), 0);
    const [had, have] = [before.devices.sent, after.devices.sent];
    if (have !== had || arrived > had)
      this.#problem(`${at} is paused at ${had}, and says ${have}, and ${arrived} arrived`);
  }

  /** Whom providers took it for, by channel. */
  async #seen(title: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const seen = new Map<string, Set<string>>(channels.map((channel) => [channel, new Set()]));
    const q = encodeURIComponent(title);
    for (let beforeId = ''; ; ) {
      const { messages } = await this.#sandbox.must(
        `GET /control/messages?app=${this.app}&q=${q}&limit=500${beforeId}`,
      );
      for (const one of messages)
        if (one.title === title && one.outcome === 'accepted')
          seen.get(one.channel)?.add(`${one.sendId} ${one.deviceId}`);
      if (messages.length < 500) return seen;
      beforeId = `&beforeId=${messages.at(-1).id}`;
    }
  }

  /** Everybody got it on both devices, and the stats say the same. */
  async #compare(title: string, stats: Row): Promise<void> {
    const seen = await this.#seen(title);
    const took = (channel: string) => seen.get(channel)?.size ?? 0;
    for (const channel of channels)
      if (took(channel) !== this.#people)
        this.#problem(`${title} reached ${took(channel)} of ${this.#people} on ${channel}`);
    const { audience, sent, delivered, devices } = stats;
    const counted = [audience, sent, delivered, devices.sent / 2, devices.delivered / 2];
    if (counted.some((count) => count !== this.#people))
      this.#problem(`${title} of ${this.#people} says ${JSON.stringify(stats)}`);
    this.pairs += took('fcm') + took('email');
    this.compared++;
  }

  #problem(text: string): void {
    this.#load.problems.push(`campaigns: ${text}`);
  }
}
