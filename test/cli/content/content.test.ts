// Content as code over a whole server: what is pulled, pushed and promoted, what is refused, and
// what a push does that was killed in the middle.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { makeOrg, sharedServer } from '../../support/server.ts';
import { tries } from '../../support/tries.ts';
import { engage, startEngage } from '../support/engage.ts';
import {
  contentFolder,
  contentIn,
  editFile,
  fullApp,
  keyVariable,
  planFrom,
  pullInto,
} from './support.ts';

t.setTimeout(600_000);

const server = await sharedServer(t);
const org = await makeOrg(server, 'Content');
const { client: api } = org;
process.env[keyVariable] = org.key;
t.teardown(() => delete process.env[keyVariable]);

async function newApp(name = 'Empty'): Promise<string> {
  return (await api.must('POST /v1/apps', { name })).id;
}

async function pushAll(folder: string, name: string, force = false, prune = false) {
  const { plan, make } = await planFrom(folder, name, force, prune);
  if (plan.conflicts.length > 0) throw new Error(plan.conflicts.join('\n'));
  await make(() => undefined);
  return plan.steps.map(({ does, handle }) => `${does} ${handle}`);
}

t.test('a pull writes one file for each thing, which name each other', async (t) => {
  const folder = contentFolder(t, server.url, { staging: await fullApp(org, 'Pulled') });
  await pullInto(folder, 'staging');
  const files = contentIn(folder);
  t.same(Object.keys(files), [
    'campaigns/spring.json',
    'flags/new-checkout.json',
    'in-app-messages/sale.json',
    'journeys/onboarding.json',
    'messages/sale.json',
    'segments/vips.json',
    'settings.json',
    'templates/welcome.json',
  ]);
  t.notMatch(Object.values(files).join(''), /"(seg|msg|tpl|cmp|jrn|app)_[0-9a-z]{26}"/, 'no ids');
  t.match(JSON.parse(files['campaigns/spring.json'] ?? ''), { message: 'Sale', segment: 'VIPs' });
  const journey = JSON.parse(files['journeys/onboarding.json'] ?? '');
  t.match(journey, { triggerSegment: 'VIPs', steps: [{}, { then: [{ message: 'Sale' }] }] });
  const settings = JSON.parse(files['settings.json'] ?? '');
  t.equal(settings.timezone, 'Asia/Bangkok');
  t.notOk('secret' in settings || 'webhookUrl' in settings || 'secretSet' in settings);
  for (const [path, text] of Object.entries(files)) {
    const { $schema } = JSON.parse(text);
    const schema = join(folder, path.includes('/') ? path.replace(/\/.*/, '') : '', $schema);
    t.equal(JSON.parse(readFileSync(schema, 'utf8')).type, 'object', `${path} has its schema`);
  }
  t.same(await pullInto(folder, 'staging'), { written: [], removed: [], unchanged: 8 });
});

t.test('what is pulled and pushed to an empty app is pulled from there the same', async (t) => {
  const source = await fullApp(org, 'Source');
  const target = await newApp();
  const folder = contentFolder(t, server.url, { staging: source, production: target });
  await pullInto(folder, 'staging');
  await pushAll(folder, 'production', true);
  t.same(await pushAll(folder, 'production'), [], 'a second push changes nothing');
  const other = contentFolder(t, server.url, { production: target });
  await pullInto(other, 'production');
  t.same(contentIn(other), contentIn(folder));
});

const name = fc.constantFrom(
  'VIPs',
  'vips',
  'VIPs!',
  'Ước',
  '東京',
  'con',
  '???',
  'file:x',
  'a/../b',
);
const filter = fc.constantFrom<object>(
  { tag: 'plan', eq: 'pro' },
  { any: [{ event: 'order', withinDays: 30 }, { activeWithinDays: 7 }] },
);
const nth = fc.nat(2);
/** What an app may have; numbers choose what a thing refers to. */
const world = fc.record({
  segments: fc.array(fc.record({ name, filter }), { minLength: 1, maxLength: 3 }),
  messages: fc.array(
    fc.record(
      {
        name,
        title: fc.constantFrom('Hi', 'VIPs'),
        body: fc.constant('Hello'),
        data: fc.constant({ messageId: 'mine' }),
      },
      { requiredKeys: ['body'] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  templates: fc.uniqueArray(fc.constantFrom('welcome', 'Welcome', 'a.b'), { maxLength: 2 }),
  flags: fc.uniqueArray(fc.constantFrom('a', 'b.c', 'd-e'), { maxLength: 2 }),
  topics: fc.uniqueArray(fc.constantFrom('news', 'offers'), { maxLength: 2 }),
  forms: fc.array(fc.record({ asks: fc.boolean(), redirects: fc.boolean() }), { maxLength: 2 }),
  campaigns: fc.array(fc.record({ name, message: nth, segment: fc.option(nth) }), { maxLength: 2 }),
  inApp: fc.array(fc.record({ message: nth, priority: nth }), { maxLength: 2 }),
  journeys: fc.array(fc.record({ name, message: nth, segment: nth }), { maxLength: 2 }),
});
type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

async function settle(app: string, all: World): Promise<void> {
  const base = `/v1/apps/${app}`;
  const make = async (path: string, bodies: readonly object[]) => {
    const ids: string[] = [];
    for (const body of bodies) ids.push((await api.must(`POST ${base}/${path}`, body)).id);
    return (at: number) => ids[at % ids.length] as string;
  };
  const segment = await make('segments', all.segments);
  const message = await make('messages', all.messages);
  await make(
    'message-templates',
    all.templates.map((one) => ({ name: one, body: one })),
  );
  await make(
    'flags',
    all.flags.map((key) => ({ key })),
  );
  const topics = all.topics.map((key) => ({ key, name: key, default: 'in' }));
  await make('topics', topics);
  await make(
    'forms',
    all.forms.map(({ asks, redirects }, at) => ({
      key: `form-${at}`,
      name: 'News',
      topics: all.topics,
      fields: asks ? [{ tag: 'city', label: 'City', type: 'text' }] : [],
      consent: 'Yes.',
      ...(redirects ? { redirectUrl: 'https://example.com/thanks' } : {}),
    })),
  );
  // People's choices belong to people, not to content.
  for (const { key } of topics)
    await api.must(`POST ${base}/subscribers`, { topics: { [key]: 'out' } });
  await make(
    'campaigns',
    all.campaigns.map((one) => ({
      name: one.name,
      messageId: message(one.message),
      segmentId: one.segment === null ? null : segment(one.segment),
      channels: ['sms'],
    })),
  );
  await make(
    'in-app-messages',
    all.inApp.map((one) => ({ messageId: message(one.message), priority: one.priority })),
  );
  await make(
    'journeys',
    all.journeys.map((one) => ({
      name: one.name,
      triggerSegmentId: segment(one.segment),
      steps: [{ id: 's', type: 'send', messageId: message(one.message), channels: ['sms'] }],
    })),
  );
}

t.test('whatever an app has, files bring it to another whole', async (t) => {
  await fc.assert(
    fc.asyncProperty(world, async (all) => {
      const [source, target] = [await newApp(), await newApp()];
      await settle(source, all);
      const folder = contentFolder(t, server.url, { staging: source, production: target });
      await pullInto(folder, 'staging');
      await pushAll(folder, 'production', true);
      const other = contentFolder(t, server.url, { production: target });
      await pullInto(other, 'production');
      t.same(contentIn(other), contentIn(folder));
      t.same(await pushAll(folder, 'production'), [], 'nothing is left to do');
    }),
    { numRuns: tries(36) },
  );
});

t.test('a push does what the files say, and no more', async (t) => {
  const app = await fullApp(org, 'Pushed');
  const folder = contentFolder(t, server.url, { staging: app });
  await pullInto(folder, 'staging');
  t.same(await pushAll(folder, 'staging'), []);
  editFile(folder, 'messages/sale.json', { title: 'Sale!' });
  editFile(folder, 'journeys/onboarding.json', { reentry: 'always' });
  writeFileSync(
    join(folder, 'segments/new.json'),
    '{"name": "New", "filter": {"tag": "a", "eq": "b"}}',
  );
  editFile(folder, 'campaigns/spring.json', { segment: 'New' });
  rmSync(join(folder, 'flags/new-checkout.json'));
  t.same(await pushAll(folder, 'staging'), [
    'create segments/new',
    'change messages/sale',
    'change campaigns/spring',
    'change journeys/onboarding',
  ]);
  const { items } = await api.must(`GET /v1/apps/${app}/campaigns`);
  const { items: segments } = await api.must(`GET /v1/apps/${app}/segments?q=New`);
  t.equal(items[0].segmentId, segments[0].id);
  t.same(await pushAll(folder, 'staging', false, true), ['delete flags/new-checkout']);
  rmSync(join(folder, 'flags'), { recursive: true });
  await api.must(`POST /v1/apps/${app}/flags`, { key: 'other' });
  t.same(
    await pushAll(folder, 'staging', false, true),
    [],
    'a kind without a folder is left alone',
  );
});

t.test('a field that the file no longer has is cleared, where it can be', async (t) => {
  const app = await fullApp(org, 'Cleared');
  const folder = contentFolder(t, server.url, { staging: app });
  await pullInto(folder, 'staging');
  const campaign = join(folder, 'campaigns/spring.json');
  const { segment: _segment, ...rest } = JSON.parse(readFileSync(campaign, 'utf8'));
  writeFileSync(campaign, JSON.stringify(rest));
  t.same(await pushAll(folder, 'staging'), ['change campaigns/spring']);
  const { items } = await api.must(`GET /v1/apps/${app}/campaigns`);
  t.equal(items[0].segmentId, null);
});

t.test('what was changed on the server since the pull is not overwritten', async (t) => {
  const app = await fullApp(org, 'Changed');
  const folder = contentFolder(t, server.url, { staging: app });
  await pullInto(folder, 'staging');
  const base = `/v1/apps/${app}`;
  const { items } = await api.must(`GET ${base}/messages`);
  await api.must(`PATCH ${base}/messages/${items[0].id}`, { title: 'From the dashboard' });
  editFile(folder, 'messages/sale.json', { title: 'From a file' });
  const refused = await planFrom(folder, 'staging');
  t.same(refused.plan.conflicts, [
    'messages/sale.json: was changed on the server since it was pulled',
  ]);
  await t.rejects(pullInto(folder, 'staging'), /messages\/sale\.json: was changed here/);
  await api.must(`POST ${base}/segments`, { name: 'Newer', filter: { tag: 'a', eq: 'b' } });
  const pruned = await planFrom(folder, 'staging', false, true);
  t.match(pruned.plan.conflicts, [
    /messages\/sale/,
    /segments\/newer\.json: is on the server, and was never pulled/,
  ]);
  t.same(await pushAll(folder, 'staging', true), ['change messages/sale']);
  t.equal((await api.must(`GET ${base}/messages/${items[0].id}`)).title, 'From a file');
  t.same((await pullInto(folder, 'staging')).written, ['segments/newer.json']);
});

t.test('all that is wrong with files is named at once, and nothing is changed', async (t) => {
  const app = await fullApp(org, 'Wrong');
  const folder = contentFolder(t, server.url, { staging: app });
  await pullInto(folder, 'staging');
  editFile(folder, 'messages/sale.json', { title: 5, colour: 'red' });
  editFile(folder, 'campaigns/spring.json', { message: 'Nothing', holdoutShare: 'a lot' });
  editFile(folder, 'journeys/onboarding.json', {
    steps: [{ id: 'a', type: 'wait', hours: 'two' }],
  });
  writeFileSync(join(folder, 'segments/new.json'), '{"name": "New"}');
  writeFileSync(join(folder, 'flags/again.json'), '{"key": "new-checkout"}');
  const error = await planFrom(folder, 'staging').then(
    () => undefined,
    (reason: Error) => reason,
  );
  const lines = error?.message.split('\n').sort();
  t.same(lines, [
    'campaigns/spring.json: holdoutShare: expected a number',
    'campaigns/spring.json: message: no file of messages/ has the name "Nothing"',
    'flags/new-checkout.json: key: flags/again.json has the same one',
    'journeys/onboarding.json: steps[0].hours: expected an integer',
    'messages/sale.json: colour: is not a known field',
    'messages/sale.json: title: expected a text',
    'segments/new.json: filter: is missing',
  ]);
  const { items } = await api.must(`GET /v1/apps/${app}/segments`);
  t.equal(items.length, 1);
});

t.test('what only the server can judge is named before anything is changed', async (t) => {
  const app = await fullApp(org, 'Judged');
  const folder = contentFolder(t, server.url, { staging: app });
  await pullInto(folder, 'staging');
  editFile(folder, 'messages/sale.json', { body: 'Hello {{ first_name | shout }}' });
  editFile(folder, 'templates/welcome.json', { title: 'Hi {{' });
  writeFileSync(
    join(folder, 'segments/a.json'),
    '{"name": "A", "filter": {"tag": "a", "eq": "b"}}',
  );
  const error = await planFrom(folder, 'staging').then(
    () => new Error('it was planned'),
    (reason: Error) => reason,
  );
  t.match(error.message, /^messages\/sale\.json: body: /m);
  t.match(error.message, /^templates\/welcome\.json: title: /m);
  t.equal((await api.must(`GET /v1/apps/${app}/segments`)).items.length, 1);
});

t.test('a campaign that was sent since is left alone', async (t) => {
  const app = await fullApp(org, 'Sent');
  const folder = contentFolder(t, server.url, { staging: app });
  await pullInto(folder, 'staging');
  const { items } = await api.must(`GET /v1/apps/${app}/campaigns`);
  await api.must(`POST /v1/campaigns/${items[0].id}/send`);
  const { plan } = await planFrom(folder, 'staging');
  t.same(plan.steps, []);
  t.same(plan.notes, ['campaigns/spring.json: is no longer a draft; it stays as it is']);
});

async function manySegments(t: Parameters<typeof contentFolder>[0], app: string, count: number) {
  const folder = contentFolder(t, server.url, { staging: app });
  await pullInto(folder, 'staging');
  mkdirSync(join(folder, 'segments'), { recursive: true });
  for (let at = 0; at < count; at++) {
    const content = { name: `Group ${at % 7}`, filter: { tag: 'at', eq: at } };
    writeFileSync(join(folder, `segments/group-${at % 7}-${at}.json`), JSON.stringify(content));
  }
  return folder;
}

t.test('a push that is killed and made again ends the same', async (t) => {
  for (const killAfter of [1, 7, 20]) {
    const app = await newApp('Killed');
    const folder = await manySegments(t, app, 30);
    const words = ['push', 'staging', '--folder', folder, '--yes'];
    const child = startEngage(words, { [keyVariable]: org.key });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > killAfter) child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.once('close', resolve));
    t.match(said, /created segments/, 'it had begun');
    const again = await engage(words, { [keyVariable]: org.key });
    t.equal(again.code, 0, again.stderr);
    const { total } = await api.must(`GET /v1/apps/${app}/segments`);
    t.equal(total, 30, `killed after ${killAfter}`);
    const { plan } = await planFrom(folder, 'staging');
    t.same([plan.steps, plan.conflicts], [[], []]);
  }
});

t.test('the commands ask, show and promote', async (t) => {
  const [source, target] = [await fullApp(org, 'From'), await newApp('To')];
  const folder = contentFolder(t, server.url, { staging: source, production: target });
  const key = { [keyVariable]: org.key };
  const run = (...words: string[]) => engage([...words, '--folder', folder], key);
  const pulled = await run('pull', 'staging');
  t.match(pulled, { code: 0, stdout: /wrote {3}segments\/vips\.json\n/ }, pulled.stderr);
  const unasked = await run('promote', 'staging', 'production');
  t.match(unasked, { code: 1, stderr: /settings\.json: was never pulled\n/ });
  const dry = await run('promote', 'staging', 'production', '--force', '--dry-run');
  t.match(dry, { code: 0, stdout: /^create {2}segments\/vips\.json\n/ });
  const silent = await run('promote', 'staging', 'production', '--force');
  t.match(silent, { code: 2, stderr: /use --yes/ });
  t.equal((await api.must(`GET /v1/apps/${target}/segments`)).total, 0, 'nothing was changed');
  const done = await run('promote', 'staging', 'production', '--force', '--yes');
  t.match(done, { code: 0 }, done.stderr);
  const again = await run('push', 'production', '--yes');
  t.match(again, { code: 0, stdout: '8 unchanged\n' }, again.stderr);
  const journeys = await api.must(`GET /v1/apps/${target}/journeys`);
  t.equal(journeys.items[0].active, false, 'a journey arrives inactive');
});

t.test('environments say what is missing', async (t) => {
  const folder = contentFolder(t, server.url, { staging: 'app_1' });
  const run = (...words: string[]) => engage([...words, '--folder', folder], {});
  t.match(await run('pull', 'live'), {
    code: 2,
    stderr: /has no environment live; it has staging/,
  });
  t.match(await run('pull', 'staging'), { code: 2, stderr: new RegExp(`set ${keyVariable}`) });
  const file = join(folder, 'engage.json');
  writeFileSync(
    file,
    '{"staging": {"baseUrl": "x", "appId": "a", "keyVariable": "K", "key": "ek_1"}}',
  );
  t.match(await run('pull', 'staging'), { code: 2, stderr: /staging\.key: expected only baseUrl/ });
  rmSync(file);
  t.match(await run('push', 'staging'), { code: 2, stderr: /does not exist\. Write it: \{/ });
  t.notOk(existsSync(join(folder, '.engage')));
});
