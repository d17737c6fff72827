// The test rig of every adapter with HTTP/1.1: the adapter, a scripted provider and, where there is
// one, a scripted token endpoint. `down` gives the adapter an address without a listener; the
// provider still runs and must not be called.

import fc from 'fast-check';
import type { Test } from 'tap';
import type { ProviderUrlName } from '../../../actors/channels/channel-ids.ts';
import { createOutbound } from '../../../actors/channels/outbound/outbound.ts';
import type {
  Adapter,
  AdapterContext,
  AdapterFactory,
} from '../../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../../actors/channels/port/attempt.ts';
import type { ProviderConfig } from '../../../actors/channels/port/provider-config.ts';
import { payloadOf } from '../../../actors/channels/providers.ts';
import type { ChannelSubject } from '../../conformance/channel.ts';
import { tries } from '../../support/tries.ts';
import {
  acceptedMs,
  closedPort,
  fixedClock,
  type HttpBehavior,
  type HttpStandIn,
  httpStandIn,
} from './stand-ins.ts';

/** The operator's settings with these provider addresses. */
export function providerConfig(
  urls: ProviderConfig['urls'],
  mode: ProviderConfig['mode'] = 'live',
): ProviderConfig {
  return { mode, urls, vapidSubject: 'mailto:a@example.com', publicUrl: 'http://127.0.0.1' };
}

/** The same for one provider; without an address, the provider's own. */
export function configOf(name: ProviderUrlName) {
  return (url: string | undefined, mode?: ProviderConfig['mode']) =>
    providerConfig(url === undefined ? {} : { [name]: url }, mode);
}

interface HttpSubject {
  readonly create: AdapterFactory;
  /** By the address of the provider and of its token endpoint. */
  readonly config: (url: string, tokenUrl: string | undefined) => ProviderConfig;
  readonly credentials: unknown;
  /** The first behavior, until one of `behaviors` is chosen. */
  readonly accept: HttpBehavior;
  readonly behaviors: Readonly<Record<string, HttpBehavior>>;
  /** The body with which hanging calls are answered in the end. */
  readonly lateBody: string;
  /** And their status; 200 if absent. */
  readonly lateStatus?: number;
  /** The response of the token endpoint; absent where a provider has none. */
  readonly grant?: HttpBehavior;
  readonly rotate?: AdapterContext['rotate'];
}

export function openHttp(subject: HttpSubject): ChannelSubject['open'] {
  return async ({ timeoutMs, down, bare }) => {
    const provider = await httpStandIn(subject.accept);
    const tokens = subject.grant && (await httpStandIn(subject.grant));
    const outbound = createOutbound({ allowPrivateNetworks: false, timeoutMs });
    const url = down ? `http://127.0.0.1:${await closedPort()}` : provider.url;
    const adapter = subject.create({
      config: subject.config(url, tokens && `${tokens.url}/token`),
      outbound,
      clock: fixedClock(acceptedMs),
      ...(subject.rotate && { rotate: subject.rotate }),
    });
    return {
      adapter,
      credentials: bare ? undefined : subject.credentials,
      meet: (key) => provider.meet(subject.behaviors[key] ?? 'hang'),
      calls: () => provider.calls.length,
      release: () => {
        for (const held of provider.held) {
          held.statusCode = subject.lateStatus ?? 200;
          held.end(subject.lateBody);
        }
      },
      async shutDown() {
        await adapter.close();
        await outbound.close();
      },
      async close() {
        await outbound.close(0);
        await provider.close();
        await tokens?.close();
      },
    };
  };
}

/** An adapter on a fixed clock, until the test ends. */
export function adapterAt(t: Test, create: AdapterFactory, config: ProviderConfig) {
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const clock = fixedClock(acceptedMs);
  return { adapter: create({ config, outbound, clock }), clock, outbound };
}

/** The same with a scripted provider. */
export async function withProvider(
  t: Test,
  create: AdapterFactory,
  config: (url: string) => ProviderConfig,
  first: HttpBehavior,
) {
  const provider = await httpStandIn(first);
  t.teardown(() => provider.close());
  return { provider, ...adapterAt(t, create, config(provider.url)) };
}

interface Previewed {
  readonly provider: HttpStandIn;
  readonly attempts: fc.Arbitrary<Attempt>;
  readonly send: (attempt: Attempt) => ReturnType<Adapter['send']>;
  /** A further check of each sent body. */
  readonly also?: (payload: object) => Promise<unknown>;
  readonly runs?: number;
}

/** A property: a preview shows what is sent, or why nothing is sent. */
export async function previewIsWhatIsSent(t: Test, of: Previewed): Promise<void> {
  await fc.assert(
    fc.asyncProperty(of.attempts, async (attempt) => {
      of.provider.calls.length = 0;
      const outcome = await of.send(attempt);
      const made = payloadOf(attempt, acceptedMs);
      const [call] = of.provider.calls;
      if (call === undefined) return void t.same(made, outcome);
      const payload = JSON.parse(String(call.body));
      t.same(made, { payload });
      await of.also?.(payload);
    }),
    { numRuns: tries(of.runs ?? 100) },
  );
}
