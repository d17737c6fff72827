// Sender domains as state: what a check changes and what it does not, what leaves with a grant, and
// what outlives a crash and a checkpoint.

import t from 'tap';
import type { TxtAnswer } from '../../../../actors/tenants/accounts/protocol.ts';
import type { SenderRules } from '../../../../actors/tenants/accounts/sender.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';

const senders: SenderRules = { proofRequired: true, vouched: [], platformDomain: 'mail.example' };
const found: TxtAnswer = { answer: 'records', texts: ['v=DKIM1; p=public'] };
const wrong: TxtAnswer = { answer: 'records', texts: ['v=DKIM1; p=another'] };
const missing: TxtAnswer = { answer: 'none' };
const unanswered: TxtAnswer = { answer: 'failed', reason: 'ETIMEOUT' };
const domain = 'acme.example';
const keyOf = (selector: string) => ({
  selector,
  publicKey: 'public',
  privateKey: `private ${selector}`,
});

async function scene() {
  const { one, org, app } = await partitionWithApp({ senders });
  const devices = [{ channel: 'email', endpoint: 'ada@customer.example' } as const];
  await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ada', devices } });
  return { one, org, app };
}

async function check(one: TestPartition, app: number, dkim: TxtAnswer, selector = 's1') {
  const body = { domain, selector, dkim, dmarc: missing };
  return one.ask(app, 'email_domain.check', body);
}

const setFrom = (one: TestPartition, app: number, fromAddress: string | null) =>
  one.ask(app, 'settings.patch', { patch: { email: { fromAddress } } });

async function grantOf(one: TestPartition, app: number) {
  const request = { to: { externalUserId: 'ada' }, title: 'Hi', body: 'there' };
  await one.value(app, 'transactional.accept', { request, claim: null });
  const [grant] = one.takeGrants();
  return grant && { key: grant.credentials, from: grant.attempts[0]?.attempt.email?.fromAddress };
}

t.test('only an answer of the DNS changes a state', async (t) => {
  const { one, app } = await scene();
  t.match(await one.value(app, 'email_domain.add', { domain, key: keyOf('s1') }), {
    domain,
    state: 'pending',
  });
  const steps: readonly (readonly [TxtAnswer, string])[] = [
    [unanswered, 'pending'],
    [missing, 'failed'],
    [unanswered, 'failed'],
    [found, 'verified'],
    [unanswered, 'verified'],
    [wrong, 'failed'],
    [found, 'verified'],
  ];
  for (const [dkim, state] of steps) {
    one.clock.nowMs += 1_000;
    const answer = await check(one, app, dkim);
    t.match(answer, { value: { state, check: { atMs: one.clock.nowMs } } });
    t.match(await one.value(app, 'email_domain.read', { domain }), { state });
  }
});

t.test('a check of an older key says nothing about the key that replaced it', async (t) => {
  const { one, app } = await scene();
  await one.value(app, 'email_domain.add', { domain, key: keyOf('s1') });
  await one.value(app, 'email_domain.delete', { domain });
  await one.value(app, 'email_domain.add', { domain, key: keyOf('s2') });
  t.match(await check(one, app, found, 's1'), { ok: false, fault: { code: 'changed' } });
  t.match(await one.value(app, 'email_domain.read', { domain }), { state: 'pending' });
  const again = await one.value(app, 'email_domain.add', { domain, key: keyOf('s3') });
  t.equal(again.selector, 's2', 'adding a domain again keeps its key');
  t.notOk(JSON.stringify(again).includes('private'));
});

t.test('a mail leaves with the key of its domain, opened only then', async (t) => {
  const { one, app } = await scene();
  const platform = await grantOf(one, app);
  t.match(platform, { key: 'platform', from: /^app-[0-9a-z]+@mail\.example$/ });
  await one.value(app, 'email_domain.add', { domain, key: keyOf('s1') });
  t.match(await setFrom(one, app, 'hi@acme.example'), {
    ok: false,
    fault: { field: 'email.fromAddress', message: /verify$/ },
  });
  await check(one, app, found);
  t.match(await setFrom(one, app, 'hi@acme.example'), { ok: true });
  const sent = {
    key: { domain, selector: 's1', privateKey: 'private s1' },
    from: 'hi@acme.example',
  };
  t.same(await grantOf(one, app), sent);
  t.match(await one.ask(app, 'email_domain.delete', { domain }), { ok: false });

  const crashed = new TestPartition({ senders, store: one.store.crash(), clock: one.clock });
  t.same(await grantOf(crashed, app), sent, 'from the log');
  const memory = [...crashed.product.parts()];
  const checkpoint = { seq: crashed.store.durableSeq, memory };
  const restored = new TestPartition({
    senders,
    store: crashed.store.crash(),
    clock: one.clock,
    checkpoint,
  });
  t.same([...restored.product.parts()], memory, 'a checkpoint holds all of it');
  t.same(await grantOf(restored, app), sent);

  await check(restored, app, missing);
  t.equal(await grantOf(restored, app), undefined, 'it is suppressed');
  await setFrom(restored, app, null);
  t.match(await restored.ask(app, 'email_domain.delete', { domain }), { ok: true });
  t.match(await grantOf(restored, app), { key: 'platform' });
});

t.test('a checkpoint of an older release has no domains', async (t) => {
  const { one, app } = await scene();
  const memory = [...one.product.parts()].map(({ name, value }) => {
    const { emailDomains: _, vouchedDomains: __, ...older } = value as Record<string, unknown>;
    return name === `app-${app}` ? { name, value: older } : { name, value };
  });
  const checkpoint = { seq: one.store.durableSeq, memory };
  const store = one.store.crash();
  const next = new TestPartition({ senders, store, clock: one.clock, checkpoint });
  t.same(await next.value(app, 'email_domain.list', {}), []);
  t.match(await next.value(app, 'email_domain.add', { domain, key: keyOf('s1') }), { domain });
});

t.test('an address that was set before proof was needed is not configured', async (t) => {
  const { one, app } = await scene();
  const before = new TestPartition({ store: one.store.crash(), clock: one.clock });
  await setFrom(before, app, 'hi@acme.example');
  t.match(await grantOf(before, app), { from: 'hi@acme.example' });
  const after = new TestPartition({ senders, store: before.store.crash(), clock: one.clock });
  t.equal(await grantOf(after, app), undefined);
  const patch = { patch: { emailTracking: false } };
  t.match(await after.ask(app, 'settings.patch', patch), { ok: true }, 'other settings change');
});

t.test("the operator's word reaches every app of the org, and those made later", async (t) => {
  const { one, org, app } = await scene();
  await one.value(org, 'org.set_limits', { emailDomains: ['corp.example'] });
  t.match(await setFrom(one, app, 'hi@corp.example'), { ok: true });
  t.same(await grantOf(one, app), { key: undefined, from: 'hi@corp.example' });
  const vapid = { publicKey: 'public', privateKey: 'private' };
  const later = await one.value(org, 'app.create', { name: 'Later', timezone: 'UTC', vapid });
  t.match(await setFrom(one, later.ordinal, 'hi@corp.example'), { ok: true });
  await one.value(org, 'org.set_limits', { dailySendCap: 5 });
  t.same(await grantOf(one, app), { key: undefined, from: 'hi@corp.example' }, 'and stays');
  await one.value(org, 'org.set_limits', { emailDomains: [] });
  t.equal(await grantOf(one, app), undefined);
});

t.test('an app has a bounded number of domains', async (t) => {
  const { one, app } = await scene();
  for (let i = 0; i < 50; i++)
    await one.value(app, 'email_domain.add', { domain: `d${i}.example`, key: keyOf(`s${i}`) });
  const conflict = { ok: false, fault: { code: 'limit_reached' } };
  t.match(await one.ask(app, 'email_domain.ask', { domain }), conflict);
  t.match(await one.ask(app, 'email_domain.add', { domain, key: keyOf('s') }), conflict);
  t.match(await one.value(app, 'email_domain.ask', { domain: 'd7.example' }), { selector: 's7' });
});

t.test(
  "the address of the platform's own mails is no tenant's, however it is vouched for",
  async (t) => {
    const platformSender = 'no-reply@mail.example';
    const { one, app } = await partitionWithApp({
      senders: { ...senders, vouched: ['*'], platformSender },
    });
    for (const address of [platformSender, 'No-Reply@MAIL.example'])
      t.match(await setFrom(one, app, address), {
        fault: { field: 'email.fromAddress', message: /platform's own mails/ },
      });
    t.match(await setFrom(one, app, 'shop@mail.example'), { ok: true });
  },
);
