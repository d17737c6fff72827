// Stand-in for Google's OAuth token endpoint (RFC 7523): assertion in, access token out. Tokens
// have an expiry and a MAC under a public key: they survive a restart and are worthless elsewhere.

import { createHmac } from 'node:crypto';
import { compactVerify, decodeJwt, errors, importSPKI, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { Millis } from '../engine/base/brand.ts';
import { type ControlRoute, ok, parseControl, refused } from './control-route.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type World,
} from './stand-in.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const googleAudience = 'https://oauth2.googleapis.com/token';
const tokenSeconds = 3_599;
const assertionSecondsMax = 3_600;
const clockSkewSeconds = 60;
const tokenPrefix = 'ya29.sandbox';
const macKey = 'engage sandbox access tokens';

/** Issued here or by an earlier sandbox, and not expired. */
export function isIssuedToken(token: string, nowMs: Millis): boolean {
  const [first, second, expiry = '', serial = '', mac] = token.split('.');
  if (`${first}.${second}` !== tokenPrefix || Number(expiry) * 1000 <= nowMs) return false;
  if (token === lastKnown) return true;
  if (mac !== macOf(expiry, serial)) return false;
  lastKnown = token;
  return true;
}

// Calls repeat a token for an hour: keeping the last saves a MAC per call.
let lastKnown = '';

export function googleTokenStandIn(world: World): HttpStandIn {
  const state: {
    mode: 'ok' | 'invalid_grant';
    publicKeyPem: string | undefined;
    calls: number;
    issued: number;
  } = {
    mode: 'ok',
    publicKeyPem: undefined,
    calls: 0,
    issued: 0,
  };
  const issue = (nowMs: Millis): StandInResponse => {
    const expiry = String(Math.floor(nowMs / 1000) + tokenSeconds);
    const serial = String(++state.issued);
    return jsonAnswer(200, {
      access_token: `${tokenPrefix}.${expiry}.${serial}.${macOf(expiry, serial)}`,
      expires_in: tokenSeconds,
      token_type: 'Bearer',
    });
  };
  return {
    transport: 'http',
    channel: 'google-token',
    mount: '/google',
    urls: { GOOGLE_TOKEN: '/google/token' },
    bodyBytesMax: 64 * 1024,
    namedFaults: [],
    refusal: (status) =>
      oauthError(status, 'temporarily_unavailable', `Fault ${status} on demand.`),
    async receive(received) {
      if (received.method !== 'POST' || received.path !== '/token') {
        return {
          answer: oauthError(404, 'not_found', 'The token endpoint is POST /google/token.'),
        };
      }
      state.calls++;
      if (state.mode === 'invalid_grant') {
        return { answer: oauthError(401, 'invalid_grant', 'Invalid grant: account not found') };
      }
      const judged = await judge(received, world.url(), state.publicKeyPem);
      if ('refusal' in judged) return { answer: judged.refusal };
      return { answer: issue(received.nowMs), to: judged.issuer, name: judged.issuer };
    },
    controls: controlsOf(state),
  };
}

type Judgment = { readonly issuer: string } | { readonly refusal: StandInResponse };

async function judge(
  received: Received,
  sandboxUrl: string,
  publicKeyPem: string | undefined,
): Promise<Judgment> {
  if (!received.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return refuse('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const form = new URLSearchParams(received.body.toString());
  if (form.get('grant_type') !== grantType) {
    return refuse('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
  }
  const assertion = form.get('assertion') ?? '';
  const audience = [
    googleAudience,
    `${sandboxUrl}/google/token`,
    `${received.origin}/google/token`,
  ];
  try {
    if (publicKeyPem !== undefined)
      await compactVerify(assertion, await importSPKI(publicKeyPem, 'RS256'));
    return judgeClaims(decodeJwt(assertion), audience, received.nowMs / 1000);
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return refuse('invalid_grant', 'Invalid JWT Signature.');
    return refuse('invalid_grant', 'Invalid JWT: Failed to parse or verify the assertion.');
  }
}

function judgeClaims(
  claims: JWTPayload,
  audience: readonly string[],
  nowSeconds: number,
): Judgment {
  const { iss, aud, iat, exp } = claims;
  if (!iss) return refuse('invalid_grant', 'Invalid JWT: iss is required.');
  if (iss.startsWith('revoked')) return refuse('invalid_grant', 'Invalid grant: account not found');
  if (typeof aud !== 'string' || !audience.includes(aud))
    return refuse('invalid_grant', 'Invalid JWT: Failed audience check.');
  if (typeof claims['scope'] !== 'string' || claims['scope'] === '') {
    return refuse('invalid_scope', 'Empty or missing scope not allowed.');
  }
  if (
    iat === undefined ||
    exp === undefined ||
    exp <= nowSeconds ||
    exp - iat > assertionSecondsMax ||
    iat > nowSeconds + clockSkewSeconds
  ) {
    return refuse(
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    );
  }
  return { issuer: iss };
}

const settings = z.strictObject({
  mode: z.enum(['ok', 'invalid_grant']).optional(),
  publicKey: z.string().max(8_192).nullable().optional(),
});

function controlsOf(state: {
  mode: 'ok' | 'invalid_grant';
  publicKeyPem: string | undefined;
  calls: number;
  issued: number;
}): ControlRoute[] {
  const view = () => ({
    mode: state.mode,
    checksSignature: state.publicKeyPem !== undefined,
    calls: state.calls,
    issued: state.issued,
  });
  return [
    {
      method: 'GET',
      path: '/google-token',
      about: 'Calls of the token endpoint and how it answers.',
      handle: () => ok(view()),
    },
    {
      method: 'POST',
      path: '/google-token',
      about:
        '{mode?: ok|invalid_grant, publicKey?: PEM or null}: how the token endpoint answers, and the key it checks signatures with.',
      async handle({ body }) {
        const parsed = parseControl(settings, body);
        if ('refusal' in parsed) return parsed.refusal;
        const { mode, publicKey } = parsed.value;
        if (typeof publicKey === 'string') {
          try {
            await importSPKI(publicKey, 'RS256');
          } catch {
            return refused(400, 'publicKey: not an RSA public key in PEM (SPKI)');
          }
        }
        if (mode !== undefined) state.mode = mode;
        if (publicKey !== undefined) state.publicKeyPem = publicKey ?? undefined;
        return ok(view());
      },
    },
    {
      method: 'DELETE',
      path: '/google-token',
      about: 'Back to accepting, with no key and no calls counted.',
      handle() {
        Object.assign(state, { mode: 'ok', publicKeyPem: undefined, calls: 0 });
        return ok(view());
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

function oauthError(status: number, error: string, description: string): StandInResponse {
  return jsonAnswer(status, { error, error_description: description });
}

function refuse(error: string, description: string): { refusal: StandInResponse } {
  return { refusal: oauthError(400, error, description) };
}
