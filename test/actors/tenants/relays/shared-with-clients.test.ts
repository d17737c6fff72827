// An agency's relays in the partition of a client workspace: what is told may be lost, doubled or
// late, and either side may die. In the end the client sends by what the agency has.

import fc from 'fast-check';
import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';
import { Pair } from '../clients/pair.ts';

const aRelay = {
  channel: 'email',
  relayKind: 'smtp',
  input: { name: 'shared', config: { host: 'mail.example.com' } },
} as const;

/** A client workspace with an app, and one person in it. */
async function withApp(pair: Pair): Promise<Pair> {
  await pair.begin();
  await pair.pass(minuteMs);
  await pair.track('ada');
  await pair.client.value(pair.app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: 'ada',
      devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
    },
  } as never);
  return pair;
}

const appOf = ({ client, app }: Pair) => client.product.state.apps.get(app);
const usedBy = (pair: Pair) => appOf(pair)?.sharedRelays.map(({ id, order }) => `${id} ${order}`);
const ownedBy = ({ parent, org }: Pair) =>
  Array.from(
    parent.product.state.orgs.get(org)?.relays.values() ?? [],
    ({ id, order }) => `${id} ${order}`,
  );

/** Sends to the person; by which relay the mail was granted, and its attempt. */
async function granted(pair: Pair) {
  const request = { to: { externalUserId: 'ada' }, title: 'T', body: 'x' };
  const { id } = await pair.client.value(pair.app, 'transactional.accept', {
    request,
    claim: null,
  });
  await pair.client.settle();
  const grants = pair.client.takeGrants().filter(({ kind }) => kind === 'dispatch.grant');
  return { id, attempt: grants.flatMap((grant: DispatchGrant) => grant.attempts).at(-1) };
}

async function reported({ client, app }: Pair, sendId: string, attempt: number, outcome: Outcome) {
  const reports = [{ sendId, target: 0, attempt, outcome }];
  await client.value(app, 'dispatch.report', { channel: 'email', reports });
}

t.test(
  'in the end the client has what the agency has, whatever is lost and whoever dies',
  async () => {
    const steps = fc.array(
      fc.constantFrom('add', 'change', 'remove', 'pass', 'cut', 'mend', 'parent', 'client'),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (does, seed) => {
        const pair = await withApp(new Pair(seededRng(seed)));
        let order = 1;
        for (const step of does) {
          const { parent, org } = pair;
          const [relayId] = parent.product.state.orgs.get(org)?.relays.keys() ?? [];
          if (step === 'add') await parent.value(org, 'relay.create', aRelay);
          if (step === 'change' && relayId !== undefined)
            await parent.value(org, 'relay.update', { relayId, input: { order: ++order } });
          if (step === 'remove' && relayId !== undefined)
            await parent.value(org, 'relay.delete', { relayId });
          if (step === 'pass') await pair.pass(10_000);
          if (step === 'cut' || step === 'mend') pair.isCut = step === 'cut';
          if (step === 'parent' || step === 'client') await pair.restart(step);
        }
        pair.isCut = false;
        await pair.pass(10 * minuteMs, 30_000);
        return JSON.stringify(usedBy(pair)) === JSON.stringify(ownedBy(pair));
      }),
      { numRuns: tries(12) },
    );
  },
);

t.test(
  'a mail of a client leaves by the agency’s relay, over a restart, until it is revoked',
  async (t) => {
    const pair = await withApp(new Pair());
    const { id: relayId } = await pair.parent.value(pair.org, 'relay.create', aRelay);
    await pair.pass(minuteMs);
    const first = await granted(pair);
    t.equal(first.attempt?.relay, relayId);
    await pair.restart('client');
    await pair.client.settle();
    t.equal(appOf(pair)?.sharedRelays[0]?.id, relayId, 'after a restart');

    // Revoked while the mail of before may have been accepted: no other relay gets that one.
    await pair.parent.value(pair.org, 'relay.delete', { relayId });
    await pair.pass(minuteMs);
    const silent = { outcome: 'ambiguous', reason: 'timeout', account: relayId } as const;
    await reported(pair, first.id, 2, silent);
    await pair.pass(20 * minuteMs, minuteMs);
    t.match(await pair.client.value(pair.app, 'transactional.read', { id: first.id }), {
      status: 'failed',
      outcomes: [{ reason: 'unknown_outcome' }],
    });
    pair.client.takeGrants();
    t.equal((await granted(pair)).attempt?.relay, undefined, 'the server sends as it did before');
  },
);

t.test('an agency whose client is refused goes on; mended, the client tries at once', async (t) => {
  const pair = await withApp(new Pair());
  const { id: relayId } = await pair.parent.value(pair.org, 'relay.create', aRelay);
  await pair.pass(minuteMs);
  const { id, attempt } = await granted(pair);
  const outcome = { outcome: 'config', reason: 'relay_authentication', account: relayId } as const;
  t.equal(attempt?.relay, relayId);
  await reported(pair, id, 1, outcome);
  const stateOf = async (which: 'parent' | 'client', to: number) =>
    (await pair[which].value(to, 'relay.health', {})).find(({ relay }) => relay === relayId);
  t.match(await stateOf('client', pair.app), { state: 'refused', sinceMs: Number });
  t.match(await stateOf('parent', pair.org), { state: 'ok' });
  pair.client.takeGrants();
  const config = { host: 'other.example.com' };
  await pair.parent.value(pair.org, 'relay.update', { relayId, input: { config } });
  await pair.pass(minuteMs);
  t.match(await stateOf('client', pair.app), { state: 'ok' });
});
