// Message templates through the whole product, without HTTP: handles against a naive table, copies
// that stay what they were, bounds, and what the audit log keeps.

import fc from 'fast-check';
import t from 'tap';
import type { MessageContent } from '../../../../actors/content/shape/message-schema.ts';
import { limits } from '../../../../actors/limits.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { Documents } from '../../../../storage/documents.ts';
import { auditNotes } from '../../../../storage/tables/audit-note.ts';
import { templates } from '../../../../storage/tables/template.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const actor = 'key_00000000000000000000000000';
const content: MessageContent = { title: 'Hi {{ first_name }}', body: 'Hello.' };

async function world() {
  const { one, org, app } = await partitionWithApp();
  const create = (name: string, more: MessageContent = content) =>
    one.ask(app, 'template.create', { name, content: more });
  const made = (name: string, more: MessageContent = content) =>
    one.value(app, 'template.create', { name, content: more });
  const rename = (template: string, name: string) =>
    one.ask(app, 'template.update', {
      template,
      change: { name, content: {}, removed: [] },
      actor,
    });
  const remove = (template: string) => one.ask(app, 'template.delete', { template, actor });
  const notes = () =>
    new Documents(one.store)
      .bound(org)
      .range(auditNotes, { limit: 1_000 })
      .map(({ value }) => value)
      .filter(({ action }) => action.startsWith('template.'));
  return { one, org, app, create, made, rename, remove, notes };
}

const step = fc.record({
  verb: fc.constantFrom('create', 'rename', 'delete', 'restart'),
  name: fc.constantFrom('a', 'b', 'c.d', 'A'),
  other: fc.constantFrom('a', 'b', 'c.d', 'A'),
  byId: fc.boolean(),
});

t.test(
  'a handle leads where a naive table says, through renames, deletions and restarts',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const scene = await world();
        let { one } = scene;
        const { app } = scene;
        const model = new Map<string, string>();
        let noted = 0;
        for (const { verb, name, other, byId } of steps) {
          const id = model.get(name);
          const named = byId && id !== undefined ? id : name;
          if (verb === 'create') {
            const answer = await one.ask(app, 'template.create', { name, content });
            t.equal(answer.ok, id === undefined);
            if (answer.ok) model.set(name, (answer.value as { id: string }).id);
            else t.match(answer.fault, { code: 'duplicate', field: 'name' });
          } else if (verb === 'rename') {
            const change = { name: other, content: {}, removed: [] };
            const answer = await one.ask(app, 'template.update', {
              template: named,
              change,
              actor,
            });
            const isFree = other === name || !model.has(other);
            t.equal(answer.ok, id !== undefined && isFree);
            if (id === undefined) t.match(answer, { fault: { code: 'not_found' } });
            else if (isFree) {
              if (other !== name) noted++;
              model.delete(name);
              model.set(other, id);
            }
          } else if (verb === 'delete') {
            const answer = await one.ask(app, 'template.delete', { template: named, actor });
            t.equal(answer.ok, model.delete(name));
            if (answer.ok) noted++;
          } else
            one = new TestPartition({ store: one.store, clock: testClock(one.clock.nowMs + 1) });
        }
        for (const name of ['a', 'b', 'c.d', 'A']) {
          const answer = await one.ask(app, 'template.read', { template: name });
          t.equal(answer.ok && (answer.value as { id: string }).id, model.get(name) ?? false);
        }
        const page = await one.value(app, 'template.list', { limit: 200 });
        t.same(new Set(page.items.map(({ id }) => id)), new Set(model.values()));
        t.equal(page.items.length, model.size);
        t.equal(scene.notes().length, noted, 'every handle that went is noted once');
        const memory = one.partition.snapshot();
        const again = new TestPartition({
          store: one.store,
          checkpoint: { seq: one.store.durableSeq, memory },
        });
        const kept = again.product.state.apps.get(app)?.templates ?? [];
        t.same([...kept].sort(), [...model].sort(), 'a checkpoint has them');
      }),
      { numRuns: tries(25) },
    );
  },
);

t.test('a rename and a deletion are noted: who, what, when, and which handle it was', async (t) => {
  const { one, app, made, rename, remove, notes } = await world();
  const { id } = await made('welcome');
  await made('taken');
  t.notOk((await rename('welcome', 'taken')).ok);
  t.ok((await rename('welcome', 'welcome')).ok);
  await one.value(app, 'template.update', {
    template: id,
    change: { content: { body: 'x' }, removed: [] },
    actor,
  });
  t.same(notes(), [], 'neither a refusal nor a change of content is one');
  const renamedMs = one.clock.nowMs;
  await rename('welcome', 'hello');
  await one.advance(60_000);
  await remove(id);
  const appId = one.product.state.apps.get(app)?.record.id;
  const base = { id: /^aud_/, actor, target: id, appId };
  t.match(notes(), [
    {
      ...base,
      action: 'template.renamed',
      atMs: renamedMs,
      before: { name: 'welcome' },
      after: { name: 'hello' },
    },
    { ...base, action: 'template.deleted', atMs: renamedMs + 60_000, before: { name: 'hello' } },
  ]);
  await one.value(app, 'app.delete', {});
  await one.advance(dayMs);
  t.equal(notes().length, 2, 'they outlive the app');
  t.same(new Documents(one.store).bound(app).range(templates, { limit: 9 }), [], 'it does not');
});

t.test('an app has so many templates and no more, each as long as a message', async (t) => {
  const { one, app, create, made, remove } = await world();
  const handles = one.product.state.apps.get(app)?.templates;
  for (let i = 1; i < limits.templatesMax; i++) handles?.set(`filler-${i}`, 'tpl_filler');
  await made('last');
  const conflict = { ok: false, fault: { code: 'limit_reached', message: /at most 10000/ } };
  t.match(await create('more'), conflict);
  await remove('last');
  const rest = JSON.stringify({ body: '<p></p>', data: { d: '' } }).length;
  const half = 262_000;
  const long = (chars: number): MessageContent => ({
    body: `<p>${'x'.repeat(half)}</p>`,
    data: { d: 'x'.repeat(chars - half - rest) },
  });
  t.match(await create('long', long(limits.messageCharsMax + 1)), {
    ok: false,
    fault: { code: 'invalid', message: /a template has at most 524288 characters/ },
  });
  const { id } = await made('long', long(limits.messageCharsMax));
  t.match(
    await one.ask(app, 'template.update', {
      template: id,
      change: { content: { title: 'x' }, removed: [] },
      actor,
    }),
    { ok: false, fault: { code: 'invalid' } },
    'a change is judged with all the rest',
  );
  handles?.delete('filler-1');
  t.match(await create('empty', { title: 'x' }), { ok: false, fault: { field: 'body' } });
});

t.test(
  'what started from a template stays as it was when the template changes or goes',
  async (t) => {
    const { one, app, made, remove } = await world();
    const localizations = { de: { body: 'Hallo.' } };
    const { id } = await made('welcome', { ...content, localizations });
    const message = await one.value(app, 'message.create', {
      message: { content: { title: 'Mine' } },
      template: { templateName: 'welcome' },
    });
    t.same(message.content, { title: 'Mine', body: 'Hello.', localizations });
    for (const template of [{ templateId: 'welcome' }, { templateName: id }])
      t.match(
        await one.ask(app, 'message.create', { message: { content }, template }),
        { ok: false, fault: { code: 'not_found' } },
        'a handle is no id, and an id no handle',
      );
    await one.value(app, 'template.update', {
      template: id,
      change: { content: { body: 'Changed.' }, removed: ['localizations'] },
      actor,
    });
    t.same((await one.value(app, 'message.read', { id: message.id })).content, message.content);
    await remove(id);
    t.same((await one.value(app, 'message.read', { id: message.id })).content, message.content);
    for (const [template, field] of [
      [{ templateName: 'welcome' }, 'templateName'],
      [{ templateId: id }, 'templateId'],
      [{ templateId: 'welcome' }, 'templateId'],
      [{ templateName: id }, 'templateName'],
    ] as const) {
      t.match(await one.ask(app, 'message.create', { message: { content }, template }), {
        ok: false,
        fault: { code: 'not_found', field, message: `${field}: template not found` },
      });
    }
  },
);

t.test('a replayed key gets its first answer though the template went meanwhile', async (t) => {
  const { one, app, made, remove } = await world();
  const to = { externalUserId: 'ada' };
  await one.value(app, 'subscriber.upsert', {
    subscriber: { ...to, tags: { first_name: 'Ada' }, devices: [] },
  });
  await made('welcome');
  const claim = { key: [1, 2, 3, 4], fingerprint: [5, 6] } as const;
  const send = () =>
    one.ask(app, 'transactional.accept', { request: { to, templateName: 'welcome' }, claim });
  const first = await send();
  t.match(first, { ok: true, value: { replayed: false } });
  await remove('welcome');
  t.match(await send(), {
    ok: true,
    value: { id: first.ok && (first.value as { id: string }).id, replayed: true },
  });
  const free = { ...claim, key: [9, 9, 9, 9] } as const;
  const request = { to, templateName: 'welcome' };
  const gone = await one.ask(app, 'transactional.accept', { request, claim: free });
  t.match(gone, { ok: false, fault: { code: 'not_found', field: 'templateName' } });
  await made('welcome');
  const taken = await one.ask(app, 'transactional.accept', { request, claim: free });
  t.match(taken, { ok: true, value: { replayed: false } }, 'a refused call left its key free');
});

t.test('templates of one millisecond are listed in the order they were made', async (t) => {
  const { one, app } = await partitionWithApp();
  const names = Array.from({ length: 40 }, (_, nth) => `template-${nth}`);
  for (const name of names) await one.value(app, 'template.create', { name, content });
  const listed = async (order: 'newest' | 'oldest') =>
    (await one.value(app, 'template.list', { order, limit: 200 })).items;
  const items = await listed('oldest');
  t.equal(new Set(items.map(({ createdMs }) => createdMs)).size, 1, 'the clock stands still');
  t.same(
    items.map(({ name }) => name),
    names,
  );
  t.same(await listed('newest'), items.toReversed());
});
