// Names of links are looked at again once a day: what is gone is told and not used, and a DNS that
// does not answer changes nothing.

import t from 'tap';
import { fault } from '../../../actors/faults.ts';
import { linkHostOf } from '../../../actors/tenants/accounts/link-host.ts';
import type { TxtAnswer } from '../../../actors/tenants/accounts/protocol.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { dayMs, hourMs } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { LinkNames } from '../../../http/process/link-names.ts';
import { partitionWithApp } from '../../support/partition.ts';

const host = 'engage.example';
const found: TxtAnswer = { answer: 'records', texts: [host] };
const elsewhere: TxtAnswer = { answer: 'records', texts: ['old.example'] };
const none: TxtAnswer = { answer: 'none' };
const failed: TxtAnswer = { answer: 'failed', reason: 'ETIMEOUT' };

/** A partition whose app has verified domains with names of links, and who looks at them. */
async function scene(domains: readonly string[] = ['a.example']) {
  const { one, app } = await partitionWithApp();
  for (const domain of domains) {
    const key = { selector: 's', publicKey: 'AAAA', privateKey: 'private' };
    await one.value(app, 'email_domain.add', { domain, key } as never);
    await one.value(app, 'email_domain.check', {
      ...{ domain, selector: 's', dmarc: none, links: { answer: found, host } },
      dkim: { answer: 'records', texts: ['v=DKIM1; k=rsa; p=AAAA'] },
    } as never);
  }
  let monotonicMs = 0;
  let answer: TxtAnswer | 'overloaded' = found;
  const looked: string[] = [];
  const told: object[] = [];
  const warned: object[] = [];
  const edge = {
    clock: { ...one.clock, monotonic: () => monotonicMs },
    log: { warn: (fields: object) => void warned.push(fields) },
    router: {
      ask: (to: number, message: Message) => one.ask(to, message.kind as never, message as never),
    },
    lookUpCname: async (_tenant: unknown, name: string) => {
      looked.push(name);
      if (answer === 'overloaded') throw new FaultError(fault('overloaded', 'later'));
      return answer;
    },
  };
  const names = new LinkNames(edge as never, { host, partitions: 1 }, (one) => told.push(one));
  const look = async (afterMs: number, now: TxtAnswer | 'overloaded') => {
    monotonicMs += afterMs;
    answer = now;
    looked.length = 0;
    await names.look();
    return [...looked];
  };
  const linkHost = () => {
    const state = one.product.state.apps.get(app);
    return state && linkHostOf(state, 'me@a.example');
  };
  return { one, look, linkHost, told, warned };
}

t.test(
  'each name is looked at once a day, and nothing is written while it leads here',
  async (t) => {
    const { one, look, linkHost } = await scene(['a.example', 'b.example']);
    const { durableSeq } = one.store;
    t.same(await look(0, found), ['links.a.example', 'links.b.example']);
    t.same(await look(hourMs, found), []);
    t.same(await look(dayMs, found), ['links.a.example', 'links.b.example']);
    t.equal(one.store.durableSeq, durableSeq);
    t.equal(linkHost(), 'links.a.example');
  },
);

t.test('a name that is lost is told once, not used, and used again once it is back', async (t) => {
  const { look, linkHost, told, warned } = await scene();
  for (const lost of [none, elsewhere]) {
    await look(dayMs, lost);
    t.equal(linkHost(), undefined);
  }
  t.match(told, [{ kind: 'link_name.lost', name: 'links.a.example' }]);
  t.match(warned, [{ evt: 'link_name.lost', name: 'links.a.example' }]);
  t.same(await look(dayMs, found), ['links.a.example']);
  t.equal(linkHost(), 'links.a.example');
  t.equal(told.length, 1);
});

t.test('without an answer nothing changes, and it is asked again with the next pass', async (t) => {
  const { look, linkHost, told } = await scene();
  for (const answer of [failed, 'overloaded'] as const) {
    t.equal((await look(dayMs, answer)).length, 1);
    t.equal((await look(hourMs, answer)).length, 1);
    t.equal(linkHost(), 'links.a.example');
  }
  t.same(told, []);
});
