// Which sender an app may use, in every combination of what proves it.

import t from 'tap';
import type { EmailDomainRecord } from '../../../../actors/tenants/accounts/records.ts';
import {
  type AppWithSender,
  platformAddress,
  type SenderRules,
  senderOf,
} from '../../../../actors/tenants/accounts/sender.ts';

const live: SenderRules = { proofRequired: true, vouched: [], platformDomain: 'mail.example' };

const domain = (name: string, state: EmailDomainRecord['state']): EmailDomainRecord => ({
  domain: name,
  selector: 's',
  publicKey: 'k',
  sealed: new Uint8Array(),
  state,
  createdMs: 1,
});

function app(fromAddress?: string, ...domains: EmailDomainRecord[]): AppWithSender {
  return {
    record: { ordinal: 8269 },
    settings: { email: fromAddress === undefined ? {} : { fromAddress } },
    emailDomains: new Map(domains.map((one) => [one.domain, one])),
    vouchedDomains: ['corp.example'],
  };
}

t.test('only exactly a verified domain may be used', async (t) => {
  const own = domain('acme.example', 'verified');
  const stateOf = (from: string) => senderOf(app(from, own), live).state;
  t.match(senderOf(app('A@Acme.example', own), live), {
    state: 'allowed',
    address: 'A@acme.example',
    key: own,
  });
  for (const from of [
    'a@www.acme.example',
    'a@example',
    'a@xacme.example',
    'a@acme.example.evil.example',
    'a@аcme.example',
    'a@mail.example',
    'app-1@mail.example',
  ])
    t.not(stateOf(from), 'allowed', from);
  for (const state of ['pending', 'failed'] as const)
    t.match(senderOf(app('a@b.example', domain('b.example', state)), live), {
      state: 'unproven',
      domain: 'b.example',
    });
});

t.test('without an address the app has one of the platform, if there is one', async (t) => {
  const address = 'app-6dp@mail.example';
  t.same(senderOf(app(), live), { state: 'allowed', address, key: 'platform' });
  t.match(senderOf(app('APP-6dp@Mail.Example'), live), { state: 'allowed', key: 'platform' });
  t.same(senderOf(app(), { proofRequired: true, vouched: [] }), { state: 'none' });
  const addresses = [0, 1, 35, 36, 2 ** 31, 2 ** 32 - 1].map((one) => platformAddress(one, 'x.y'));
  t.equal(new Set(addresses).size, addresses.length, 'no two apps share one');
});

t.test('what the operator vouches for needs no proof, and has no key of ours', async (t) => {
  t.same(senderOf(app('a@corp.example'), live), { state: 'allowed', address: 'a@corp.example' });
  t.same(senderOf(app('a@x.corp.example'), live), { state: 'unproven', domain: 'x.corp.example' });
  const rules = { ...live, vouched: ['server.example', 'mail.example'] };
  t.match(senderOf(app('a@server.example'), rules), { state: 'allowed' });
  t.match(senderOf(app('security@mail.example'), rules), { state: 'allowed', key: 'platform' });
  const off = { ...live, proofRequired: false, vouched: ['*'] };
  t.same(senderOf(app('a@any.example'), off), { state: 'allowed', address: 'a@any.example' });
});

t.test('in the sandbox any address may be used, but no key that is not proven', async (t) => {
  const sandbox = { ...live, proofRequired: false };
  const address = 'a@any.example';
  t.same(senderOf(app(address), sandbox), { state: 'allowed', address });
  t.same(senderOf(app(address, domain('any.example', 'failed')), sandbox), {
    state: 'allowed',
    address,
  });
  const forged = 'security@mail.example';
  t.same(senderOf(app(forged), sandbox), { state: 'allowed', address: forged }, 'unsigned');
});
