// Sender domains in live mode, over a real SMTP conversation and a real resolver: what one tenant
// can make a relay send in the name of another, and whose key signs it.

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDnsServer } from '../../sandbox/dns/dns-server.ts';
import { Zone } from '../../sandbox/dns/zone.ts';
import { verifyDkim } from '../../sandbox/email/dkim-verify.ts';
import { smtpStandIn } from '../actors/channels/smtp-stand-in.ts';
import { type Client, client, eventually, makeOrg, startServer } from '../support/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'engage-dkim-'));
t.teardown(() => rmSync(directory, { recursive: true, force: true }));
const keyFile = join(directory, 'dkim.pem');
const platform = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(keyFile, platform.privateKey.export({ type: 'pkcs8', format: 'pem' }));

const zone = new Zone();
const platformKey = createPublicKey(platform.privateKey).export({ type: 'spki', format: 'der' });
zone.add(
  'TXT',
  'p1._domainkey.mail.engage.example',
  `v=DKIM1; p=${platformKey.toString('base64')}`,
);
const dns = await startDnsServer(zone, '127.0.0.1', 0);
t.teardown(() => dns.close());
const relay = await smtpStandIn();
t.teardown(() => relay.close());
const environment: Record<string, string> = {
  ENGAGE_MODE: 'live',
  ENGAGE_SMTP_URL: relay.url,
  ENGAGE_SMTP_DKIM_DOMAIN: 'mail.Engage.example',
  ENGAGE_SMTP_DKIM_SELECTOR: 'p1',
  ENGAGE_SMTP_DKIM_KEY_FILE: keyFile,
  ENGAGE_EMAIL_DOMAINS: 'server.example',
  ENGAGE_DNS_SERVERS: `127.0.0.1:${dns.port}`,
};
const server = await startServer(t, { environment });

/** An app with one person, who has an email address. */
interface Tenant {
  readonly api: Client;
  readonly orgId: string;
  readonly base: string;
}

async function tenant(name: string): Promise<Tenant> {
  const { client: api, id: orgId } = await makeOrg(server, name);
  const app = await api.must('POST /v1/apps', { name });
  const base = `/v1/apps/${app.id}`;
  const devices = [{ channel: 'email', endpoint: `${name.toLowerCase()}@customer.example` }];
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'ada', devices });
  return { api, orgId, base };
}

const setSender = ({ api, base }: Tenant, email: object) =>
  api.call(`PATCH ${base}/settings`, { email });

/** Adds a domain, and its records to the DNS unless `records` is false. */
async function addDomain({ api, base }: Tenant, domain: string, records = true) {
  const added = await api.must(`POST ${base}/email-domains`, { domain });
  if (records) for (const { type, name, value } of added.records) zone.add(type, name, value);
  return added;
}

const verify = async ({ api, base }: Tenant, domain: string) =>
  (await api.must(`POST ${base}/email-domains/${domain}/verify`)) as {
    state: string;
    records: { status: string; found: string[]; problem: string | null }[];
  };

const sendOne = ({ api, base }: Tenant) =>
  api.must(`POST ${base}/notifications`, { externalUserId: 'ada', title: 'Hi', body: 'Hello' });

async function sendCampaign({ api, base }: Tenant): Promise<void> {
  const content = { title: 'Sale', body: 'Have a look.' };
  const { messageId } = await api.must(`POST ${base}/messages`, content);
  const draft = { name: 'Sale', messageId, channels: ['email'] };
  const { id } = await api.must(`POST ${base}/campaigns`, draft);
  await api.must(`POST /v1/campaigns/${id}/send`, { confirmAll: true });
}

/** Sends a mail and returns it as the relay received it, with its signatures judged. */
async function mailOf(to: Tenant, send: (to: Tenant) => Promise<unknown> = sendOne) {
  const before = relay.messages.length;
  await send(to);
  const raw = await eventually(async () => relay.messages[before], 'no mail arrived');
  // The relay sees the lines with their dots stuffed.
  const mail = raw.replace(/\r\n\.\./g, '\r\n.');
  const keysAt = (name: string) => {
    const resolved = zone.resolve(name, 'TXT');
    return resolved.status === 'ok' ? resolved.records.map(({ value }) => value) : [];
  };
  const headerOf = (name: string) =>
    new RegExp(`^${name}: (.*)\\r$`, 'm').exec(mail.slice(0, mail.indexOf('\r\n\r\n')))?.[1];
  return { from: headerOf('From'), replyTo: headerOf('Reply-To'), dkim: verifyDkim(mail, keysAt) };
}

/** The one receipt of a send that reaches no relay. */
async function receiptOf(t: Test, { api, base }: Tenant) {
  const before = relay.messages.length;
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId: 'ada',
    title: 'Hi',
    body: 'Hello',
  });
  const ended = await eventually(async () => {
    const send = await api.must(`GET ${base}/notifications/${id}`);
    return send.status === 'pending' ? undefined : send;
  }, 'the send does not end');
  t.equal(relay.messages.length, before, 'nothing reached the relay');
  return ended.outcomes[0];
}

t.test('a tenant cannot send in the name of a domain that it did not prove', async (t) => {
  const acme = await tenant('Acme');
  await addDomain(acme, 'acme.example');
  t.equal((await verify(acme, 'acme.example')).state, 'verified');
  const evil = await tenant('Evil');
  await addDomain(evil, 'login.acme.example');
  t.equal((await verify(evil, 'login.acme.example')).state, 'verified', 'a zone of its own');
  for (const fromAddress of [
    'security@acme.example',
    'security@ACME.example',
    'security@www.acme.example',
    'security@mail.engage.example',
    'app-1@mail.engage.example',
    'security@engage.example',
    'security@аcme.example', // a Cyrillic a
    'security@xn--cme-7cd.example',
    'security@acme.example.evil.example',
  ]) {
    const { status, json } = await setSender(evil, { fromAddress });
    t.match({ status, json }, { status: 400, json: { field: 'email.fromAddress' } }, fromAddress);
  }
  for (const fromAddress of [
    'security@acme.example@login.acme.example',
    'security@acme.example, x@login.acme.example',
    '<security@acme.example> x@login.acme.example',
    'x@login.acme.example\r\nBcc: all@customer.example',
    'x@login.acme.example\u0000.acme.example',
    '"security@acme.example"@login.acme.example',
  ]) {
    const { status } = await setSender(evil, { fromAddress });
    t.equal(status, 400, JSON.stringify(fromAddress));
  }
  t.equal((await setSender(evil, { fromAddress: 'x@login.acme.example' })).status, 200);
  const { from, dkim } = await mailOf(evil);
  t.equal(from, 'x@login.acme.example');
  t.match(dkim, [{ domain: 'login.acme.example', result: 'pass' }]);
});

t.test("another tenant's proof, or a copy of its record, proves nothing", async (t) => {
  const good = await tenant('Good');
  const theirs = await addDomain(good, 'good.example');
  t.equal((await verify(good, 'good.example')).state, 'verified');
  const thief = await tenant('Thief');
  const own = await addDomain(thief, 'Good.Example.', false);
  t.equal(own.domain, 'good.example');
  t.not(own.records[0].value, theirs.records[0].value, 'a key of its own');
  const tried = await verify(thief, 'good.example');
  t.match(tried, { state: 'failed', records: [{ status: 'missing' }] });
  t.match(await setSender(thief, { fromAddress: 'x@good.example' }), { status: 400 });
  t.match(
    await thief.api.call(`POST ${good.base}/email-domains/good.example/verify`),
    { status: 404 },
    'nor can it act on the domain of the other',
  );
});

t.test('a mail is signed with the key of its own domain, and passes', async (t) => {
  const shop = await tenant('Shop');
  await addDomain(shop, 'bücher.example');
  t.equal((await verify(shop, 'b%C3%BCcher.example')).state, 'verified');
  const set = await setSender(shop, { fromName: 'Bücher', fromAddress: 'Hallo@Bücher.example' });
  t.equal(set.status, 200, set.text);
  const { from, dkim } = await mailOf(shop);
  t.match(from, /<Hallo@xn--bcher-kva\.example>$/);
  t.match(dkim, [{ domain: 'xn--bcher-kva.example', result: 'pass', aligned: true }]);
  t.equal(dkim.length, 1);

  const campaign = await mailOf(shop, sendCampaign);
  t.match(campaign, { from, dkim: [{ domain: 'xn--bcher-kva.example', result: 'pass' }] });

  await server.restart();
  t.match((await mailOf(shop)).dkim, [{ result: 'pass' }], 'the key survives a restart');
  const inUse = await shop.api.call(`DELETE ${shop.base}/email-domains/xn--bcher-kva.example`);
  t.match(inUse, { status: 409, json: { error: /fromAddress/ } });
});

t.test('an app without an address writes from its own one of the platform', async (t) => {
  const [one, other] = [await tenant('One'), await tenant('Other')];
  await setSender(one, { fromName: 'One', replyTo: 'help@one.example' });
  const { email } = await one.api.must(`GET ${one.base}/settings`);
  t.match(email, { fromAddress: null, platformAddress: /^app-[0-9a-z]+@mail\.engage\.example$/ });
  const mail = await mailOf(one);
  t.match(mail, { from: `One <${email.platformAddress}>`, replyTo: 'help@one.example' });
  t.match(mail.dkim, [{ domain: 'mail.engage.example', result: 'pass', aligned: true }]);
  t.equal((await setSender(one, { fromAddress: email.platformAddress })).status, 200);
  t.match(await setSender(other, { fromAddress: email.platformAddress }), { status: 400 });
});

t.test('what the operator vouches for leaves unsigned, until its key is in the DNS', async (t) => {
  const corp = await tenant('Corp');
  const from = { fromAddress: 'x@corp.example' };
  t.match(await setSender(corp, from), { status: 400 });
  const operator = client(server.url, server.bootstrapToken);
  const vouched = await operator.must(`PATCH /v1/orgs/${corp.orgId}`, {
    emailDomains: ['Corp.example.', 'corp.example'],
  });
  t.same(vouched.emailDomains, ['corp.example']);
  t.equal((await setSender(corp, from)).status, 200);
  t.same((await mailOf(corp)).dkim, [], 'the relay may sign it');
  await addDomain(corp, 'corp.example');
  t.same((await mailOf(corp)).dkim, [], 'nobody could verify a signature yet');
  await verify(corp, 'corp.example');
  t.match((await mailOf(corp)).dkim, [{ domain: 'corp.example', result: 'pass' }]);

  const late = await tenant('Late');
  t.equal((await setSender(late, { fromAddress: 'x@server.example' })).status, 200, 'any app');
  t.same((await mailOf(late)).dkim, []);
  t.match(await setSender(late, from), { status: 400 }, 'another org');
});

t.test('a sender that is no longer proven is not configured', async (t) => {
  const gone = await tenant('Gone');
  const added = await addDomain(gone, 'gone.example');
  await verify(gone, 'gone.example');
  await setSender(gone, { fromAddress: 'x@gone.example' });
  const record = zone.records.find(({ name }) => name === added.records[0].name);
  zone.remove(record?.id ?? 0);
  t.match(await verify(gone, 'gone.example'), { state: 'failed' });
  t.match(await receiptOf(t, gone), { status: 'suppressed', reason: 'not_configured' });
  const audit = await gone.api.must('GET /v1/org/audit-log');
  const noted = audit.items.map(({ action, target }: { action: string; target: string }) => [
    action,
    target,
  ]);
  for (const action of ['added', 'verified', 'failed'])
    t.ok(
      noted.some(
        ([one, of]: string[]) => one === `email_domain.${action}` && of === 'gone.example',
      ),
      action,
    );
  await setSender(gone, { fromAddress: null });
  t.match(await gone.api.call(`DELETE ${gone.base}/email-domains/gone.example`), { status: 204 });
  t.match((await mailOf(gone)).from, /@mail\.engage\.example$/);
});
