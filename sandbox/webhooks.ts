// Where the accounts of a provider are called back, and what they are told: of messages that were
// sent, by a script that the recipient asks for, and of what people do, when a control route asks
// for it. Providers that let an account set its address take it in a call of theirs; for the
// others, whose address is set in a console, a control route stands in.

import { z } from 'zod';
import { Callbacks, type Post } from './callbacks.ts';
import { type ControlRoute, ok, parseControl, refused } from './control-route.ts';
import type { World } from './stand-in.ts';

/** Where an account is called back. */
export interface Webhook {
  readonly url: string;
  /** What its calls are proved with. */
  readonly secret: string;
  /** Zalo's, which is part of what is signed. */
  readonly appId?: string | undefined;
}

/** What somebody does in their app. */
interface Doing {
  readonly from: string;
  readonly does: 'leaves' | 'comes' | 'writes';
  readonly text: string;
  readonly nowMs: number;
  /** Counts them up. */
  readonly serial: number;
}

/** How a provider speaks. */
export interface Speech {
  readonly channel: string;
  /**
   * A call with this event, proved; `isForged`: with another secret, what the product must refuse.
   */
  call(hook: Webhook, event: string, isForged: boolean): Pick<Post, 'headers' | 'body'>;
  /** The event of what somebody did. */
  doing(doing: Doing): string;
}

/** How the calls of one message come. */
export type Order = 'plain' | 'twice' | 'backwards' | 'forged' | 'none';

const hooksMax = 1_000;
const peopleMax = 10_000;
/** The account of a webhook that is for all that have none of their own. */
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

/** The webhooks of one provider. */
export class Webhooks {
  readonly #world: World;
  readonly #speech: Speech;
  readonly #callbacks = new Callbacks();
  readonly #hooks = new Map<string, Webhook>();
  /** Which account wrote last to whom. */
  readonly #accounts = new Map<string, string>();
  #done = 0;

  constructor(world: World, speech: Speech) {
    this.#world = world;
    this.#speech = speech;
  }

  /** An account has set its address; `undefined` takes it away. */
  set(account: string, hook: Webhook | undefined): void {
    this.#hooks.delete(account);
    if (hook === undefined) return;
    makeRoom(this.#hooks, hooksMax);
    this.#hooks.set(account, hook);
  }

  of(account: string): Webhook | undefined {
    return this.#hooks.get(account) ?? this.#hooks.get(anyAccount);
  }

  /** A message to somebody was taken: these events follow. */
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

  /** Tries an address at once; the status of its answer, or what kept it from having one. */
  try(hook: Webhook, event: string): Promise<number | string> {
    return this.#callbacks.post(this.#post(hook, event, false));
  }

  /** The control routes. */
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

/** The secret, or another one. */
export function secretFor({ secret }: Webhook, isForged: boolean): string {
  return isForged ? `not ${secret}` : secret;
}

function makeRoom(map: Map<string, unknown>, most: number): void {
  if (map.size < most) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
