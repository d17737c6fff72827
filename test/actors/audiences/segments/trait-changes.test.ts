// The columns against the records: whatever was done to people, devices and opt-outs, and in
// whatever order, each column says what the records say; also after a restart, from the log alone.

import t from 'tap';
import { type ChannelId, channelIds } from '../../../../actors/channels/channel-ids.ts';
import { identityKey } from '../../../../actors/people/audience/identity.ts';
import { below, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { Documents } from '../../../../storage/documents.ts';
import { subscribers, type TagValue } from '../../../../storage/tables/subscriber.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';

const channels = ['email', 'sms', 'whatsapp', 'fcm'] as const;
const tags = ['plan', 'city', 'interests'] as const;
const values: (TagValue | null)[] = ['pro', 'free', 1, '1', true, null, ['a', 'b'], ['b'], []];

function endpointOf(rng: Rng, channel: (typeof channels)[number]): string {
  const n = below(rng, 6);
  if (channel === 'email') return `${below(rng, 2) === 0 ? 'P' : 'p'}erson-${n}@example.com`;
  return channel === 'fcm' ? `token-number-${n}-0123456789` : `+1415555012${n}`;
}

async function step(one: TestPartition, app: number, rng: Rng): Promise<void> {
  const externalUserId = `user-${below(rng, 8)}`;
  const ref = { externalUserId };
  const channel = channels[below(rng, channels.length)] as (typeof channels)[number];
  const endpoint = endpointOf(rng, channel);
  const changed = Object.fromEntries(
    tags
      .filter(() => below(rng, 2) === 0)
      .map((tag) => [tag, values[below(rng, values.length)] ?? null]),
  );
  const dice = below(rng, 100);
  if (dice < 35) {
    const devices = below(rng, 2) === 0 ? [] : [{ channel, endpoint, enabled: below(rng, 4) > 0 }];
    await one.ask(app, 'subscriber.upsert', {
      subscriber: { externalUserId, tags: changed, devices },
    });
  } else if (dice < 50) await one.ask(app, 'subscriber.patch', { ref, patch: { tags: changed } });
  else if (dice < 65) await one.ask(app, 'device.add', { ref, device: { channel, endpoint } });
  else if (dice < 75) {
    const read = await one.ask(app, 'subscriber.read', { ref });
    const devices = read.ok ? (read.value as { devices: { id: string }[] }).devices : [];
    const deviceId = devices[below(rng, Math.max(1, devices.length))]?.id;
    if (deviceId === undefined) return;
    if (dice < 68) await one.ask(app, 'device.remove', { ref, deviceId });
    else await one.ask(app, 'device.enable', { ref, deviceId, enabled: below(rng, 2) === 0 });
  } else if (dice < 83) {
    await one.ask(app, 'suppression.add', {
      channel,
      address: endpoint,
      source: below(rng, 2) === 0 ? 'api' : 'unsubscribe',
    });
  } else if (dice < 90) await one.ask(app, 'suppression.remove', { channel, address: endpoint });
  else if (dice < 96) {
    const request = { to: ref, title: 'Hi', body: 'there' };
    await one.ask(app, 'transactional.accept', { request, claim: null });
    for (const grant of one.takeGrants()) {
      const outcome = below(rng, 2) === 0 ? ('dead' as const) : ('opted_out' as const);
      const reports = grant.attempts.map(({ target, attempt }) => ({
        sendId: attempt.sendId,
        target,
        attempt: attempt.attempt,
        outcome: { outcome, reason: 'gone' },
      }));
      await one.ask(app, 'dispatch.report', { channel: grant.channel, reports });
    }
  } else await one.ask(app, 'subscriber.erase', { ref });
}

/** What is wrong with the columns, given the records. */
function disagreements(one: TestPartition, app: number): string[] {
  const wrong: string[] = [];
  const state = one.product.state.apps.get(app);
  if (state === undefined) return ['no app'];
  const { traits, suppressions, people } = state;
  const documents = new Documents(one.store);
  for (let person = 0; person < people.next; person++) {
    const row = documents.get(subscribers, app, [person]);
    if (traits.alive.test(person) !== (row !== undefined)) wrong.push(`${person} alive`);
    for (const tag of tags) {
      const value = row?.tags[tag];
      const column = traits.tags.get(tag);
      if ((column?.has(person) ?? false) !== (value !== undefined))
        wrong.push(`${person} has ${tag}`);
      for (const wanted of ['pro', 'free', 1, '1', true, 'a', 'b'] as const) {
        const is = Array.isArray(value)
          ? value.some((element) => element === wanted)
          : value === wanted;
        if ((column?.equals(person, wanted) ?? false) !== is)
          wrong.push(`${person} ${tag} ${wanted}`);
      }
    }
    for (const [index, channel] of channelIds.entries()) {
      const reached = (row?.devices ?? []).some((device) => {
        if (device.channel !== channel || !device.enabled) return false;
        const key =
          typeof device.endpoint === 'string'
            ? identityKey(channel as ChannelId, device.endpoint)
            : undefined;
        return key === undefined || !suppressions.has(key);
      });
      if (traits.reach[index]?.test(person) !== reached) wrong.push(`${person} ${channel}`);
    }
  }
  return wrong;
}

t.test('columns say what the records say, whatever was done, also after a restart', async (t) => {
  for (let seed = 0; seed < 12; seed++) {
    const rng = seededRng(seed);
    const { one, app } = await partitionWithApp();
    for (let i = 0; i < 120; i++) await step(one, app, rng);
    t.same(disagreements(one, app), [], `seed ${seed}`);
    const two = new TestPartition({
      store: one.store.crash(0, { settle: 'auto' }),
      clock: one.clock,
    });
    await two.settle();
    t.same(disagreements(two, app), [], `seed ${seed}, from the log`);
    t.ok((one.product.state.apps.get(app)?.people.next ?? 0) > 3);
  }
});

t.test('what changes nothing that a filter sees writes nothing for it', async (t) => {
  const { one, app } = await partitionWithApp();
  const subscriber = { externalUserId: 'ana', tags: { plan: 'pro' } };
  await one.value(app, 'subscriber.upsert', { subscriber });
  const { entries } = one.partition.figures;
  await one.value(app, 'subscriber.upsert', { subscriber });
  t.equal(one.partition.figures.entries, entries + 1, 'subscriber.changed alone');
});
