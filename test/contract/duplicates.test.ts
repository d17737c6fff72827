// What a duplicate is called, and the two paths at which a campaign is duplicated.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, base } = await chapter(t);

t.test('the copy of a message is called as lists show the message', async (t) => {
  const copyOf = async (message: object) => {
    const { id } = await api.must(`POST ${base}/messages`, message);
    const { name } = await api.must(`POST ${base}/messages/${id}/duplicate`);
    return { id, name };
  };
  const title = 'Spring sale';
  t.match(await copyOf({ name: 'Spring', title, body: 'x' }), { name: 'Copy of Spring' });
  t.match(await copyOf({ title, body: 'x' }), { name: 'Copy of Spring sale' });
  t.match(await copyOf({ title: ' Spring\nsale ', body: 'x' }), { name: 'Copy of Spring sale' });
  const { id, name } = await copyOf({ body: 'x' });
  t.equal(name, `Copy of ${id}`);
  const long = (await copyOf({ title: 'x'.repeat(300), body: 'x' })).name;
  t.match(long, /^Copy of x+$/);
  const { id: again } = await api.must(`POST ${base}/messages`, { name: long, body: 'x' });
  t.ok(again, 'the name is one that a message may have');
});

t.test('a campaign is duplicated by its id alone, too', async (t) => {
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'A', body: 'x' });
  const { id } = await api.must(`POST ${base}/campaigns`, { name: 'Sale', messageId });
  const paths = ['/v1/campaigns', `${base}/campaigns`];
  for (const path of paths) {
    const key = { 'idempotency-key': `copy at ${path}` };
    const made = await api.call(`POST ${path}/${id}/duplicate`, undefined, key);
    t.equal(made.status, 201, made.text);
    t.match(made.json, { name: 'Copy of Sale', messageId, state: 'draft' });
    t.not(made.json.id, id);
    const again = await api.call(`POST ${path}/${id}/duplicate`, undefined, key);
    t.same(again.json, made.json, 'a retry creates nothing');
    t.equal(again.headers['x-idempotent-replay'], 'true');
  }
  const unknown = id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
  const refused = await api.call(`POST /v1/campaigns/${unknown}/duplicate`);
  t.match(refused, { status: 404, json: { error: 'campaign not found' } });
});
