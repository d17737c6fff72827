// The rig of every adapter that speaks HTTP/1.1: the adapter, a scripted provider and, where there
// is one, a scripted token endpoint. `down` gives the adapter an address on which nobody listens;
// the provider still runs and must not be called.

import fc from 'fast-check';
import type { Test } from 'tap';
import type { Adapter, AdapterContext, AdapterFactory } from '../../../actors/channels/adapter.ts';
import type { Attempt } from '../../../actors/channels/attempt.ts';
import type { ProviderUrlName } from '../../../actors/channels/catalog.ts';
import { createOutbound } from '../../../actors/channels/outbound/outbound.ts';
import type { ProviderConfig } from '../../../actors/channels/provider-config.ts';
import { payloadOf } from '../../../actors/channels/providers.ts';
import type { ChannelSubject } from '../../conformance/channel.ts';
import {
  acceptedMs,
  closedPort,
  fixedClock,
  type HttpBehaviour,
  type HttpStandIn,
  httpStandIn,
} from './stand-ins.ts';

/** What an operator has set who has these addresses of providers. */
export function providerConfig(
  urls: ProviderConfig['urls'],
  mode: ProviderConfig['mode'] = 'live',
): ProviderConfig {
  return { mode, urls, vapidSubject: 'mailto:a@example.com', publicUrl: 'http://127.0.0.1' };
}

/** The same for a provider of one address; without it, the provider's own. */
export function configOf(name: ProviderUrlName) {
  return (url: string | undefined, mode?: ProviderConfig['mode']) =>
    providerConfig(url === undefined ? {} : { [name]: url }, mode);
}

/** What a rig is made of. */
interface HttpSubject {
  readonly create: AdapterFactory;
  /** By the address of the provider, and of its tokens. */
  readonly config: (url: string, tokenUrl: string | undefined) => ProviderConfig;
  readonly credentials: unknown;
  /** What calls meet until one of `behaviours` is chosen. */
  readonly accept: HttpBehaviour;
  readonly behaviours: Readonly<Record<string, HttpBehaviour>>;
  /** The body that calls which hung are answered with in the end. */
  readonly lateBody: string;
  /** What the endpoint of tokens answers; absent where a provider has none. */
  readonly grant?: HttpBehaviour;
  readonly rotate?: AdapterContext['rotate'];
}

/** Opens the rig of a conformance suite. */
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
      meet: (key) => provider.meet(subject.behaviours[key] ?? 'hang'),
      calls: () => provider.calls.length,
      release: () => {
        for (const held of provider.held) held.end(subject.lateBody);
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

/**
 * An adapter on a clock that stands still, until the test ends: at the sandbox, or at a provider of
 * one's own.
 */
export function adapterAt(t: Test, create: AdapterFactory, config: ProviderConfig) {
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const clock = fixedClock(acceptedMs);
  return { adapter: create({ config, outbound, clock }), clock, outbound };
}

/** The same with a scripted provider at the other end. */
export async function withProvider(
  t: Test,
  create: AdapterFactory,
  config: (url: string) => ProviderConfig,
  first: HttpBehaviour,
) {
  const provider = await httpStandIn(first);
  t.teardown(() => provider.close());
  return { provider, ...adapterAt(t, create, config(provider.url)) };
}

/** What a preview's property is about. */
interface Previewed {
  readonly provider: HttpStandIn;
  readonly attempts: fc.Arbitrary<Attempt>;
  readonly send: (attempt: Attempt) => ReturnType<Adapter['send']>;
  /** What more must hold of each body that was sent. */
  readonly also?: (payload: object) => Promise<unknown>;
  readonly runs?: number;
}

/** A property: what a preview shows is what is sent, or the reason why nothing is. */
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
    { numRuns: of.runs ?? 100 },
  );
}
