// The audit log over HTTP: every kind of change has its note, with the key that asked for it;
// secrets and addresses never get in; and nobody reads another's (contract, section 2).

import t from 'tap';
import { client, makeOrg } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, org, server } = all;
const operator = client(server.url, server.bootstrapToken);

interface Note {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly target: string;
  readonly targetName: string | null;
  readonly targetExists: boolean | null;
  readonly appId: string | null;
  readonly appName: string | null;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

const log = async (query = ''): Promise<Note[]> =>
  (await api.must(`GET /v1/org/audit-log?limit=200${query}`)).items;
const newest = async (action: string): Promise<Note | undefined> =>
  (await log(`&action=${action}`))[0];

/** Texts that were uploaded as secrets or are somebody's address. */
const canaries = [
  'canary-signing-secret-4711',
  'canary-bot-token-0815',
  'canary-hook-path',
  'canary-password',
  'canary@example.com',
] as const;
const [signing, bot, hookPath, password, address] = canaries;

t.test('every kind of change is noted with the key that asked for it', async (t) => {
  const second = await api.must('POST /v1/keys', { name: 'Second', scopes: ['read', 'admin'] });
  const mine = (await newest('key.created'))?.actor ?? '';
  t.match(mine, /^key_/);
  const noted = async (action: string, target: string, more: object = {}) =>
    t.match(
      await newest(action),
      { id: /^aud_/, action, target, actor: mine, actorName: 'Contract (first key)', ...more },
      action,
    );
  await noted('key.created', second.id, { after: { name: 'Second', scopes: ['read', 'admin'] } });

  await withKey(all, second.key).must('PATCH /v1/org', { name: 'Contract & Co' });
  t.match(await newest('org.renamed'), {
    actor: second.id,
    actorName: 'Second',
    before: { name: 'Contract' },
    after: { name: 'Contract & Co' },
    appId: null,
  });
  await api.must(`DELETE /v1/keys/${second.id}`);
  await noted('key.deleted', second.id, { before: { name: 'Second' } });
  await operator.must(`PATCH /v1/orgs/${org.id}`, { dailySendCap: 12 });
  t.match(await newest('org.limits_changed'), {
    actor: 'operator',
    actorName: null,
    before: { dailySendCap: 1_000_000 },
    after: { dailySendCap: 12 },
  });
  await operator.must(`PATCH /v1/orgs/${org.id}`, { dailySendCap: null });

  const other = await api.must('POST /v1/apps', { name: 'Other' });
  await noted('app.created', other.id, { appId: other.id, after: { name: 'Other' } });
  await api.must(`PATCH /v1/apps/${other.id}`, { name: 'Another' });
  await noted('app.changed', other.id, { before: { name: 'Other' }, after: { name: 'Another' } });
  await api.must(`DELETE /v1/apps/${other.id}`);
  await noted('app.deleted', other.id, { appId: other.id, before: { name: 'Another' } });

  await api.must(`PATCH ${base}/settings`, {
    emailTracking: false,
    webhookUrl: `https://hooks.example.com/${hookPath}?key=${password}`,
    secret: signing,
  });
  await noted('settings.changed', app, {
    before: { emailTracking: true, webhookUrl: null, secret: null },
    after: { emailTracking: false, webhookUrl: 'https://hooks.example.com/…', secret: 'replaced' },
  });
  await api.must(`POST ${base}/credentials/telegram`, {
    botToken: `123456789:${bot}-${'a'.repeat(35 - bot.length - 1)}`,
  });
  await noted('credential.uploaded', 'telegram', { after: { fingerprint: String } });
  await api.must(`DELETE ${base}/credentials/telegram`);
  await noted('credential.removed', 'telegram', { before: { fingerprint: String } });
  const secret = await api.must(`POST ${base}/identity-secret`);
  await noted('identity_secret.created', app);
  const cdp = await api.must(`PUT ${base}/integrations/cdp`);
  await noted('write_key.created', 'cdp');
  await api.must(`DELETE ${base}/integrations/cdp`);
  await noted('integration.removed', 'cdp');

  const person = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'canary',
    devices: [{ channel: 'email', endpoint: address }],
  });
  await api.must(`POST ${base}/suppressions`, { channel: 'email', address });
  await api.must(`DELETE ${base}/suppressions?channel=email&address=${address}`);
  await noted('suppression.removed', 'email', {
    before: { source: 'api', subscriberIds: [person.id] },
  });

  await api.call(`POST ${base}/subscribers/${person.id}/end-sessions`);
  await noted('sessions.ended', person.id, { appId: app });
  await api.call(`DELETE ${base}/subscribers/external:canary`);
  await noted('subscriber.erased', 'subscriber', { appId: app });

  const template = await api.must(`POST ${base}/message-templates`, { name: 'a', body: 'x' });
  await api.must(`PATCH ${base}/message-templates/a`, { name: 'b' });
  await noted('template.renamed', template.id, { before: { name: 'a' }, after: { name: 'b' } });
  await api.must(`DELETE ${base}/message-templates/b`);
  await noted('template.deleted', template.id, { before: { name: 'b' } });

  const message = await api.must(`POST ${base}/messages`, { title: 'x', body: 'x' });
  const campaign = await api.must(`POST ${base}/campaigns`, {
    name: 'Sale',
    messageId: message.id,
    channels: ['fcm'],
    schedule: { type: 'recurring', every: 'day', at: '09:00', timezone: 'UTC' },
  });
  const verbs = { send: 'sent', pause: 'paused', resume: 'resumed', cancel: 'canceled' } as const;
  for (const [verb, done] of Object.entries(verbs)) {
    await api.must(`POST /v1/campaigns/${campaign.id}/${verb}`);
    await noted(`campaign.${done}`, campaign.id, { before: { name: 'Sale' } });
  }
  await api.must(`DELETE ${base}/campaigns/${campaign.id}`);
  await noted('campaign.deleted', campaign.id);

  const journey = await api.must(`POST ${base}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signed_up',
    steps: [{ id: 'w', type: 'wait', hours: 1 }],
  });
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: true });
  await noted('journey.activated', journey.id, { after: { active: true } });
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: false });
  await noted('journey.paused', journey.id);
  await api.must(`POST ${base}/journeys/${journey.id}/archive`);
  await noted('journey.archived', journey.id, { before: { name: 'Welcome' } });
  await api.must(`POST ${base}/journeys/${journey.id}/unarchive`);
  await noted('journey.unarchived', journey.id, { before: { name: 'Welcome' } });
  await api.must(`DELETE ${base}/journeys/${journey.id}`);
  await noted('journey.deleted', journey.id, { before: { name: 'Welcome' } });

  const text = JSON.stringify(await log());
  const { secret: identity } = secret;
  for (const canary of [...canaries, identity, cdp.writeKey, second.key.slice(-43)])
    t.notOk(typeof canary === 'string' && text.includes(canary), `no note holds ${canary}`);
  t.type(cdp.writeKey, 'string');
  t.type(identity, 'string');
});

t.test(
  'an entry names what it is about, as it was then, and says whether it is there',
  async (t) => {
    const made = await api.must('POST /v1/apps', { name: 'First' });
    await api.must(`PATCH /v1/apps/${made.id}/settings`, { emailTracking: false });
    const second = await api.must('POST /v1/keys', { name: 'Robot', scopes: ['read'] });
    const key = { target: second.id, targetName: 'Robot' };
    t.match(await newest('key.created'), { ...key, targetExists: true, appName: null });
    await api.must(`DELETE /v1/keys/${second.id}`);
    t.match(await newest('key.created'), { ...key, targetExists: false });

    const journey = await api.must(`POST /v1/apps/${made.id}/journeys`, {
      name: 'Welcome',
      triggerEvent: 'signed_up',
      steps: [{ id: 'w', type: 'wait', hours: 1 }],
    });
    await api.must(`PATCH /v1/apps/${made.id}/journeys/${journey.id}`, { active: true });
    await api.must(`PATCH /v1/apps/${made.id}/journeys/${journey.id}`, { active: false });
    await api.must(`PATCH /v1/apps/${made.id}/journeys/${journey.id}`, { name: 'Hello' });
    const activated = { targetName: 'Welcome', appName: 'First', targetExists: true };
    t.match(await newest('journey.activated'), activated, 'the name at the time');
    const template = await api.must(`POST /v1/apps/${made.id}/message-templates`, {
      name: 'a',
      body: 'x',
    });
    const rename = (from: string, to: string) =>
      api.must(`PATCH /v1/apps/${made.id}/message-templates/${from}`, { name: to });
    await rename('a', 'b');
    const renamed = { target: template.id, targetName: 'b' };
    t.match(await newest('template.renamed'), { ...renamed, targetExists: true });
    await rename('b', 'c');
    const [, older] = await log(`&target=${template.id}`);
    t.match(older, { ...renamed, targetExists: null }, 'by its handle it is not found any more');

    await api.must(`PATCH /v1/apps/${made.id}`, { name: 'Renamed' });
    const settings = { target: made.id, targetName: 'First', appName: 'First' };
    t.match(await newest('settings.changed'), { ...settings, targetExists: true });
    await api.must(`DELETE /v1/apps/${made.id}`);
    t.match(await newest('settings.changed'), { ...settings, targetExists: false });
    t.match(await newest('journey.activated'), { ...activated, targetExists: false });

    const member = await api.must('POST /v1/org/members', {
      email: 'mia@acme.example',
      role: 'viewer',
    });
    t.match(await newest('member.added'), { targetName: 'mia@acme.example', targetExists: true });
    await api.must(`DELETE /v1/org/members/${member.id}`);
    t.match(await newest('member.added'), {
      target: member.id,
      targetName: null,
      targetExists: false,
    });
  },
);

t.test('filters and pages together give the whole log, newest first', async (t) => {
  const whole = await log();
  const times = whole.map(({ id }) => id);
  t.same(times, [...times].sort().reverse());
  for (const query of ['', `&appId=${app}`, '&actor=operator', '&action=key.created']) {
    const found: Note[] = [];
    let cursor = '';
    do {
      const page = await api.must(`GET /v1/org/audit-log?limit=3${query}${cursor}`);
      found.push(...page.items);
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    const [member, value] = query.slice(1).split('=') as [keyof Note, string];
    t.same(
      found,
      query === '' ? whole : whole.filter((note) => note[member] === value),
      `of ${query}`,
    );
    t.ok(found.length > 0, `${query} has some`);
  }
});

t.test('a target and a time narrow it down, on every page', async (t) => {
  const whole = await log();
  const instants = [...new Set(whole.map(({ at }) => at))];
  const targets = [whole[0], whole.at(-1), whole[Math.floor(whole.length / 2)]];
  const times = [
    undefined,
    instants[0],
    instants.at(-1),
    instants[Math.floor(instants.length / 2)],
  ];
  for (const target of [undefined, ...targets.map((one) => one?.target)])
    for (const from of times)
      for (const to of times) {
        const query = Object.entries({ target, from, to }).flatMap(([name, value]) =>
          value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`],
        );
        const found: Note[] = [];
        for (let cursor = ''; ; ) {
          const page = await api.must(`GET /v1/org/audit-log?limit=7${query.join('')}${cursor}`);
          found.push(...page.items);
          if (page.nextCursor === null) break;
          cursor = `&cursor=${page.nextCursor}`;
        }
        t.same(
          found,
          whole.filter(
            (note) =>
              (target === undefined || note.target === target) &&
              (from === undefined || note.at >= from) &&
              (to === undefined || note.at < to),
          ),
          query.join(' '),
        );
      }
  t.same(await log('&to=1960-01-01T00:00:00Z'), []);
  t.same(await log('&target=nothing'), []);
  checkRefusal(
    t,
    await api.call('GET /v1/org/audit-log?from=yesterday'),
    { status: 400, field: 'from' },
    'a time that is none',
  );
});

t.test("it is read with the admin scope and a key of the org, and is nobody else's", async (t) => {
  const reader = await api.must('POST /v1/keys', { name: 'r', scopes: ['read', 'write', 'send'] });
  const ofApp = await api.must('POST /v1/keys', { name: 'a', scopes: ['admin'], appId: app });
  for (const { key } of [reader, ofApp])
    checkRefusal(
      t,
      await withKey(all, key).call('GET /v1/org/audit-log'),
      { status: 403, code: 'forbidden' },
      'audit log',
    );
  const stranger = await makeOrg(server, 'Stranger');
  const theirs = await stranger.client.must(`GET /v1/org/audit-log?appId=${app}`);
  t.same(theirs, { items: [], nextCursor: null });
  const actions = (await stranger.client.must('GET /v1/org/audit-log')).items.map(
    ({ action }: Note) => action,
  );
  t.same([...new Set(actions)].sort(), ['key.created', 'org.created', 'org.limits_changed']);
  checkRefusal(
    t,
    await api.call('GET /v1/org/audit-log?action=key.stolen'),
    { status: 400, field: 'action' },
    'an action that there is none of',
  );
});
