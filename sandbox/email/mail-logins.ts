// Who may log in at the mail stand-in: everybody, but those that a control route or their name
// revokes. Access tokens have an expiry and a MAC under a public key: they survive a restart and
// are worthless elsewhere.

import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Millis } from '../../engine/base/brand.ts';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import type { World } from '../stand-in.ts';

interface GivenLogin {
  readonly user: string;
  /** Instead of a password. */
  readonly token?: string;
}

/** Users with such a name are always refused. */
export const revokedPrefix = 'revoked';
const revokedMax = 1_000;
const tokenPrefix = 'mail.sandbox';
const macKey = 'engage sandbox mail tokens';

const change = z.strictObject({
  user: z.string().min(1).max(256).optional(),
  revoked: z.boolean().default(true),
  endTokens: z.boolean().optional(),
  tokenSeconds: z.int().min(1).max(86_400).optional(),
});

/** The logins of one sandbox, which its mail server and its token endpoint share. */
export function mailLoginsOf(world: World): MailLogins {
  let logins = known.get(world);
  if (logins === undefined) {
    logins = new MailLogins();
    known.set(world, logins);
  }
  return logins;
}

const known = new WeakMap<World, MailLogins>();

class MailLogins {
  readonly #revoked = new Set<string>();
  #issued = 0;
  #ended = 0;
  #taken = 0;
  #refused = 0;
  #tokenSeconds = 3_599;

  /** Whether the login is accepted; counts it. */
  takes({ user, token }: GivenLogin, nowMs: Millis): boolean {
    const isWelcome =
      !user.toLowerCase().startsWith(revokedPrefix) &&
      !this.#revoked.has(user) &&
      (token === undefined || this.#isCurrent(token, nowMs));
    if (isWelcome) this.#taken++;
    else this.#refused++;
    return isWelcome;
  }

  issue(nowMs: Millis): { readonly token: string; readonly seconds: number } {
    const expiry = String(Math.floor(nowMs / 1000) + this.#tokenSeconds);
    const serial = String(++this.#issued);
    const token = `${tokenPrefix}.${expiry}.${serial}.${macOf(expiry, serial)}`;
    return { token, seconds: this.#tokenSeconds };
  }

  readonly controls: readonly ControlRoute[] = [
    {
      method: 'GET',
      path: '/email/logins',
      about: 'How many logins the mail server took and refused, whom it refuses, tokens issued.',
      handle: () => this.#view(),
    },
    {
      method: 'POST',
      path: '/email/logins',
      about:
        '{user?, revoked?, endTokens?, tokenSeconds?}: refuses a user from now on, or takes them again with revoked: false; ends all access tokens; how long new ones last.',
      handle: ({ body }) => {
        const parsed = parseControl(change, body);
        if ('refusal' in parsed) return parsed.refusal;
        const { user, revoked, endTokens, tokenSeconds } = parsed.value;
        if (user !== undefined && !revoked) this.#revoked.delete(user);
        else if (user !== undefined && this.#revoked.size < revokedMax) this.#revoked.add(user);
        if (endTokens === true) this.#ended = this.#issued;
        this.#tokenSeconds = tokenSeconds ?? this.#tokenSeconds;
        return this.#view();
      },
    },
  ];

  #view() {
    const revoked = [...this.#revoked];
    return ok({
      taken: this.#taken,
      refused: this.#refused,
      revoked,
      tokensIssued: this.#issued,
      tokenSeconds: this.#tokenSeconds,
    });
  }

  #isCurrent(token: string, nowMs: Millis): boolean {
    const [first, second, expiry = '', serial = '', mac] = token.split('.');
    return (
      `${first}.${second}` === tokenPrefix &&
      mac === macOf(expiry, serial) &&
      Number(expiry) * 1000 > nowMs &&
      Number(serial) > this.#ended
    );
  }
}

function macOf(expiry: string, serial: string): string {
  const mac = createHmac('sha256', macKey).update(`${expiry}.${serial}`);
  return mac.digest('base64url').slice(0, 22);
}
