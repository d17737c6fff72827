// What it costs to follow a person: one question to memory while nothing happens, a look at the new
// events when others are active, and the page of the story only when it may have moved.

import t from 'tap';
import type { StoryEntry } from '../../../actors/insight/timeline/protocol.ts';
import { followedPerson } from '../../../http/live/person-topic.ts';

const waits: StoryEntry = { kind: 'state', code: 'journey_waits', atMs: 5, journeyId: 'jrn_1' };
const sent: StoryEntry = { kind: 'receipt', code: 'sent', atMs: 9 };

/** A person whose story the test moves; `asked` is what was asked since. */
function scene() {
  const world = {
    readMs: 1_000,
    newestEvent: 7,
    now: [waits] as readonly StoryEntry[],
    items: [sent] as readonly StoryEntry[],
    /** The newest event of this person. */
    own: 7,
    name: 'Winter',
    isPoolBroken: false,
  };
  let asked: string[] = [];
  const named = (entries: readonly StoryEntry[]) =>
    entries.map((one) => ('journeyId' in one ? { ...one, journeyName: world.name } : one));
  const answers: Readonly<Record<string, (body: { query: { afterSeq: number } }) => unknown>> = {
    'timeline.locate': () => {
      const { readMs, newestEvent, now } = world;
      return { readMs, newestEvent, now, person: 1, aliases: [], open: [] };
    },
    'timeline.names': () => [['jrn_1', world.name]],
    'timeline.read': () => {
      if (world.isPoolBroken) throw new Error('the pool is broken');
      return { items: named(world.items), now: named(world.now), nextCursor: null };
    },
    'events.list': ({ query }) => ({
      items: world.own > query.afterSeq ? [{ seq: world.own }] : [],
      nextCursor: null,
    }),
  };
  const ask = async (kind: string, body: never) => {
    asked.push(kind);
    return answers[kind]?.(body);
  };
  const { read } = followedPerson({ to: () => ({ ask }) } as never, 1, { text: 'p', id: 'sub_1' });
  return {
    world,
    /** Whether there was news, and what was asked for it. */
    async look() {
      asked = [];
      const reading = await read();
      return { isNews: reading !== undefined, asked };
    },
    /** Until it is known that the pool has read all that is counted. */
    async settle() {
      await read();
      await read();
    },
  };
}

const memory = ['timeline.locate', 'timeline.names'];

t.test('a quiet person in a quiet app is not read again', async (t) => {
  const { look, settle, world } = scene();
  await settle();
  for (let nth = 0; nth < 3; nth++) {
    world.readMs += 1_000;
    t.strictSame(await look(), { isNews: false, asked: memory });
  }
});

t.test('what others do costs a look at the newest events, twice', async (t) => {
  const { look, settle, world } = scene();
  await settle();
  world.newestEvent = 90;
  const looked = { isNews: false, asked: [...memory, 'events.list'] };
  t.strictSame(await look(), looked);
  t.strictSame(await look(), looked, 'it may not have been readable yet');
  t.strictSame(await look(), { isNews: false, asked: memory });
});

t.test('an event that the pool could not read at first is found at the second look', async (t) => {
  const { look, settle, world } = scene();
  await settle();
  world.newestEvent = 90;
  t.notOk((await look()).isNews);
  world.own = 90;
  t.match(await look(), { isNews: true, asked: [...memory, 'events.list', 'timeline.read'] });
  t.strictSame(await look(), { isNews: false, asked: memory });
});

t.test('a state, a name and the end of what is next are news', async (t) => {
  const { look, settle, world } = scene();
  await settle();
  world.now = [];
  t.ok((await look()).isNews, 'a state');
  world.now = [waits];
  t.ok((await look()).isNews, 'its return');
  world.name = 'Autumn';
  t.ok((await look()).isNews, 'a name');
  world.items = [{ ...sent, next: { code: 'recheck', atMs: 5_000 } }];
  world.now = [];
  t.ok((await look()).isNews);
  world.readMs = 4_999;
  t.notOk((await look()).isNews);
  world.readMs = 5_000;
  world.items = [sent];
  t.ok((await look()).isNews, 'the time of something next has come');
});

t.test('a page that could not be read is read at the next look', async (t) => {
  const { look, settle, world } = scene();
  await settle();
  world.now = [];
  world.isPoolBroken = true;
  await t.rejects(look());
  world.isPoolBroken = false;
  t.ok((await look()).isNews);
});
