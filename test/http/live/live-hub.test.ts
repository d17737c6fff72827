// Which streams are open: a key or a session that ends while its stream is being opened opens none,
// and whoever gets no stream takes no place.

import t from 'tap';
import { fault } from '../../../actors/faults.ts';
import type { Answer } from '../../../engine/actor/message.ts';
import type { FaultError } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { LiveHub } from '../../../http/live/live-hub.ts';
import { testClock } from '../../support/partition.ts';

const appId = newId('app', 7, 0, seededRng(1));
const keyId = 'k00000000001';

/** A hub whose questions to the app the test answers. */
function scene(isDropped = false) {
  const asked: ((answer: Answer) => void)[] = [];
  let drop: (keyIds: readonly string[]) => void = () => undefined;
  const hub = new LiveHub({ error: () => undefined } as never, {
    whenDropped: (listener) => void (drop = listener),
    isDropped: () => isDropped,
  });
  const edge = {
    clock: testClock(0),
    ready: () => true,
    admission: { charge: () => ({ refusal: undefined }) },
    router: { ask: () => new Promise((resolve) => asked.push(resolve)) },
  } as never;
  const grant = { keyId, org: 1, app: null, scopes: ['read'] } as never;
  const open = () =>
    hub.open(edge, { grant, appId, topics: 'events', lastsMs: 9_000, afterSeq: undefined });
  const answer = (answer: Answer) => asked.splice(0).forEach((resolve) => void resolve(answer));
  return { open, answer, drop: (id: string) => drop([id]) };
}

/** The code it is refused with. */
const refusalOf = (opening: Promise<unknown>) =>
  opening.then(
    () => 'none',
    (problem) => (problem as FaultError).fault.code,
  );

const exists: Answer = { ok: true, value: {} };

t.test('a session that ends while its stream opens has none', async (t) => {
  const { open, answer, drop } = scene();
  const opening = open();
  drop(keyId);
  answer(exists);
  t.equal(await refusalOf(opening), 'unauthorized');
});

t.test('nor has one that ended just before, since its last look-up', async (t) => {
  const { open, answer } = scene(true);
  const opening = open();
  answer(exists);
  t.equal(await refusalOf(opening), 'unauthorized');
});

t.test('the end of another changes nothing, and its own ends it', async (t) => {
  const { open, answer, drop } = scene();
  const opening = open();
  drop('another');
  answer(exists);
  const pieces = (await opening)[Symbol.asyncIterator]();
  t.match(await pieces.next(), { value: /retry/ });
  drop(keyId);
  t.match(await pieces.next(), { done: true });
});

t.test('a stream takes its place when it is asked for, and gives it back if refused', async (t) => {
  const { open, answer } = scene();
  const refused = Array.from({ length: 8 }, open);
  t.equal(await refusalOf(open()), 'rate_limited', 'the ninth');
  answer({ ok: false, fault: fault('not_found', 'no such app') });
  for (const one of refused) t.equal(await refusalOf(one), 'not_found');
  const opening = open();
  answer(exists);
  t.ok(await opening);
});
