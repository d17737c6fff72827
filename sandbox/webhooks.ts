// A provider's account webhooks and their calls: about sent messages, by a script that the
// recipient selects, and about people's actions, by control route. Accounts set addresses by a
// call, or a control route replaces the provider's console.

import { z } from 'zod';
import { Callbacks, type Post } from './callbacks.ts';
import { type ControlRoute, ok, parseControl, refused } from './control-route.ts';
import type { World } from './stand-in.ts';

export interface Webhook {
  readonly url: string;
  /** Signs its calls. */
  readonly secret: string;
  /** Zalo's, which is signed too. */
  readonly appId?: string | undefined;
}

/** A person's action in their app. */
interface Doing {
  readonly from: string;
  readonly does: 'leaves' | 'comes' | 'writes';
  readonly text: string;
  readonly nowMs: number;
  readonly serial: number;
}

/** A provider's webhook protocol. */
export interface Speech {
  readonly channel: string;
  /** A signed call; `isForged` uses a wrong secret, which the product must refuse. */
  call(hook: Webhook, event: string, isForged: boolean): Pick<Post, 'headers' | 'body'>;
  /** An action's event. */
  doing(doing: Doing): string;
}

/** How one message's calls arrive. */
export type Order = 'plain' | 'twice' | 'backwards' | 'forged' | 'none';

const hooksMax = 1_000;
const peopleMax = 10_000;
/** The webhook account for all without their own. */
const anyAccount = '*';

const setting = z.strictObject({
  url: z.url(),
  secret: z.string().min(1).max(1_024),
  account: z.string().min(1).max(2_048).default(anyAccount),
  appId: z.string().optional(),
});
const action = z.strictObject({
  from: z.string().min(1).max(64),
  does: z.enum(['leaves', 'comes', 'writes']).optional(),
  text: z.string().max(4_096).optional(),
  account: z.string().optional(),
  isForged: z.boolean().optional(),
});

export class Webhooks {
  readonly #world: World;
  readonly #speech: Speech;
  readonly #callbacks = new Callbacks();
  readonly #hooks = new Map<string, Webhook>();
  /** The last account that wrote to each person. */
  readonly #accounts = new Map<string, string>();
  #done = 0;

  constructor(world: World, speech: Speech) {
    this.#world = world;
    this.#speech = speech;
  }

  /** Sets an account's webhook; `undefined` removes it. */
  set(account: string, hook: Webhook | undefined): void {
    this.#hooks.delete(account);
    if (hook === undefined) return;
    makeRoom(this.#hooks, hooksMax);
    this.#hooks.set(account, hook);
  }

  of(account: string): Webhook | undefined {
    return this.#hooks.get(account) ?? this.#hooks.get(anyAccount);
  }

  /** An accepted message: these events follow. */
  sent(account: string, to: string, events: readonly string[], order: Order = 'plain'): void {
    this.#accounts.delete(to);
    makeRoom(this.#accounts, peopleMax);
    this.#accounts.set(to, account);
    const hook = this.of(account);
    if (hook === undefined || order === 'none') return;
    const posts = events.map((event) => this.#post(hook, event, order === 'forged'));
    if (order === 'backwards') posts.reverse();
    this.#callbacks.play(order === 'twice' ? posts.flatMap((post) => [post, post]) : posts);
  }

  /** Tests an address now: the response's status, or why there was none. */
  try(hook: Webhook, event: string): Promise<number | string> {
    return this.#callbacks.post(this.#post(hook, event, false));
  }

  controls(): readonly ControlRoute[] {
    const { channel } = this.#speech;
    return [
      ...this.#callbacks.controls(channel),
      {
        method: 'GET',
        path: `/${channel}/webhook`,
        about: 'Where accounts are called back, without their secrets.',
        handle: () => ok({ webhooks: [...this.#hooks.values()].map(({ url }) => ({ url })) }),
      },
      {
        method: 'POST',
        path: `/${channel}/webhook`,
        about:
          '{url, secret, account?, appId?}: where an account is called back, or all that have set nothing themselves, and what its calls are proved with.',
        handle: ({ body }) => {
          const parsed = parseControl(setting, body);
          if ('refusal' in parsed) return parsed.refusal;
          const { account, ...hook } = parsed.value;
          this.set(account, hook);
          return ok({ url: hook.url });
        },
      },
      {
        method: 'POST',
        path: `/${channel}/inbound`,
        about:
          '{from, does?: leaves|comes|writes, text?, account?, isForged?}: somebody blocks the account, comes back, or writes, such as STOP.',
        handle: ({ body }) => this.#act(body),
      },
    ];
  }

  close(): void {
    this.#callbacks.close();
  }

  async #act(body: unknown) {
    const parsed = parseControl(action, body);
    if ('refusal' in parsed) return parsed.refusal;
    const { from, text = 'STOP', isForged = false, ...given } = parsed.value;
    const account = given.account ?? this.#accounts.get(from) ?? anyAccount;
    const hook = this.of(account);
    if (hook === undefined) {
      const { channel } = this.#speech;
      return refused(404, `no webhook is set for this account; POST /control/${channel}/webhook`);
    }
    const event = this.#speech.doing({
      from,
      text,
      does: given.does ?? 'writes',
      nowMs: this.#world.clock.now(),
      serial: ++this.#done,
    });
    const status = await this.#callbacks.post(this.#post(hook, event, isForged));
    const { url } = hook;
    return typeof status === 'number' ? ok({ url, status }) : refused(502, `${url}: ${status}`);
  }

  #post(hook: Webhook, event: string, isForged: boolean): Post {
    const { headers, body } = this.#speech.call(hook, event, isForged);
    return { url: hook.url, headers: { 'content-type': 'application/json', ...headers }, body };
  }
}

/** The secret, or a wrong one. */
export function secretFor({ secret }: Webhook, isForged: boolean): string {
  return isForged ? `not ${secret}` : secret;
}

function makeRoom(map: Map<string, unknown>, most: number): void {
  if (map.size < most) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
