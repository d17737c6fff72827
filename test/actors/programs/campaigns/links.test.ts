// Clicks by link against a recount of the event stream, over merges, crashes and checkpoints.

import fc from 'fast-check';
import t from 'tap';
import { LinkTally } from '../../../../actors/programs/campaigns/link-tally.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { Scene } from './scene.ts';

const read = (scene: Scene, id: string) => scene.one.value(scene.app, 'campaign.links', { id });

t.test('clicks count by link, most first, for people who were sent the campaign', async (t) => {
  const scene = await Scene.withPeople(4);
  const { id } = await scene.campaign();
  t.same(await read(scene, id), { items: [], others: { clicks: 0, people: 0 } });
  await scene.send(id);
  const click = (who: string, url: unknown) =>
    scene.track(who, 'clicked', { campaignId: id, props: { url } });
  for (const who of ['user-0', 'user-1', 'user-1', 'stranger'])
    await click(who, 'https://a.test/b');
  for (const who of ['user-1', 'user-2', 'user-3', 'user-3']) await click(who, 'https://a.test/a');
  await click('user-0', 7);
  await scene.track('user-0', 'clicked', { campaignId: id });
  const expected = {
    items: [
      { url: 'https://a.test/a', clicks: 4, people: 3 },
      { url: 'https://a.test/b', clicks: 3, people: 2 },
    ],
    others: { clicks: 0, people: 0 },
  };
  t.same(await read(scene, id), expected);
  await scene.crash();
  t.same(await read(scene, id), expected);
  t.ok(await scene.moveByCheckpoint());
  t.same(await read(scene, id), expected);
  await scene.advance(31 * dayMs);
  await click('user-2', 'https://a.test/b');
  t.same(await read(scene, id), expected, 'no longer than the stats');
});

t.test('a goal that is a click counts beside its link', async (t) => {
  const scene = await Scene.withPeople(2);
  const { id } = await scene.sentCampaign({ goal: { event: 'clicked', withinHours: 1 } });
  await scene.track('user-0', 'clicked', { campaignId: id, props: { url: 'https://a.test/' } });
  t.match(await scene.stats(id), { clicked: 1, converted: 1 });
});

const person = fc.constantFrom(0, 1, 2, 4_095, 4_096);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('click' as const), person, link: fc.nat(140) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('merge' as const), person, into: person }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restore' as const) }) },
);

t.test('the figures are a recount of all clicks, and no more than a hundred links', (t) => {
  const check = (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
    let tally = new LinkTally();
    const clicks = new Map<string, number[]>();
    for (const one of steps)
      if (one.does === 'restore') tally = LinkTally.restore(structuredClone(tally.snapshot()));
      else if (one.does === 'click') {
        const url = `https://a.test/${one.link}`;
        tally.click(url, one.person);
        const known = clicks.has(url) || clicks.size < 100 + (clicks.has('others') ? 1 : 0);
        const into = known ? url : 'others';
        clicks.set(into, [...(clicks.get(into) ?? []), one.person]);
      } else if (one.person !== one.into) {
        tally.merge(one.person, one.into);
        for (const [url, who] of clicks)
          clicks.set(
            url,
            who.map((each) => (each === one.person ? one.into : each)),
          );
      }
    const of = (url: string) => ({
      clicks: clicks.get(url)?.length ?? 0,
      people: new Set(clicks.get(url)).size,
    });
    const { items, others } = tally.links;
    const shown = Object.fromEntries(items.map(({ url, ...counts }) => [url, counts]));
    const urls = [...clicks.keys()].filter((url) => url !== 'others');
    const counted = Object.fromEntries(urls.map((url) => [url, of(url)]));
    const isSorted = items.every(({ clicks }, i) => clicks <= (items[i - 1]?.clicks ?? clicks));
    return (
      isSorted &&
      JSON.stringify(others) === JSON.stringify(of('others')) &&
      Object.keys(shown).length === urls.length &&
      urls.every((url) => JSON.stringify(shown[url]) === JSON.stringify(counted[url]))
    );
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 400, size: 'max' }), check), {
    numRuns: tries(60),
  });
  t.end();
});
