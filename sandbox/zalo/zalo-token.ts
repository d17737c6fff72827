// Stand-in for Zalo's token endpoint: trades a refresh token for an access token and the next
// refresh token. Each works once; an unknown one counts as a tenant's first. Access tokens have an
// expiry and a MAC under a public key, so they survive a restart.

import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Millis } from '../../engine/base/brand.ts';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type World,
} from '../stand-in.ts';

/** Accepted beside issued tokens, so that an app can start without credentials. */
const fixedAccessToken = 'sandbox';

const lifeSeconds = 90_000;
const tokenPrefix = 'zalo-sandbox';
const macKey = 'engage sandbox zalo tokens';
/** Remembered used tokens; drops the oldest when full. */
const spentMax = 10_000;

interface Issued {
  calls: number;
  issued: number;
  revokedThrough: number;
  mode: 'ok' | 'refuse';
  readonly spent: Set<string>;
}

const issuedIn = new WeakMap<World, Issued>();

function issuedOf(world: World): Issued {
  let issued = issuedIn.get(world);
  if (issued === undefined) {
    issued = { calls: 0, issued: 0, revokedThrough: 0, mode: 'ok', spent: new Set() };
    issuedIn.set(world, issued);
  }
  return issued;
}

/** Zalo's refusal, or nothing for a valid token. */
export function accessProblem(
  world: World,
  token: string | undefined,
  nowMs: Millis,
): readonly [error: number, message: string] | undefined {
  if (token === fixedAccessToken) return undefined;
  const [prefix, expiry = '', serial = '', mac] = (token ?? '').split('.');
  if (prefix !== tokenPrefix || mac !== macOf(expiry, serial))
    return [-216, 'Access token is invalid'];
  if (Number(serial) <= issuedOf(world).revokedThrough) return [-216, 'Access token is invalid'];
  if (Number(expiry) * 1000 <= nowMs) return [-220, 'Access token has expired'];
  return undefined;
}

export function zaloTokenStandIn(world: World): HttpStandIn {
  const state = issuedOf(world);
  return {
    transport: 'http',
    channel: 'zalo-token',
    mount: '/zalo-oauth',
    urls: { ZALO_TOKEN: '/zalo-oauth/v4/oa/access_token' },
    bodyBytesMax: 64 * 1024,
    namedFaults: [],
    refusal: (status) => jsonAnswer(status, { error: -status, error_name: 'Fault on demand' }),
    receive(received) {
      if (received.method !== 'POST' || received.path !== '/v4/oa/access_token')
        return { answer: jsonAnswer(404, { error: -404, error_name: 'Not found' }) };
      state.calls++;
      const problem = problemOf(received, state);
      if (problem !== undefined) return { answer: refusalOf(...problem) };
      const form = new URLSearchParams(received.body.toString());
      const to = form.get('app_id') ?? '';
      spend(state, form.get('refresh_token') ?? '');
      return { answer: issue(state, received.nowMs), to, name: to };
    },
    controls: controlsOf(state),
  };
}

/** Zalo's number and name of the problem. */
function problemOf(
  { headers, body }: Received,
  { mode, spent }: Issued,
): readonly [error: number, name: string] | undefined {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return [-14001, 'Invalid content type'];
  if (!headers['secret_key']) return [-14004, 'Invalid secret key'];
  const form = new URLSearchParams(body.toString());
  if (form.get('grant_type') !== 'refresh_token') return [-14005, 'Invalid grant type'];
  if (!/^\d{5,32}$/.test(form.get('app_id') ?? '')) return [-14002, 'Invalid app id'];
  const refreshToken = form.get('refresh_token') ?? '';
  const isOver = refreshToken === '' || refreshToken.startsWith('revoked');
  if (mode === 'refuse' || isOver || spent.has(refreshToken))
    return [-14014, 'Invalid refresh token'];
  return undefined;
}

function spend({ spent }: Issued, refreshToken: string): void {
  if (spent.size >= spentMax) for (const oldest of spent) if (spent.delete(oldest)) break;
  spent.add(refreshToken);
}

function issue(state: Issued, nowMs: Millis): StandInResponse {
  const expiry = String(Math.floor(nowMs / 1000) + lifeSeconds);
  const serial = String(++state.issued);
  const mac = macOf(expiry, serial);
  return jsonAnswer(200, {
    access_token: `${tokenPrefix}.${expiry}.${serial}.${mac}`,
    refresh_token: `zalo-refresh.${nowMs}.${serial}.${mac}`,
    expires_in: String(lifeSeconds),
  });
}

/** As at Zalo: a 200 with a negative number. */
function refusalOf(error: number, name: string): StandInResponse {
  const answer = jsonAnswer(200, { error, error_name: name, error_description: name });
  return { ...answer, isRefusal: true };
}

const settings = z.strictObject({
  mode: z.enum(['ok', 'refuse']).optional(),
  revoke: z.literal(true).optional(),
});

function controlsOf(state: Issued): ControlRoute[] {
  const view = ({ calls, issued, mode, spent }: Issued) => ({
    mode,
    calls,
    issued,
    spent: spent.size,
  });
  return [
    {
      method: 'GET',
      path: '/zalo-token',
      about: 'Calls of the token endpoint, what it issued, and how it answers.',
      handle: () => ok(view(state)),
    },
    {
      method: 'POST',
      path: '/zalo-token',
      about:
        '{mode?: ok|refuse, revoke?: true}: whether refresh tokens are taken; revoke takes back every access token issued so far.',
      handle({ body }) {
        const parsed = parseControl(settings, body);
        if ('refusal' in parsed) return parsed.refusal;
        if (parsed.value.mode !== undefined) state.mode = parsed.value.mode;
        if (parsed.value.revoke) state.revokedThrough = state.issued;
        return ok(view(state));
      },
    },
    {
      method: 'DELETE',
      path: '/zalo-token',
      about: 'Back to taking refresh tokens, with none spent and no calls counted.',
      handle() {
        state.spent.clear();
        Object.assign(state, { mode: 'ok', calls: 0, revokedThrough: 0 });
        return ok(view(state));
      },
    },
  ];
}

function macOf(expiry: string, serial: string): string {
  return createHmac('sha256', macKey)
    .update(`${expiry}.${serial}`)
    .digest('base64url')
    .slice(0, 22);
}
