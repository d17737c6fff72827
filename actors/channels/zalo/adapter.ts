// Messages of a Zalo Official Account, by user id. Nearly every refusal is a 200. A revoked access
// token is replaced once, which uses up the refresh token (access-token.ts).

import type { Adapter, AdapterContext } from '../port/adapter.ts';
import { failure, secondsLeft, unreached } from '../port/answers.ts';
import { hasTexts } from '../port/provider-config.ts';
import { createZaloTokens, type ZaloCredential } from './access-token.ts';
import { nightLeftMs, refusesToken, zaloOutcome } from './answers.ts';
import { zalo } from './channel.ts';
import { zaloMessage } from './message.ts';

const isZaloCredential = hasTexts<ZaloCredential>('appId', 'appSecret', 'refreshToken');

/** The Zalo adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createZalo({ config, outbound, clock, rotate }: AdapterContext): Adapter {
  const base = config.urls.ZALO ?? zalo.urls.ZALO;
  const tokens = createZaloTokens({
    outbound,
    clock,
    rotate: rotate ?? (() => Promise.resolve('unavailable')),
    tokenUrl: config.urls.ZALO_TOKEN,
  });

  return {
    async send(attempt, credentials, mayBegin) {
      const credential = isZaloCredential(credentials) ? credentials : undefined;
      if (credential === undefined && config.mode === 'live')
        return { outcome: 'config', reason: 'not_configured' };
      if (secondsLeft(attempt, clock.now()) === 'expired')
        return { outcome: 'permanent', reason: 'expired' };
      const message = zaloMessage(attempt);
      if ('outcome' in message) return message;
      const nightMs = message.kind === 'promotion' ? nightLeftMs(clock.now()) : 0;
      if (nightMs > 0) return failure('retry', 'night_time', untilMorning, [], nightMs);

      for (let isSecond = false; ; isSecond = true) {
        const token =
          credential === undefined ? 'sandbox' : await tokens.get(attempt.appId, credential);
        if (typeof token !== 'string') return token;
        const result = await outbound.call({
          method: 'POST',
          url: `${base}/v3.0/oa/message/${message.kind}`,
          destination: 'trusted',
          headers: { 'content-type': 'application/json', access_token: token },
          body: message.body,
          mayBegin,
        });
        if (result.kind !== 'answered') return unreached(result);
        const isRenewed =
          !isSecond &&
          credential !== undefined &&
          refusesToken(result) &&
          tokens.refuse(attempt.appId, token);
        if (!isRenewed) return zaloOutcome(result, clock.now(), [token, String(attempt.endpoint)]);
      }
    },
    check: async () => ({
      checked: false,
      why: 'Zalo gives an access token only for the refresh token, which this uses up; the next send does it',
    }),
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

const untilMorning = 'Zalo accepts no promotional messages between 22:00 and 06:00 in Vietnam';
