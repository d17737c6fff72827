// Small worlds in which every rule of the gate may say no: people with random devices, zones,
// preferences, choices, opt-outs and earlier sends, and an app and org with random settings and
// limits.

import fc from 'fast-check';
import { type ChannelId, channelIds } from '../../../../actors/channels/channel-ids.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';

/** The night of zalo's provider, one identity for two, no identity, and an allowance. */
const channels: readonly ChannelId[] = ['fcm', 'email', 'sms', 'voice', 'zalo'];
const zones = ['Asia/Bangkok', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'];

const times = ['00:00', '04:30', '08:00', '13:00', '22:00'];
const someChannels = fc.subarray([...channels], { minLength: 1 });
/** Mostly nothing: where every rule says no at once, most are never asked. */
const maybe = <One>(one: fc.Arbitrary<One>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, one);

const person = fc.record({
  devices: fc.array(fc.constantFrom(...channels), { maxLength: 4 }),
  /** Of the first device. */
  isDisabled: fc.boolean(),
  timezone: maybe(fc.constantFrom(...zones)),
  preferredChannels: maybe(someChannels),
  /** Of the topic. */
  choice: maybe(fc.constantFrom('in', 'out', 'pending')),
  optedOut: fc.subarray<ChannelId>(['email', 'sms', 'zalo']),
  /** How many campaigns reached them before. */
  before: fc.nat(2),
  /** When they opened something, in hours from the start. */
  openedAtHour: maybe(fc.nat(23)),
});

const cap = fc.record(
  {
    max: fc.integer({ min: 1, max: 2 }),
    perHours: fc.integer({ min: 1, max: 30 }),
    channel: fc.constantFrom(...channels),
  },
  { requiredKeys: ['max', 'perHours'] },
);

const quietHours = fc
  .record(
    {
      start: fc.constantFrom(...times),
      end: fc.constantFrom(...times),
      timezone: fc.constantFrom('subscriber', ...zones),
      channels: someChannels,
    },
    { requiredKeys: ['start', 'end', 'timezone'] },
  )
  .filter(({ start, end }) => start !== end);

export const world = fc.record({
  people: fc.array(person, { minLength: 1, maxLength: 8 }),
  caps: fc.array(cap, { maxLength: 2 }),
  quietHours: fc.option(quietHours),
  available: fc.oneof(
    { weight: 2, arbitrary: fc.constant([...channels]) },
    fc.subarray([...channels], { minLength: 1 }),
  ),
  /** What is left of them at the instant of the send. */
  sendsLeft: fc.option(fc.nat(6)),
  emailsLeft: fc.option(fc.nat(3)),
  ttlSeconds: maybe(fc.constantFrom(0, 3_600, 5 * 3_600, 12 * 3_600, 20 * 3_600)),
  channels: maybe(someChannels),
  /** The default of the topic of what is sent; one with `out` asks clients to confirm. */
  topic: maybe(fc.constantFrom('in', 'out')),
  /** How long after the earlier sends it is, and what the clock reads then. */
  minutes: fc.nat(30 * 60),
});

export type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

/** The key of the world's topic. */
export const topicKey = 'news';

export const nameOf = (index: number): string => `user-${index}`;

/** The world at the instant of the send. */
export async function build(one: World): Promise<Scene> {
  const scene = await Scene.open({ available: one.available });
  await scene.settings({ caps: one.caps });
  await scene.import(
    one.people.map(({ devices, timezone, preferredChannels, before }, index) => [
      nameOf(index),
      devices,
      {
        tags: { first_name: nameOf(index), before: String(before) },
        ...(timezone === undefined ? {} : { timezone }),
        ...(preferredChannels === undefined ? {} : { preferredChannels }),
      },
    ]),
  );
  const most = Math.max(...one.people.map(({ before }) => before));
  for (let at = 1; at <= most; at++) {
    const filter = { tag: 'before', in: ['1', '2'].slice(at - 1) };
    await scene.sentCampaign({ filter, channels: [...channels] });
    await scene.advance(hourMs);
  }
  const startMs = scene.one.clock.nowMs;
  for (const [index, { openedAtHour }] of one.people.entries())
    if (openedAtHour !== undefined)
      await scene.track(nameOf(index), 'opened', {
        at: new Date(startMs - (24 - openedAtHour) * hourMs).toISOString(),
      });
  await scene.advance(one.minutes * minuteMs);
  await forbid(scene, one);
  return scene;
}

/** The topic and its choices, which people themselves make: `in` waits where it asks for it. */
async function choose(scene: Scene, { topic, people }: World): Promise<void> {
  if (topic === undefined) return;
  await scene.topic(topicKey, topic);
  for (const [index, { choice }] of people.entries()) {
    if (choice === undefined) continue;
    const asks = choice === 'pending' && topic === 'out';
    await scene.choose(nameOf(index), topicKey, choice === 'out' ? 'out' : 'in', asks);
  }
}

/** What keeps messages from people, and did not keep the earlier ones. */
async function forbid(scene: Scene, one: World): Promise<void> {
  await choose(scene, one);
  for (const [index, { isDisabled, optedOut }] of one.people.entries()) {
    const ref = { externalUserId: nameOf(index) };
    const { devices } = isDisabled
      ? await scene.one.value(scene.app, 'subscriber.read', { ref })
      : { devices: [] };
    for (const { id: deviceId } of devices.slice(0, 1))
      await scene.one.value(scene.app, 'device.enable', { ref, deviceId, enabled: false });
    for (const channel of optedOut) await scene.optOut(channel, endpointOf(nameOf(index), channel));
  }
  const { quietHours, sendsLeft, emailsLeft } = one;
  await scene.settings({ quietHours });
  const org = scene.one.product.state.orgs.get(scene.org);
  const nowMs = scene.one.clock.nowMs;
  const day = Math.floor(nowMs / (24 * hourMs));
  const sentToday = org?.sendsDay === day ? org.sendsToday : 0;
  const mails = scene.sent.filter(({ channel }) => channel === 'email').length;
  await scene.orgLimits({
    dailySendCap: sendsLeft === null ? null : sentToday + sendsLeft,
    emailAllowance: emailsLeft === null ? null : mails + emailsLeft,
  });
  scene.sent.length = 0;
}

/** The channels of people whom providers were called for since the world was built. */
export function reachedOn(scene: Scene, name: string): ChannelId[] {
  return channelIds.filter((channel) => scene.reached(channel).includes(name));
}
