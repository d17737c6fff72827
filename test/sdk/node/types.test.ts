// What the compiler says about programs that call wrongly, and about those that know more members
// than this version does.

import t from 'tap';
import { clientFolder, complaintsAbout } from '../support/installed-client.ts';

const folder = clientFolder(t);
const opening = `import { Engage, verifyWebhook, type EngageError, type Segment } from '@engage/node';
const engage = new Engage({ baseUrl: 'http://127.0.0.1', apiKey: 'ek', appId: 'app' });
`;
let programs = 0;
const about = (program: string) => complaintsAbout(folder, `p${programs++}.ts`, opening + program);

t.test('a right program compiles', async (t) => {
  const programs = {
    'a send':
      "const { id } = await engage.notifications.send({ externalUserId: 'a', body: 'b' }); id.trim();",
    'a member that is not known':
      "await engage.notifications.send({ externalUserId: 'a', body: 'b', later: { deep: 1 } });",
    'a deep member that is not known':
      "await engage.segments.create({ name: 'a', filter: { tag: 'plan', eq: 'pro', weight: 2 } });",
    'a body of an interface of its own':
      'interface Mine { name: string; filter: { tag: string; eq: string } }\ndeclare const mine: Mine;\nawait engage.segments.create(mine);',
    'all of a list':
      'for await (const one of engage.segments.list()) { const s: Segment = one; s.name.trim(); }',
    'the first page':
      'const { items, total } = await engage.segments.list({ limit: 5 }); items[0]?.name.trim(); total;',
    'the headers':
      'const { data, rateLimit } = await engage.segments.read("seg").withResponse(); data.name.trim(); rateLimit?.remaining;',
    'a stream':
      'for await (const line of (await engage.subscribers.export({ format: "jsonl" })).lines()) line.trim();',
    'an event by its kind':
      'const event = await verifyWebhook({}, "", "s"); if (event.type === "campaign.completed") event.meta.audience.toFixed();',
    'other options':
      "await engage.segments.delete('seg', { ifMatch: 'x', appId: 'other', timeoutMs: 5 });",
  };
  for (const [says, program] of Object.entries(programs)) t.equal(about(program), '', says);
});

t.test('a wrong program does not compile', async (t) => {
  const programs = {
    'a wrong type of a field':
      "await engage.notifications.send({ externalUserId: 'a', body: 'b', ttlSeconds: 'soon' });",
    'a wrong word':
      "await engage.notifications.send({ externalUserId: 'a', body: 'b', priority: 'urgent' });",
    'a wrong channel':
      "await engage.notifications.send({ externalUserId: 'a', body: 'b', channels: ['fax'] });",
    'a deep wrong type':
      "await engage.notifications.sendBatch({ body: 'b', recipients: [{ externalUserId: 5 }] });",
    'a missing field': "await engage.segments.create({ name: 'a' });",
    'a filter that is none': "await engage.segments.create({ name: 'a', filter: 'plan = pro' });",
    'no body': 'await engage.segments.create();',
    'a number as an id': 'await engage.segments.read(5);',
    'a method that does not exist': "await engage.segments.get('seg');",
    'a query that does not exist': 'await engage.segments.list({ page: 2 });',
    'a member that the answer lacks': "(await engage.segments.read('seg')).title;",
    'an option that does not exist': "await engage.segments.read('seg', { timeout: 5 });",
    'a client without a key': "new Engage({ baseUrl: 'http://127.0.0.1' });",
    'writing to an answer': "(await engage.segments.read('seg')).name = 'x';",
    'a status as a text': "declare const e: EngageError; e.status === 'x';",
  };
  for (const [says, program] of Object.entries(programs)) {
    const complaints = about(program);
    t.match(complaints, /error TS/, says);
    t.equal(complaints.match(/error TS/g)?.length, 1, `${says}: ${complaints.slice(0, 300)}`);
  }
});
