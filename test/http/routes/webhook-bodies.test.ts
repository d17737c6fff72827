// How long the body of a provider's call may be: anybody can send one, and what is too long is
// refused before it is read.

import t from 'tap';
import { limits } from '../../../actors/limits.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Route } from '../../../http/call/route.ts';
import { receiveWebhooks } from '../../../http/routes/webhooks/chat.ts';
import { receiveRcs } from '../../../http/routes/webhooks/rcs.ts';

const named = (...names: string[]) => names.map((name) => receiveWebhooks[name] as Route);

/** The code of a refusal, or that the actor was asked. */
async function answerTo(route: Route, bytes: Uint8Array): Promise<string> {
  let isAsked = false;
  const call = {
    bytes,
    edge: {},
    app: () => 1,
    header: () => 'signature',
    to: () => ({
      ask: async () => {
        isAsked = true;
        return { taken: 0, repeated: 0, ignored: 1, next: null, secret: null };
      },
    }),
  };
  try {
    await route.handle(call as never);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return isAsked ? 'refused too late' : `${error.fault.code} ${error.fault.field}`;
  }
  return isAsked ? 'asked' : 'nobody was asked';
}

t.test('a body of one thing has a bound of its own, one of many that of every body', async (t) => {
  const long = new Uint8Array(limits.callbackFormBytesMax + 1);
  const longest = long.subarray(1);
  for (const route of [...named('receiveZalo', 'receiveViber', 'receiveTelegram'), receiveRcs]) {
    t.equal(await answerTo(route, longest), 'asked', route.path);
    t.equal(await answerTo(route, long), 'body_too_large body', route.path);
  }
  for (const route of named('receiveLine', 'receiveWhatsapp'))
    t.equal(await answerTo(route, long), 'asked', route.path);
});
