// A wave crosses as it was sent, and its records' buffer comes back once its last row has ended.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import type { DispatchWave } from '../../../../actors/sending/dispatch/protocol.ts';
import { receivedGrant, sendGrant } from '../../../../actors/sending/dispatch/wave-crossing.ts';
import { bodyBuffers, largeBytes } from '../../../../engine/thread/body-buffers.ts';
import { inlinePorts, Link } from '../../../../engine/thread/link.ts';
import type { GrantItem, OutcomeItem } from '../../../../engine/thread/wire.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { testClock } from '../../../support/partition.ts';

function recordOf(person: number): Uint8Array {
  const common = { createdMs: 1, updatedMs: 1 };
  const device = { id: `dev_${person}`, channel: 'fcm', endpoint: `token-${person}` };
  const devices = [{ ...device, enabled: true, ...common }];
  return subscribers.encode({ id: `sub_${person}`, person, devices, tags: {}, ...common } as never);
}

function waveOf(people: readonly number[], room: number): DispatchWave {
  const bytes = bodyBuffers.take(room);
  const ends: number[] = [];
  let at = 0;
  for (const person of people) {
    const record = recordOf(person);
    bytes.set(record, at);
    ends.push((at += record.length));
  }
  return {
    ...{ kind: 'dispatch.wave', partition: 0, app: 1, channel: 'fcm', wave: 7, credentials: {} },
    ...{ campaignId: 'cmp_1', appId: 'app_1', appName: 'Shop', timezone: 'UTC', email: {} },
    sendParts: { ordinal: 1, atMs: 1, high16: 0, low32: 0 },
    acceptedMs: 1,
    contents: [{ title: 'Hi', body: 'News' }],
    people: Uint32Array.from(people),
    records: bytes.subarray(0, room),
    ends: Uint32Array.from(ends),
  } as unknown as DispatchWave;
}

t.test('large records are transferred and returned, small ones copied', async (t) => {
  for (const room of [largeBytes * 2, 4_096]) {
    const isLarge = room >= largeBytes;
    const [one, other] = inlinePorts(setImmediate);
    const answers: ((outcome: Outcome) => void)[] = [];
    const read: number[] = [];
    let reports = 0;
    const dispatcher = new Dispatcher({
      adapters: new Map([
        [
          'fcm',
          {
            send: () => new Promise<Outcome>((answer) => answers.push(answer)),
            close: async () => undefined,
          },
        ],
      ]),
      clock: testClock(),
      defer: setImmediate,
      after: () => undefined,
      onBug: (error) => t.fail(String(error)),
      unsubscribeUrl: () => '',
      preferencesUrl: () => 'http://engage.test/p/x',
      report: (_shard, partition, app, report) => inside.send([partition, app, report]),
      onRead: (_shard, records) => {
        read.push(records.byteLength);
        inside.giveBack(records);
      },
    });
    const sent: DispatchWave[] = [];
    const inside: Link<OutcomeItem, GrantItem> = new Link(other, (item, bytes) => {
      const wave = receivedGrant(item, bytes) as unknown as DispatchWave;
      sent.push({ ...wave, records: wave.records.slice() });
      dispatcher.grant(0, wave);
    });
    const outside: Link<GrantItem, OutcomeItem> = new Link(one, () => reports++);
    const wave = waveOf([3, 4], room);
    const copy = { ...wave, records: Uint8Array.from(wave.records) };
    const { buffer } = wave.records;
    sendGrant(outside, wave as never);
    await pass();
    t.same(
      { ...sent[0], records: [...(sent[0]?.records ?? [])] },
      {
        ...copy,
        records: [...copy.records],
      },
    );
    t.equal(buffer.byteLength === 0, isLarge, 'transferred');
    t.equal(answers.length, 2);
    answers[0]?.({ outcome: 'accepted' });
    await pass();
    t.same(read, [], 'one row is under way');
    answers[1]?.({ outcome: 'accepted' });
    await pass();
    t.same(read, [room], 'once');
    t.equal(reports, 2);
    if (!isLarge) continue;
    const again = bodyBuffers.take(room);
    t.same([...again], [...copy.records], 'the same bytes: it is reused');
  }
});

async function pass(): Promise<void> {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
}
