// A batch at its app's actor: each recipient as a single send is, in one block, or in as many as
// its rendering takes.

import fc from 'fast-check';
import t from 'tap';
import { BatchContent } from '../../../../actors/sending/transactional/batch-content.ts';
import { resultInFull } from '../../../../actors/sending/transactional/batch-result.ts';
import { IdempotencyKeys } from '../../../../actors/sending/transactional/idempotency.ts';
import type {
  BatchRecipient,
  RecipientResult,
  SharedRequest,
  TransactionalProtocol,
} from '../../../../actors/sending/transactional/protocol.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import type { SubscriberRow } from '../../../../storage/tables/subscriber.ts';
import { TestPartition } from '../../../support/partition.ts';
import { everyNth, tries } from '../../../support/tries.ts';
import { BatchScene, outcomesOf, users } from './batch-scene.ts';

type BatchReply = TransactionalProtocol['transactional.accept_batch']['reply'];

const hello: SharedRequest = { title: 'Hi {{ first_name }}', body: 'Order {{ order_id }}' };
/** Of these a turn takes four. */
const dear: SharedRequest = {
  title: 'Hi',
  body: '{% for i in (1..4000) %}{{ i }}{% endfor %}{{ first_name }}',
};

t.test('each recipient gets the shared words with their own in place of them', async (t) => {
  const scene = await BatchScene.make(3);
  scene.one.takeGrants();
  const { results, turns } = await scene.send({ ...hello, variables: { order_id: 'A' } }, [
    { to: { externalUserId: 'user-0' } },
    { to: { id: scene.ids[1] as string }, variables: { order_id: 'B' } },
    {
      to: { externalUserId: 'user-2' },
      title: 'Own',
      body: 'Own {{ order_id }}',
      data: { a: 'b' },
    },
  ]);
  t.same(outcomesOf(results), ['queued', 'queued', 'queued']);
  t.same(turns, [3], 'in one turn');
  const contents = scene.one
    .takeGrants()
    .flatMap(({ attempts }) => attempts.map(({ attempt }) => attempt.content));
  t.match(contents, [
    { title: 'Hi Name 0', body: 'Order A' },
    { title: 'Hi Name 1', body: 'Order B' },
    { title: 'Own', body: 'Own A', data: { a: 'b' } },
  ]);
});

t.test('who is refused harms nobody beside them, and says by which member', async (t) => {
  const scene = await BatchScene.make(3);
  const { results } = await scene.send(hello, [
    { to: { externalUserId: 'user-0' } },
    { to: { externalUserId: 'nobody' } },
    { to: { externalUserId: 'user-1' }, variables: { order_id: 'B' } },
    { to: { externalUserId: 'user-2' }, variables: { order_id: null } },
    { to: { id: 'sub_x' } },
  ]);
  t.match(results, [
    { outcome: 'invalid', field: 'body', error: 'body: undefined variable: order_id' },
    { outcome: 'not_found', field: 'externalUserId' },
    { outcome: 'queued', id: /^ntf_/ },
    { outcome: 'invalid', field: 'variables.order_id' },
    { outcome: 'not_found', field: 'subscriberId' },
  ]);
  t.equal(scene.outbox.jobs.size, 1);
});

t.test('variables of both together are at most 50', async (t) => {
  const scene = await BatchScene.make(1);
  const named = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${from + i}`, i]));
  const request = { title: 'x', body: 'x', variables: named(49) };
  const to = { externalUserId: 'user-0' };
  const { results } = await scene.send(request, [
    { to, variables: named(1) },
    { to, variables: named(1, 49) },
    { to, variables: named(2, 49) },
  ]);
  t.same(outcomesOf(results), ['queued', 'queued', 'invalid']);
  t.match(results[2], { field: 'variables', error: /50/ });
});

t.test(
  'who has no device is queued and reads as suppressed, each with an event of its own',
  async (t) => {
    const scene = await BatchScene.make(3);
    const before = scene.one.product.state.apps.get(scene.app)?.nextEvent ?? 0;
    const { results } = await scene.send({ title: 'x', body: 'x', channels: ['fcm'] }, users(3));
    t.same(outcomesOf(results), ['queued', 'queued', 'queued']);
    for (const { id = '' } of results) {
      t.match(await scene.one.value(scene.app, 'transactional.read', { id }), {
        status: 'suppressed',
        outcomes: [{ reason: 'no_device' }],
      });
    }
    t.equal((scene.one.product.state.apps.get(scene.app)?.nextEvent ?? 0) - before, 3);
  },
);

t.test('who opted out is queued and reads as suppressed', async (t) => {
  const scene = await BatchScene.make(2);
  await scene.one.value(scene.app, 'suppression.add', {
    channel: 'email',
    address: 'user-0@example.com',
    source: 'api',
  });
  const { results } = await scene.send({ title: 'x', body: 'x' }, users(2));
  t.same(outcomesOf(results), ['queued', 'queued']);
  const view = await scene.one.value(scene.app, 'transactional.read', { id: results[0]?.id ?? '' });
  t.match(view, { status: 'suppressed', outcomes: [{ reason: 'opt_out' }] });
  t.equal(scene.outbox.jobs.size, 1);
});

t.test(
  'one person under two names is in flight the second time, and sent to twice without a key',
  async (t) => {
    const scene = await BatchScene.make(1);
    const both: BatchRecipient[] = [
      { to: { externalUserId: 'user-0' } },
      { to: { id: scene.ids[0] as string } },
    ];
    const request = { title: 'x', body: 'x' };
    const first = await scene.send(request, both, 'k');
    t.same(outcomesOf(first.results), ['queued', 'in_flight']);
    const again = await scene.send(request, [...both].reverse(), 'k');
    t.same(outcomesOf(again.results), ['replayed', 'replayed'], 'by either name');
    t.equal(again.results[1]?.id, first.results[0]?.id);
    t.same(outcomesOf((await scene.send(request, both)).results), ['queued', 'queued']);
  },
);

t.test('who was refused has left their key free for a later one of the same batch', async (t) => {
  const scene = await BatchScene.make(1);
  const to = { externalUserId: 'user-0' };
  const { results } = await scene.send(
    { title: 'x' },
    [
      { to, body: '{{ nothing }}' },
      { to, body: 'fine' },
      { to, body: 'fine' },
    ],
    'k',
  );
  t.same(outcomesOf(results), ['invalid', 'queued', 'in_flight']);
});

t.test('a key that was used for somebody else is a conflict', async (t) => {
  const scene = await BatchScene.make(2);
  const request = { title: 'x', body: 'x' };
  const own = (user: string) => [{ to: { externalUserId: user }, key: 'own' }];
  t.same(outcomesOf((await scene.send(request, own('user-0'))).results), ['queued']);
  t.same(outcomesOf((await scene.send(request, own('user-1'))).results), ['conflict']);
  t.same(outcomesOf((await scene.send(request, own('user-0'))).results), ['replayed']);
});

t.test(
  'a batch that is dear to render is cut, and a key claimed before the cut is in flight after it',
  async (t) => {
    const scene = await BatchScene.make(6);
    const recipients = [...users(6), ...users(1)];
    const { results, turns } = await scene.send(dear, recipients, 'k');
    t.ok(turns.length > 1 && Math.max(...turns) < 5, `turns of ${turns}`);
    t.same(outcomesOf(results), [...Array(6).fill('queued'), 'in_flight']);
    const again = await scene.send(dear, recipients, 'k');
    t.same(again.turns, [7], 'nothing is rendered for a replay');
    t.same(outcomesOf(again.results), Array(7).fill('replayed'));
    t.ok([...scene.openSends().values()].every(({ length }) => length === 1));
  },
);

t.test(
  'a template is copied in the first turn, and whatever becomes of it changes nothing',
  async (t) => {
    const scene = await BatchScene.make(6);
    const { one, app } = scene;
    await one.value(app, 'template.create', { name: 'dear', content: dear });
    const named = { templateName: 'dear' };
    const first = await scene.turn(named, users(6));
    if (!first.ok) throw new Error(first.fault.message);
    const { results, request } = first.value as BatchReply;
    t.ok(results.length < 6, 'it is cut');
    await one.value(app, 'template.delete', { template: 'dear', actor: 'key_1' });
    t.match(await scene.turn(named, users(6)), { ok: false, fault: { code: 'not_found' } });
    const rest = await scene.turn(request ?? {}, users(6).slice(results.length));
    if (!rest.ok) throw new Error(rest.fault.message);
    const others = (rest.value as BatchReply).results;
    t.same(
      outcomesOf([...results, ...others].map((one) => resultInFull(one, [0, 0, 0, 0]))),
      Array(results.length + others.length).fill('queued'),
    );
  },
);

t.test(
  'who was sent to before is replayed whatever became of the template, and nobody else is queued',
  async (t) => {
    const scene = await BatchScene.make(3);
    const { one, app } = scene;
    const content = { title: 'x', body: 'x' };
    await one.value(app, 'template.create', { name: 'gone', content });
    const named = { templateName: 'gone' };
    const first = await scene.send(named, users(2), 'k');
    t.same(outcomesOf(first.results), ['queued', 'queued']);
    await one.value(app, 'template.delete', { template: 'gone', actor: 'key_1' });
    const again = await scene.send(named, users(2).reverse(), 'k');
    t.same(outcomesOf(again.results), ['replayed', 'replayed']);
    t.same(
      again.results.map(({ id }) => id),
      first.results.map(({ id }) => id).reverse(),
    );
    const nobody = { to: { externalUserId: 'nobody' } };
    const changed = { to: { externalUserId: 'user-1' }, body: 'other' };
    const [, , fresh] = users(3) as [BatchRecipient, BatchRecipient, BatchRecipient];
    const mixed = await scene.send(named, [nobody, fresh, ...users(1), changed], 'k');
    t.match(mixed.results, [
      { outcome: 'not_found' },
      { outcome: 'invalid', field: 'templateName', error: /^templateName: template not found/ },
      { outcome: 'replayed', id: first.results[0]?.id },
      { outcome: 'conflict' },
    ]);
    for (const recipients of [[fresh], [nobody, fresh]])
      t.match(await scene.turn(named, recipients, 'k'), {
        ok: false,
        fault: { code: 'not_found', field: 'templateName' },
      });
    t.match(await scene.turn(named, users(2)), { ok: false }, 'without a key nobody is known');
    t.equal(scene.outbox.jobs.size, 2);
    await one.value(app, 'template.create', { name: 'gone', content });
    const back = await scene.send(named, users(3), 'k');
    t.same(outcomesOf(back.results), ['replayed', 'replayed', 'queued'], 'the key was left free');
  },
);

t.test(
  'what goes to KakaoTalk alone names a template of its, or the batch is refused',
  async (t) => {
    const scene = await BatchScene.make(2);
    const kakao = { payload: { kakao: { templateId: 'T1' } } };
    const refused = { ok: false, fault: { code: 'invalid', field: 'payload.kakao' } };
    const words = { title: 'x', body: 'x' };
    t.match(await scene.turn({ ...words, channels: ['kakao'] }, users(2)), refused);
    t.match(await scene.turn({ channels: ['kakao'] }, users(2)), refused);
    for (const request of [
      { ...kakao, channels: ['kakao'] },
      { ...words, ...kakao, channels: ['kakao'] },
      { ...words, channels: ['kakao', 'email'] },
    ] satisfies SharedRequest[])
      t.same(outcomesOf((await scene.send(request, users(2))).results), ['queued', 'queued']);
    const { one, app } = scene;
    await one.value(app, 'template.create', { name: 'with', content: kakao });
    await one.value(app, 'template.create', { name: 'without', content: words });
    const channels = ['kakao'] as const;
    t.match(await scene.turn({ templateName: 'without', channels }, users(2)), refused);
    t.match(await scene.turn({ templateName: 'with', channels }, users(2)), { ok: true });
  },
);

/** Says that an anonymous person, of this id, is `user-0` from now on. */
async function mergedInto(scene: BatchScene): Promise<{ id: string; merge(): Promise<void> }> {
  const ask = (login: object) =>
    scene.one.value(scene.app, 'sdk.login', {
      login: { tokenKey: new Uint8Array(32).fill(3), ...login },
    } as never);
  await scene.one.value(scene.app, 'settings.patch', {
    patch: { identityVerification: 'open' },
  } as never);
  const { clientToken, subscriberId } = await ask({});
  return {
    id: subscriberId,
    merge: async () => {
      await ask({ clientToken, externalUserId: 'user-0' });
    },
  };
}

t.test(
  'somebody who was merged since is replayed what they were sent under any name',
  async (t) => {
    const request = { title: 'x', body: 'x', channels: ['email'] } satisfies SharedRequest;
    for (const own of [undefined, 'own'])
      for (const others of [0, 1]) {
        const scene = await BatchScene.make(1);
        const one = await mergedInto(scene);
        const known: BatchRecipient = { to: { externalUserId: 'user-0' } };
        const anonymous: BatchRecipient = {
          to: { id: one.id },
          ...(own === undefined ? {} : { key: own }),
        };
        const before = [anonymous, ...(others === 0 ? [] : [known])];
        const first = await scene.send(request, before, 'k');
        t.same(
          outcomesOf(first.results),
          before.map(() => 'queued'),
        );
        await one.merge();
        const why = `${own} ${others}`;
        const again = await scene.send(request, before, 'k');
        t.same(
          outcomesOf(again.results),
          before.map(() => 'replayed'),
          why,
        );
        t.same(
          again.results,
          first.results.map(({ id }) => ({ outcome: 'replayed', id })),
          why,
        );
        const byName = { ...anonymous, to: { externalUserId: 'user-0' } };
        const [found] = (await scene.send(request, [byName], 'k')).results;
        t.equal(found?.outcome, 'replayed', `${why}: by the name they have now`);
        const other = (await scene.send(request, [{ ...anonymous, body: 'other' }], 'k')).results;
        t.same(outcomesOf(other), ['conflict'], `${why}: another request`);
        const fresh = await scene.send(request, [{ to: { id: one.id } }, known], 'l');
        t.same(outcomesOf(fresh.results), ['queued', 'in_flight'], `${why}: one person, one key`);
      }
  },
);

t.test('a batch that is long to write is cut, also where it is rendered once', async (t) => {
  const scene = await BatchScene.make(5);
  const request = { title: 'x', body: `<p>${'x'.repeat(250_000)}</p>` };
  const many = Array.from({ length: 40 }, (_, i) => ({ to: { externalUserId: `user-${i % 5}` } }));
  const { results, turns } = await scene.send(request, many);
  t.ok(turns.length > 1, `turns of ${turns}`);
  t.equal(results.filter(({ outcome }) => outcome === 'queued').length, 40);
});

t.test(
  'without room for the first that is new a batch is refused, after that the rest have failed',
  async (t) => {
    const scene = await BatchScene.make(4);
    const request = { title: 'x', body: 'x' };
    const state = scene.one.product.state;
    const org = state.orgs.get(state.apps.get(scene.app)?.record.org ?? -1);
    if (org === undefined) throw new Error('no org');
    Object.assign(org.record, { dailySendCap: 3 });
    const first = await scene.send(request, users(4), 'k');
    t.same(outcomesOf(first.results), ['queued', 'queued', 'queued', 'failed']);
    t.match(first.results[3], { error: /daily cap of 3/ });
    t.match(await scene.turn(request, users(4), 'other'), {
      ok: false,
      fault: { code: 'daily_cap' },
    });
    const again = await scene.send(request, users(4), 'k');
    t.same(outcomesOf(again.results), ['replayed', 'replayed', 'replayed', 'failed']);
    Object.assign(org.record, { dailySendCap: null });
    const later = await scene.send(request, users(4), 'k');
    t.same(outcomesOf(later.results), ['replayed', 'replayed', 'replayed', 'queued']);
  },
);

t.test('keys of one batch never exceed the room for keys', async (t) => {
  const scene = await BatchScene.make(3);
  const request = { title: 'x', body: 'x' };
  scene.one.product.state.idempotency = new IdempotencyKeys(2);
  const { results } = await scene.send(request, users(3), 'k');
  t.same(outcomesOf(results), ['queued', 'queued', 'failed']);
  t.equal(scene.one.product.state.idempotency.count, 2);
  t.same(outcomesOf((await scene.send(request, users(3))).results), Array(3).fill('queued'));
});

t.test('a copy about nobody is rendered once for each language and set of channels', async (t) => {
  const app = { name: 'App', timezone: 'UTC' } as never;
  const person = (language: string) =>
    ({ tags: { language, plan: 'pro' } }) as unknown as SubscriberRow;
  const mail = [{ channel: 'email' as const }];
  const plain = { to: { externalUserId: 'x' } };
  const renderings = (request: SharedRequest, own: BatchRecipient = plain) => {
    const words = new BatchContent(app, request, 0);
    const made = ['en', 'th', 'en', 'th', 'en'].map((one) => words.of(person(one), own, mail));
    t.ok(made.every((one) => 'content' in one));
    return words.renderings;
  };
  const localizations = { th: { body: 'สวัสดี' } };
  const cases: readonly (readonly [SharedRequest, number, BatchRecipient?])[] = [
    [{ title: 'x', body: 'Hello' }, 1],
    [{ title: 'x', body: 'Hello', localizations }, 2],
    [{ title: 'x', body: 'Hello {{ plan }}' }, 5],
    [{ title: 'x', body: 'Hello {{ plan }}', variables: { plan: 'of ours' } }, 1],
    [{ title: 'x', body: 'Hello {{ subscriber.tags.plan }}', variables: { plan: 'x' } }, 5],
    [{ title: 'x', body: '{{ app.name }} {{ "now" | date: "%H" }}' }, 5],
    [{ title: 'x', body: 'Hello' }, 5, { ...plain, variables: { n: 1 } }],
    [{ title: 'x', body: 'Hello' }, 5, { ...plain, body: 'own' }],
  ];
  for (const [request, count, own] of cases)
    t.equal(renderings(request, own), count, JSON.stringify([request, own]));
});

t.test("a recipient's own text is theirs in whatever language they read", async (t) => {
  const app = { name: 'App', timezone: 'UTC' } as never;
  const person = { tags: { language: 'th' } } as unknown as SubscriberRow;
  const request = { title: 'T', body: 'B', localizations: { th: { title: 'TT', body: 'TB' } } };
  const words = new BatchContent(app, request, 0);
  const own = { to: { externalUserId: 'x' }, body: 'mine' };
  t.match(words.of(person, own, []), { content: { plain: { title: 'TT', body: 'mine' } } });
});

interface Drawn {
  readonly person: number;
  readonly byId: boolean;
  readonly key: string | undefined;
  readonly body: string;
}

t.test('batches of any recipients and keys answer as a naive model does', async (t) => {
  const people = 4;
  const recipient: fc.Arbitrary<Drawn> = fc.record({
    person: fc.nat({ max: people }), // the last is nobody
    byId: fc.boolean(),
    key: fc.constantFrom(undefined, undefined, 'x', 'y'),
    body: fc.constantFrom('one', 'one', 'two', '{{ bad }}'),
  });
  const call = fc.record({
    key: fc.constantFrom(null, 'a', 'b'),
    recipients: fc.array(recipient, { minLength: 1, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 5 }), async (calls) => {
      const scene = await BatchScene.make(people);
      const taken = new Map<string, { person: number; body: string; id: string }>();
      let queued = 0;
      for (const { key, recipients } of calls) {
        const { results } = await scene.send(
          { title: 'x' },
          recipients.map(({ person, byId, key: own, body }) => ({
            to: byId ? { id: scene.ids[person] ?? 'sub_x' } : { externalUserId: `user-${person}` },
            body,
            ...(own === undefined ? {} : { key: own }),
          })),
          key,
        );
        const mine = new Set<string>();
        recipients.forEach(({ person, key: own, body }, i) => {
          const result = results[i] as RecipientResult;
          const named = own ?? (key === null ? undefined : `${key}#${person}`);
          const earlier = named === undefined ? undefined : taken.get(named);
          const expected = (() => {
            if (person === people) return 'not_found';
            if (named !== undefined && mine.has(named)) return 'in_flight';
            if (earlier !== undefined)
              return earlier.person === person && earlier.body === body ? 'replayed' : 'conflict';
            return body === '{{ bad }}' ? 'invalid' : 'queued';
          })();
          if (result.outcome !== expected)
            throw new Error(`${i} is ${result.outcome}, expected ${expected}`);
          if (expected === 'replayed' && result.id !== earlier?.id) throw new Error('another id');
          if (expected !== 'queued') return;
          queued++;
          if (named === undefined) return;
          mine.add(named);
          taken.set(named, { person, body, id: result.id ?? '' });
        });
        if (scene.outbox.jobs.size !== queued) throw new Error(`${queued} queued`);
      }
    }),
    { numRuns: tries(60) },
  );
  t.pass();
});

/** A store whose power fails once so many turns are durable. */
class FailingStore extends MemoryStore {
  left = Number.POSITIVE_INFINITY;

  override settleNext(): boolean {
    if (this.left <= 0 || this.inFlight === 0) return false;
    this.left--;
    return super.settleNext();
  }
}

t.test('after a kill at any turn a batch that is sent again reaches everybody once', async (t) => {
  const people = 18;
  const recipients = users(people);
  const shuffled = [...recipients].reverse();
  let isEnough = false;
  for (let turns = 0; !isEnough; turns += everyNth(3)) {
    for (const survivors of [0, 1]) {
      const store = new FailingStore();
      const scene = await BatchScene.make(people, store);
      store.left = turns;
      let whole: readonly RecipientResult[] | undefined;
      try {
        whole = (await scene.send(dear, recipients, 'k')).results;
      } catch (error) {
        t.match(error, { message: /does not come to rest/ });
      }
      isEnough = whole !== undefined;
      scene.one = new TestPartition({
        store: store.crash(survivors, { settle: 'auto' }),
        clock: scene.one.clock,
      });
      const before = scene.openSends();
      t.ok(
        [...before.values()].every(({ length }) => length === 1),
        'nobody twice',
      );
      if (isEnough) t.equal(before.size, people, 'what was answered is there');
      const { results } = await scene.send(dear, shuffled, 'k');
      t.ok(results.every(({ outcome }) => outcome === 'queued' || outcome === 'replayed'));
      const replayed = results.filter(({ outcome }) => outcome === 'replayed').length;
      t.equal(replayed, before.size, 'who was queued before the kill is told so');
      const after = scene.openSends();
      t.equal(after.size, people, 'nobody is left out');
      t.ok(
        [...after.values()].every(({ length }) => length === 1),
        'nobody twice',
      );
      t.same(
        results.map(({ id }) => id).sort(),
        [...after.values()].flat().sort(),
        'by the ids they were told',
      );
    }
    if (turns > 50) throw new Error('it never ends');
    if (isEnough) t.ok(turns > 3, `it took ${turns} turns`);
  }
});
