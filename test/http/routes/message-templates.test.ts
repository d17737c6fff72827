// Message templates at the edge: what their routes ask of the app, and that a change says who made
// it.

import t from 'tap';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { app, fakeFront } from './fake-front.ts';

const path = `/v1/apps/${exampleIds.app}/message-templates`;
const view = () => ({
  id: exampleIds.template,
  name: 'order-shipped',
  content: { body: 'x' },
  createdMs: 0,
  updatedMs: 0,
});

t.test('a change and a deletion name the key that asks, for the audit log', async (t) => {
  const front = fakeFront(({ kind }) => (kind === 'template.delete' ? null : view()));
  const body = { name: 'other', image: null };
  const changed = await front.call(`PATCH ${path}/order-shipped`, { key: 'all', body });
  t.equal(changed.status, 200);
  t.equal((await front.call(`DELETE ${path}/order-shipped`, { key: 'all' })).status, 204);
  const [change, removal] = front.asked;
  t.equal(change?.to, app);
  t.match(change?.message, {
    kind: 'template.update',
    template: 'order-shipped',
    change: { name: 'other', content: {}, removed: ['image'] },
    actor: 'key_all',
  });
  t.match(removal?.message, {
    kind: 'template.delete',
    template: 'order-shipped',
    actor: 'key_all',
  });
});

t.test(
  'a message and a send hand on which template they start from, and nothing else of it',
  async (t) => {
    const front = fakeFront(({ kind }) =>
      kind === 'message.create' ? view() : { id: exampleIds.send, replayed: false },
    );
    const base = `/v1/apps/${exampleIds.app}`;
    const named = { templateName: 'order-shipped' };
    const message = { ...named, templateId: null, title: 'T' };
    t.equal((await front.call(`POST ${base}/messages`, { key: 'all', body: message })).status, 201);
    const send = { ...named, externalUserId: 'u' };
    t.equal(
      (await front.call(`POST ${base}/notifications`, { key: 'all', body: send })).status,
      202,
    );
    const [made, sent] = front.asked.map(({ message }) => message);
    t.same(made?.['message'], { content: { title: 'T' } });
    t.same(made?.['template'], named);
    t.same(sent?.['request'], { to: { externalUserId: 'u' }, ...named });
  },
);
