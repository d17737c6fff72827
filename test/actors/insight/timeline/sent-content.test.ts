// How long what was sent is told, and when it may be called exact.

import t from 'tap';
import { isFixed } from '../../../../actors/insight/timeline/fixed-content.ts';
import type { SentContent } from '../../../../actors/insight/timeline/protocol.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { partitionWithApp } from '../../../support/partition.ts';

const request = { to: { externalUserId: 'u' }, title: 'T', body: 'B' };

async function scene() {
  const { one, app } = await partitionWithApp();
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'u', devices: [{ channel: 'fcm', endpoint: 'phone' }] },
  } as never);
  const told = async (id: string): Promise<SentContent> => {
    const { content } = await one.value(app, 'send.explain', {
      id,
      withStory: false,
      withContent: true,
    });
    return content as SentContent;
  };
  const end = async () => {
    for (const { channel, attempts } of one.takeGrants())
      await one.value(app, 'dispatch.report', {
        channel,
        reports: attempts.map(({ target, attempt: { sendId, attempt } }) => ({
          ...{ sendId, target, attempt },
          outcome: { outcome: 'accepted', providerMessageId: 'm' },
        })),
      });
  };
  return { one, app, told, end };
}

t.test('a send tells what it said until the day that it names, and no longer', async (t) => {
  const { one, app, told, end } = await scene();
  const { id } = await one.value(app, 'transactional.accept', { request, claim: null });
  t.match(await told(id), {
    state: 'as_sent',
    items: [{ channel: 'fcm', content: { body: 'B' } }],
  });
  await end();
  const { keptUntilMs = 0 } = await told(id);
  t.equal(keptUntilMs, one.clock.nowMs + 90 * dayMs);
  await one.advance(89 * dayMs);
  t.match(await told(id), { state: 'as_sent', keptUntilMs });
  await one.advance(2 * dayMs);
  t.same(await told(id), { state: 'not_kept', items: [] });
});

t.test('one of a batch does the same', async (t) => {
  const { one, app, told, end } = await scene();
  const { results } = await one.value(app, 'transactional.accept_batch', {
    request: { title: 'T', body: 'B' },
    key: null,
    recipients: [{ to: { externalUserId: 'u' } }, { to: { externalUserId: 'u' } }],
    claimed: [],
  } as never);
  t.equal(results.length, 2);
  const { items } = await one.value(app, 'send.list', { limit: 10 } as never);
  const ids = items.map(({ id }) => id);
  await end();
  for (const id of ids)
    t.match(await told(id), { state: 'as_sent', items: [{ content: { title: 'T' } }] });
  await one.advance(91 * dayMs);
  for (const id of ids) t.equal((await told(id)).state, 'not_kept');
});

t.test('a rendering is exact only if nothing that it reads can have changed', async (t) => {
  const before = { person: 1, updatedMs: 5 };
  const sent = { person: 1, atMs: 10 };
  const since = { person: 1, updatedMs: 11 };
  const named = { title: 'Hi {{ first_name }}', body: 'x' };
  t.ok(isFixed({ title: 'Hi', body: 'x' }, since, sent), 'it reads nothing');
  t.notOk(isFixed({ body: 'x', localizations: {} }, since, sent), 'it reads the language');
  t.ok(isFixed(named, before, sent));
  t.notOk(isFixed(named, since, sent));
  t.notOk(isFixed(named, { person: 2, updatedMs: 5 }, sent), 'of somebody they were merged into');
  for (const tag of [
    '{{ app.name }}',
    '{{ "now" | date: "%H" }}',
    '{% if app.name == "A" %}a{% endif %}',
  ])
    t.notOk(isFixed({ body: tag }, before, sent), tag);
  t.ok(isFixed({ body: 'app and date {{ happy_date }}' }, before, sent), 'words beside tags');
  t.notOk(isFixed({ body: 'x', data: { a: '{{ app.name }}' } }, before, sent), 'in any member');
});
