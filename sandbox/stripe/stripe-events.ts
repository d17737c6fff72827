// Webhook events of the Stripe stand-in: signed as Stripe signs, to the product on this machine.
// A control route holds them back, repeats them, turns them round, or forges their signature.

import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { Callbacks, type Post } from '../callbacks.ts';
import { type ControlRoute, ok, parseControl, refused } from '../control-route.ts';
import type { World } from '../stand-in.ts';

interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: object;
}

const orders = ['plain', 'twice', 'backwards', 'late', 'forged'] as const;
const eventsKept = 500;

const setting = z.strictObject({
  url: z.url().optional(),
  secret: z.string().min(1).max(256).optional(),
  order: z.enum(orders).optional(),
});

export class StripeEvents {
  readonly #world: World;
  readonly #callbacks = new Callbacks();
  readonly #events: StripeEvent[] = [];
  /** Held back until somebody asks for them. */
  readonly #late: StripeEvent[] = [];
  #url: string | undefined;
  #secret: string;
  #order: (typeof orders)[number] = 'plain';
  #made = 0;

  constructor(world: World, hook: { readonly url?: string; readonly secret: string }) {
    this.#world = world;
    this.#url = hook.url;
    this.#secret = hook.secret;
  }

  get newestFirst(): readonly StripeEvent[] {
    return this.#events.toReversed();
  }

  /** What happened together: these events follow. */
  happened(all: readonly (readonly [type: string, object: object, before?: object])[]): void {
    const nowMs = this.#world.clock.now();
    const made = all.map(
      ([type, object, before]): StripeEvent => ({
        id: `evt_sandbox${nowMs.toString(36)}${(++this.#made).toString(36)}`,
        type,
        created: Math.floor(nowMs / 1_000),
        data: before === undefined ? { object } : { object, previous_attributes: before },
      }),
    );
    this.#events.push(...made);
    this.#events.splice(0, this.#events.length - eventsKept);
    if (this.#order === 'late') this.#late.push(...made);
    else this.#send(made);
  }

  controls(): readonly ControlRoute[] {
    const view = () => ok({ url: this.#url ?? null, order: this.#order, late: this.#late.length });
    return [
      ...this.#callbacks.controls('stripe'),
      {
        method: 'GET',
        path: '/stripe/webhook',
        about: 'Where events go, and in which order.',
        handle: view,
      },
      {
        method: 'POST',
        path: '/stripe/webhook',
        about: `{url?, secret?, order?: ${orders.join('|')}}: where events go, the secret that signs them, and how they arrive; late ones wait for /stripe/late.`,
        handle: ({ body }) => {
          const parsed = parseControl(setting, body);
          if ('refusal' in parsed) return parsed.refusal;
          this.#url = parsed.value.url ?? this.#url;
          this.#secret = parsed.value.secret ?? this.#secret;
          this.#order = parsed.value.order ?? this.#order;
          return view();
        },
      },
      {
        method: 'POST',
        path: '/stripe/late',
        about: 'Sends the events that were held back, the newest first.',
        handle: () => {
          const late = this.#late.splice(0).reverse();
          this.#send(late);
          return ok({ sent: late.length });
        },
      },
      {
        method: 'GET',
        path: '/stripe/events',
        about: 'The events so far, newest first.',
        handle: () => ok({ events: this.newestFirst }),
      },
      {
        method: 'POST',
        path: '/stripe/events/:id',
        about: 'Sends an event again, as from the dashboard of Stripe; answers with the status.',
        handle: ({ id }) => this.#again(id),
      },
    ];
  }

  close(): void {
    this.#callbacks.close();
  }

  async #again(id: string) {
    const event = this.#events.find((one) => one.id === id);
    if (event === undefined) return refused(404, 'no such event');
    const post = this.#post(event);
    if (post === undefined) return refused(409, 'no webhook is set; POST /control/stripe/webhook');
    const status = await this.#callbacks.post(post);
    return typeof status === 'number' ? ok({ status }) : refused(502, status);
  }

  #send(events: readonly StripeEvent[]): void {
    const posts = events.flatMap((event) => this.#post(event) ?? []);
    if (this.#order === 'backwards') posts.reverse();
    this.#callbacks.play(this.#order === 'twice' ? posts.flatMap((post) => [post, post]) : posts);
  }

  #post(event: StripeEvent): Post | undefined {
    if (this.#url === undefined) return undefined;
    const body = JSON.stringify({
      ...event,
      object: 'event',
      api_version: '2026-10-28.endive',
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
    });
    const at = Math.floor(this.#world.clock.now() / 1_000);
    const secret = this.#order === 'forged' ? `not ${this.#secret}` : this.#secret;
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return {
      url: this.#url,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${at},v1=${signature}`,
      },
      body,
    };
  }
}
