// Callbacks of the chat providers in any order, again and again, early and late, many in a turn:
// each person comes to the same end. Every person of a scene is a case of their own, so that ten
// thousand cost a few scenes.

import t from 'tap';
import { below, pick, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';
import { endpointOf } from '../../programs/campaigns/scene.ts';
import {
  askChat,
  type ChatChannel,
  chatChannels,
  chatScene,
  inboundBody,
  nameOf,
  statusBody,
} from './chat-provider.ts';
import { type Sent, tookIn } from './provider.ts';

const people = 250;
const runsPerChannel = tries(10);
const startMs = Date.UTC(2025, 11, 31);

/** A callback about one person; `name` is that of the message that they were sent. */
interface Callback {
  readonly person: number;
  /** Of a message; words that come before it is handed out keep it from that. */
  readonly isStatus?: true;
  body(name: string): string;
}

/** What may be told of somebody: each thing once, no two words of one instant. */
function drawCase(channel: ChatChannel, person: number, rng: Rng): readonly Callback[] {
  const user = endpointOf(`user-${person}`, channel);
  const told: Callback[] = [];
  if (channel === 'zalo' || channel === 'viber') {
    const statuses = channel === 'viber' ? ['arrived', 'read', 'failed'] : ['arrived', 'read'];
    for (const status of statuses as ('arrived' | 'read' | 'failed')[])
      if (below(rng, 2) === 0)
        told.push({
          person,
          isStatus: true,
          body: (name) => statusBody(channel, status, name, user),
        });
    if (below(rng, 8) === 0)
      told.push({ person, isStatus: true, body: () => statusBody(channel, 'read', '999', user) });
  }
  const seconds = [1, 2, 3, 4, 5, 6].filter(() => below(rng, 3) === 0);
  for (const second of seconds) {
    const what = pick(rng, ['left', 'came', { text: 'STOP' }, { text: 'start' }, { text: 'hi' }]);
    // Telegram tells whole seconds: its numbers order what one second holds, past a thousand too.
    const atMs = startMs + (channel === 'telegram' ? Math.floor(second / 4) : second) * 1_000;
    const id = person * 1_000 + 997 + second;
    const body = inboundBody(channel, what as 'left', atMs, id, user);
    told.push({ person, body: () => body });
  }
  return told;
}

/**
 * What is left of everybody, after these callbacks; the first so many come before any answer is in.
 */
async function after(channel: ChatChannel, told: readonly Callback[], early: number, rng: Rng) {
  const scene = await chatScene(channel, people);
  const { id } = await scene.campaign({ channels: [channel] });
  await scene.one.value(scene.app, 'campaign.send', { id });
  const letGo = scene.hold();
  await scene.one.settle();
  await scene.callGranted();
  const tell = async (some: readonly Callback[]) => {
    const names = new Map(
      scene.sent.map((sent) => [String(sent.endpoint), nameOf(sent as unknown as Sent)]),
    );
    for (let from = 0; from < some.length; ) {
      const end = from + 1 + below(rng, 64);
      const answers = some.slice(from, end).map(({ person, body }) => {
        const name = names.get(endpointOf(`user-${person}`, channel)) ?? '1';
        return askChat(scene, channel, body(name));
      });
      for (const answer of await Promise.all(answers)) tookIn(answer);
      from = end;
    }
  };
  const isGranted = new Set(scene.sent.map(({ endpoint }) => String(endpoint)));
  const isEarly = ({ person, isStatus }: Callback, index: number) =>
    index < early && isStatus && isGranted.has(endpointOf(`user-${person}`, channel));
  await tell(told.filter(isEarly));
  await letGo();
  await tell(told.filter((one, index) => !isEarly(one, index)));
  await scene.advance(60 * 60_000);
  t.notOk(scene.firstGap());
  const suppressed = await scene.one.value(scene.app, 'suppression.list', { limit: 200 });
  const bySend = (name: string) =>
    scene
      .events(name)
      .map(({ person, sendId, meta }) => `${person} ${sendId} ${meta['reason'] ?? ''}`)
      .sort();
  return {
    suppressed: suppressed.items.map(({ address, reason }) => `${address} ${reason}`),
    opened: bySend('opened'),
    bounced: bySend('bounced'),
    stats: await scene.stats(id),
  };
}

for (const channel of chatChannels)
  t.test(
    `of ${channel}, callbacks in any order and however often come to the same end`,
    async (t) => {
      for (let seed = 1; seed <= runsPerChannel; seed++) {
        const rng = seededRng(seed);
        const once = Array.from({ length: people }, (_, person) =>
          drawCase(channel, person, rng),
        ).flat();
        const often = shuffled([...once, ...once, ...once.filter(() => below(rng, 3) === 0)], rng);
        const early = below(rng, often.length);
        const wanted = await after(channel, once, 0, rng);
        t.same(await after(channel, often, early, rng), wanted, `seed ${seed}`);
        if (channel === 'viber') t.ok(wanted.bounced.length > 0 && wanted.opened.length > 0);
        t.ok(wanted.suppressed.length > 0);
      }
    },
  );

function shuffled<Item>(items: readonly Item[], rng: Rng): readonly Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = below(rng, i + 1);
    [all[i], all[j]] = [all[j] as Item, all[i] as Item];
  }
  return all;
}
