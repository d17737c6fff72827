// The adapter of a channel that has providers and gateways: what has a gateway goes through it,
// everything else the way that the channel has.

import type { Adapter, AdapterContext } from '../../port/adapter.ts';
import type { Attempt } from '../../port/attempt.ts';
import type { Failure } from '../../port/outcome.ts';
import { type GatewayWords, openGatewayAccount, sendThroughGateway } from './account.ts';
import { askGateway } from './polling.ts';
import { tryGateway } from './try-out.ts';

interface GatewayChannel {
  readonly channel: 'sms' | 'voice';
  /** What a person reads or hears of an attempt, or why it is not sent. */
  words(attempt: Attempt): GatewayWords | Failure;
}

export function withGateway(
  adapter: Adapter,
  { channel, words }: GatewayChannel,
  context: AdapterContext,
): Adapter {
  return {
    ...adapter,
    send(attempt, credentials, mayBegin, relay) {
      if (relay?.kind !== 'http') return adapter.send(attempt, credentials, mayBegin);
      const said = words(attempt);
      if ('outcome' in said) return Promise.resolve(said);
      return sendThroughGateway(attempt, said, relay, context, mayBegin);
    },
    tryOut: (trial, relay) => tryGateway(channel, trial, relay, context),
    async results({ asked }) {
      if (asked !== undefined) return askGateway(asked, context);
      return { state: 'failed', failure: { outcome: 'permanent', reason: 'not_supported' } };
    },
    async check(credentials, relay) {
      if (relay?.kind === 'http') return openGatewayAccount(relay, context).check();
      return (await adapter.check?.(credentials)) ?? { checked: false, why: 'it has no such call' };
    },
  };
}
