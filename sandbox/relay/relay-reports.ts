// What a mail service reports of its mails to the product, signed as the service does: in order,
// twice, backwards or forged. A control route sets where to, as the service's console would.

import { z } from 'zod';
import { Callbacks, type Post } from '../callbacks.ts';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import type { World } from '../stand-in.ts';
import { type Fact, facts, factsOf } from './relay-faults.ts';

/** A mail that the service has accepted, for one recipient. */
export interface TakenMail {
  /** Of the key, domain or region that sent it. */
  readonly account: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly messageId: string;
  /** Tags, custom arguments or variables of the call, which events echo. */
  readonly echoed: Readonly<Record<string, string>>;
}

export interface Hook {
  readonly url: string;
  /** Signs the reports of services with a shared secret. */
  readonly secret?: string | undefined;
  readonly topicArn?: string | undefined;
  readonly order: 'plain' | 'twice' | 'backwards' | 'forged';
}

/** A service's way of reporting. */
export interface ReportSpeech {
  /** Path of the control routes. */
  readonly service: string;
  /** For the control route: what to enter in the product. */
  readonly about: string;
  /** What a relay's configuration needs for these reports. */
  readonly config: (hook: Hook | undefined) => Readonly<Record<string, string>>;
  /**
   * `isForged`: with a wrong key, which the product must refuse. `undefined`: the service does not
   * report this.
   */
  report(
    hook: Hook,
    mail: TakenMail,
    fact: Fact,
    nowMs: number,
    isForged: boolean,
  ): Post | undefined;
  /** Before the first report; without its success there are none. */
  introduce?(hook: Hook, post: (post: Post) => Promise<number | string>): Promise<boolean>;
}

const hooksMax = 100;
const anyAccount = '*';

const setting = z.strictObject({
  url: z.url(),
  account: z.string().min(1).max(256).default(anyAccount),
  secret: z.string().min(8).max(256).optional(),
  topicArn: z.string().min(1).max(400).optional(),
  order: z.enum(['plain', 'twice', 'backwards', 'forged']).default('plain'),
});

export class RelayReports {
  readonly #world: World;
  readonly #speech: ReportSpeech;
  readonly #callbacks = new Callbacks();
  readonly #hooks = new Map<string, Hook>();
  readonly #told = new Map<Fact, number>();

  constructor(world: World, speech: ReportSpeech) {
    this.#world = world;
    this.#speech = speech;
  }

  /** Reports what becomes of these mails, by the names of their recipients. */
  taken(mails: readonly TakenMail[]): void {
    for (const mail of mails) {
      const hook = this.#hooks.get(mail.account) ?? this.#hooks.get(anyAccount);
      if (hook === undefined) continue;
      const nowMs = this.#world.clock.now();
      const what = factsOf(mail.to);
      const isForged = hook.order === 'forged';
      const posts = what.flatMap((fact, index): Post[] => {
        const post = this.#speech.report(hook, mail, fact, nowMs + index, isForged);
        if (post === undefined) return [];
        if (!isForged) this.#told.set(fact, (this.#told.get(fact) ?? 0) + 1);
        return [post];
      });
      if (hook.order === 'backwards') posts.reverse();
      this.#callbacks.play(hook.order === 'twice' ? posts.flatMap((post) => [post, post]) : posts);
    }
  }

  close(): void {
    this.#callbacks.close();
  }

  controls(): readonly ControlRoute[] {
    const { service, about } = this.#speech;
    const path = `/${service}/webhook`;
    return [
      ...this.#callbacks.controls(service),
      {
        method: 'GET',
        path,
        about: 'Where events go, what a relay needs for them, and how many were told of each kind.',
        handle: () =>
          ok({
            webhooks: [...this.#hooks].map(([account, { url, order }]) => ({
              account,
              url,
              order,
            })),
            config: this.#speech.config([...this.#hooks.values()].at(-1)),
            told: Object.fromEntries(facts.map((fact) => [fact, this.#told.get(fact) ?? 0])),
          }),
      },
      {
        method: 'POST',
        path,
        about: `{url, account?, order?, …}: where events go, ${about} order: plain, twice, backwards or forged.`,
        handle: async ({ body }) => {
          const parsed = parseControl(setting, body);
          if ('refusal' in parsed) return parsed.refusal;
          const { account, ...hook } = parsed.value;
          const isOpen =
            (await this.#speech.introduce?.(hook, (post) => this.#callbacks.post(post))) ?? true;
          if (isOpen) {
            if (this.#hooks.size >= hooksMax) this.#hooks.clear();
            this.#hooks.set(account, hook);
          }
          return ok({ confirmed: isOpen, config: this.#speech.config(hook) });
        },
      },
    ];
  }
}
