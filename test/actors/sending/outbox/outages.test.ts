// A provider that is down: every channel's adapter and stand-in, a dispatcher, and the product's
// actor on a virtual clock. Nothing is lost, nothing is sent twice, few calls are made meanwhile,
// and afterwards the line empties in order.

import t, { type Test } from 'tap';
import { catalog } from '../../../../actors/channels/catalog.ts';
import { type ChannelId, channelIds } from '../../../../actors/channels/channel-ids.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { ProviderConfig } from '../../../../actors/channels/port/provider-config.ts';
import { createAdapters } from '../../../../actors/channels/registry.ts';
import { makeVapidKeys } from '../../../../actors/channels/webpush/vapid-keys.ts';
import { limits } from '../../../../actors/limits.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import { minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { type Rig, withSandbox } from '../../../sandbox/with-sandbox.ts';
import { anApp, TestPartition, testClock } from '../../../support/partition.ts';
import { everyNth } from '../../../support/tries.ts';

const people = 100;
/** Of the clock: as fine as the first waits, coarser in a long outage. */
const stepOf = (ms: number) => Math.max(5 * secondMs, ms / 40);
const outagesMs = [2, 15, 120].map((minutes) => minutes * minuteMs);
/** A probe goes out at least this often, and the line needs some steps. */
const drainMs = limits.circuitProbeMsMax + minuteMs;

const content = {
  title: 'Hi',
  body: 'there',
  payload: { kakao: { templateId: 'T1' } },
};

async function addressOf(sandbox: Rig, channel: ChannelId, index: number): Promise<unknown> {
  switch (channel) {
    case 'webpush': {
      const { json } = await sandbox.call('POST', '/control/webpush/subscriptions', {
        name: `b${index}`,
      });
      return json.subscription;
    }
    case 'email':
      return `user-${index}@example.com`;
    case 'telegram':
    case 'zalo':
      return String(4_337_842 + index);
    case 'line':
      return `U${index.toString(16).padStart(32, '0')}`;
    case 'apns':
      return index.toString(16).padStart(64, '0');
    case 'fcm':
    case 'viber':
      return `user.${index}.of-the-outage`;
    default:
      return `+1415555${String(1000 + index)}`;
  }
}

function configOf(sandbox: Rig): ProviderConfig {
  return {
    mode: 'sandbox',
    urls: sandbox.providerUrls,
    webPushUrl: sandbox.webPushUrl,
    smtp: { url: sandbox.smtpUrl },
    vapidSubject: 'mailto:a@example.com',
    publicUrl: 'http://127.0.0.1',
  };
}

/** The product on a channel, with the sandbox as its provider. */
async function world(t: Test, sandbox: Rig, channel: ChannelId) {
  const clock = testClock(Date.now());
  const one = new TestPartition({ clock, available: [channel] });
  const outbound = createOutbound({ allowPrivateNetworks: true });
  const adapters = await createAdapters(configOf(sandbox), outbound);
  t.teardown(async () => {
    for (const adapter of adapters.values()) await adapter.close();
    await outbound.close(0);
  });
  const dispatcher = new Dispatcher({
    adapters,
    clock,
    report: (_shard, _partition, to, message) =>
      one.partition.deliverAlways({
        to,
        lane: 'express',
        deadlineMs: Number.POSITIVE_INFINITY,
        message,
        bytes: undefined,
        answer: undefined,
      }),
    defer: setImmediate,
    after: () => undefined,
    onBug: (error) => t.error(error),
    unsubscribeUrl: () => 'http://127.0.0.1/u',
    preferencesUrl: () => 'http://engage.test/p/x',
  });
  const { app } = await anApp(one);
  const credential = await makeVapidKeys();
  if (channel === 'webpush')
    await one.value(app, 'credential.put', { channel, credential, fingerprint: 'f' });
  for (let index = 0; index < people; index++)
    await one.value(app, 'subscriber.upsert', {
      subscriber: {
        externalUserId: `user-${index}`,
        devices: [{ channel, endpoint: await addressOf(sandbox, channel, index) }],
      },
    } as never);
  /** Lets all calls of this instant end. */
  const rest = async () => {
    for (let idle = 0; idle < 3; idle++) {
      await one.settle();
      for (const grant of one.takeGrants()) {
        dispatcher.grant(0, grant);
        idle = 0;
      }
      if (dispatcher.figures.inFlight > 0) idle = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const pass = async (ms: number) => {
    for (const endMs = clock.nowMs + ms; clock.nowMs < endMs; ) {
      await one.advance(stepOf(ms));
      await rest();
    }
  };
  const send = async (index: number) => {
    const request = { to: { externalUserId: `user-${index}` }, ...content };
    return (await one.value(app, 'transactional.accept', { request, claim: null })).id;
  };
  const statusOf = async (id: string) =>
    (await one.value(app, 'transactional.read', { id })).status;
  return { dispatcher, rest, pass, send, statusOf };
}

/** A recipient as a stand-in names it: without punctuation, a browser by its name. */
const plain = (to: unknown) => (typeof to === 'string' ? to.replace(/\W/g, '') : '');

/**
 * Each send arrived once, and none overtook another by more than what is in flight at once, unless
 * the provider has parts: what waits for a part is in no line.
 */
async function onceInOrder(t: Test, sandbox: Rig, channel: ChannelId): Promise<void> {
  const names = await Promise.all(
    Array.from({ length: people }, async (_, index) =>
      channel === 'webpush' ? `b${index}` : plain(await addressOf(sandbox, channel, index)),
    ),
  );
  const arrived = (await sandbox.messages('?limit=500'))
    .filter(({ outcome }) => outcome === 'accepted')
    .map(({ to }) => plain(to))
    .reverse();
  t.same(arrived.toSorted(), names.toSorted(), 'nothing sent twice');
  if (catalog[channel].accountOf !== undefined) return;
  const worst = Math.max(...arrived.map((name, place) => Math.abs(names.indexOf(name) - place)));
  t.ok(worst <= limits.inFlightPerAccountMax, `the furthest is ${worst} places from its turn`);
}

for (const channel of channelIds.filter((_, index) => index % everyNth(3) === 0))
  t.test(`${channel}: outages of 2, 15 and 120 minutes`, async (t) => {
    const sandbox = await withSandbox(t);
    const { dispatcher, rest, pass, send, statusOf } = await world(t, sandbox, channel);
    for (const outageMs of outagesMs) {
      await sandbox.call('POST', '/control/reset');
      const value = channel === 'email' ? 421 : 503;
      const { status } = await sandbox.call('POST', '/control/faults', {
        channel,
        match: '*',
        fault: 'status',
        value,
      });
      t.equal(status, 201);
      const callsBefore = dispatcher.figures.calls;
      const ids: string[] = [];
      for (let index = 0; index < people; index++) {
        ids.push(await send(index));
        if (index % 10 === 9) await rest();
        if (index % 50 === 49) await pass(outageMs / 2);
      }
      const calls = dispatcher.figures.calls - callsBefore;
      await sandbox.call('DELETE', '/control/faults');
      await pass(drainMs);
      const states = await Promise.all(ids.map(statusOf));
      t.same(new Set(states), new Set(['delivered']), `${outageMs / minuteMs} min: nothing lost`);
      await onceInOrder(t, sandbox, channel);
      t.ok(calls < 2 * limits.circuitMissesMin + 64, `${calls} calls while it is down`);
    }
  });
