// Words about everything and about marketing, from people and from tenants, in any order and again
// and again. Every person of a scene is a case of their own.

import t from 'tap';
import { below, pick, seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { reportWhatsapp, withWhatsapp } from './provider.ts';

const people = 120;
const startSeconds = Date.UTC(2025, 11, 31) / 1000;

const said = ['STOP', 'START', 'stop marketing', 'resume marketing'] as const;
interface Told {
  readonly what: (typeof said)[number];
  readonly second: number;
}

function bodyOf({ what, second }: Told, from: string): object {
  const timestamp = startSeconds + second;
  if (what === 'STOP' || what === 'START') {
    const id = `wamid-${from}-${what}-${second}`;
    const text = { body: what };
    return { messages: [{ id, from, timestamp: String(timestamp), type: 'text', text }] };
  }
  const value = what === 'stop marketing' ? 'stop' : 'resume';
  const category = 'marketing_messages';
  return { user_preferences: [{ wa_id: from, category, value, timestamp }] };
}

/** What the newest word says, STOP at one instant. */
function isOut(told: readonly Told[], outs: readonly string[], ins: readonly string[]): boolean {
  const newest = (words: readonly string[]) =>
    Math.max(-1, ...told.filter(({ what }) => words.includes(what)).map(({ second }) => second));
  return newest(outs) > -1 && newest(outs) >= newest(ins);
}

t.test('scopes come to the same end in any order, and a tenant’s are never lifted', async (t) => {
  for (let seed = 1; seed <= tries(12); seed++) {
    const rng = seededRng(seed);
    const scene = await Scene.open({ available: ['sms', 'whatsapp'] });
    await scene.people(people, ['sms']);
    await withWhatsapp(scene);
    const cases = Array.from({ length: people }, (_, person) => ({
      address: endpointOf(`user-${person}`, 'sms'),
      told: Array.from({ length: below(rng, 6) }, () => ({
        what: pick(rng, said),
        second: below(rng, 8),
      })),
      api: pick(rng, [undefined, undefined, 'all', 'marketing'] as const),
    }));
    const calls = cases.flatMap(({ address, told, api }) => [
      ...[...told, ...told.filter(() => below(rng, 2) === 0)].map(
        (one) => () => reportWhatsapp(scene, bodyOf(one, address.slice(1))),
      ),
      ...(api === undefined ? [] : [() => addByApi(scene, address, api)]),
    ]);
    for (const call of shuffled(calls, rng)) await call();
    const { suppressions, marketingOptOuts } = scene.state;
    for (const { address, told, api } of cases) {
      const all = api === 'all' || isOut(told, ['STOP'], ['START']);
      const marketing =
        api === 'marketing' || isOut(told, ['stop marketing'], ['START', 'resume marketing']);
      const found = [
        suppressions.has(`phone:${address}`),
        marketingOptOuts.has(`phone:${address}`),
      ];
      t.same(found, [all, marketing && !all], `seed ${seed}: ${JSON.stringify({ told, api })}`);
    }
    const { items } = await scene.one.value(scene.app, 'suppression.list', { limit: 200 });
    const scopeOf = new Map(items.map(({ address, scope }) => [address, scope]));
    for (const { address } of cases) {
      const isNarrow = marketingOptOuts.has(`phone:${address}`);
      t.equal(scopeOf.get(address), isNarrow ? 'marketing' : undefined);
    }
    t.notOk(scene.firstGap());
    t.ok(scene.isMemoryOfLog());
  }
});

async function addByApi(scene: Scene, address: string, api: 'all' | 'marketing'): Promise<void> {
  const scope = api === 'marketing' ? { scope: api } : {};
  const body = { channel: 'voice', address, source: 'api', ...scope } as const;
  await scene.one.value(scene.app, 'suppression.add', body);
}

function shuffled<Item>(items: readonly Item[], rng: ReturnType<typeof seededRng>): Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = below(rng, i + 1);
    [all[i], all[j]] = [all[j] as Item, all[i] as Item];
  }
  return all;
}
