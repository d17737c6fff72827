// A parent and its client in two partitions, with everything that may happen on the way between
// them: lost and repeated messages, a death between any two steps, a restore of one of them to an
// earlier instant, the end of a month, a clock that was wrong.

import fc from 'fast-check';
import t from 'tap';
import { carry, type RelayedMessage } from '../../../../actors/tenants/clients/relay.ts';
import { areClientsComplete, clientMonths } from '../../../../actors/tenants/usage/months.ts';
import type { Answer, Message } from '../../../../engine/actor/message.ts';
import { slotOf } from '../../../../engine/actor/placement.ts';
import { dayMs, minuteMs } from '../../../../engine/base/brand.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { below, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { utcMonthOf } from '../../../../engine/time/utc-month.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { anApp, TestPartition, testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const clientId = formatId('org', { ordinal: 0, atMs: 0, high16: 0, low32: 77 });
const key = { id: 'key_1', keyId: 'key1', secretHash: new Uint8Array(32) };
const begin = Date.UTC(2026, 0, 30);
const january = utcMonthOf(begin);

class Pair {
  readonly clock = testClock(begin);
  parent = new TestPartition({ clock: this.clock });
  client = new TestPartition({ clock: this.clock });
  org = 0;
  app = 0;
  /** Relays are thrown away. */
  isCut = false;
  readonly #rng: Rng | undefined;

  /** With a `rng` relays are lost and doubled, and come in any order. */
  constructor(rng?: Rng) {
    this.#rng = rng;
  }

  async begin(): Promise<this> {
    this.org = (await anApp(this.parent)).org;
    await this.parent.value(this.org, 'client.open', { clientId, name: 'One', key });
    return this;
  }

  /** Time passes in steps, and what is told meanwhile arrives. */
  async pass(ms: number, stepMs = 5_000): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.clock.nowMs += Math.min(stepMs, left);
      await this.parent.settle();
      await this.client.settle();
      await this.#relay();
    }
  }

  async #relay(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      const relays = [this.parent, this.client].flatMap(({ effects }) =>
        effects.splice(0).flatMap(({ message }) => (message.kind === 'relay' ? message : [])),
      ) as RelayedMessage[];
      if (this.isCut || relays.length === 0) return;
      for (const relay of this.#mixed(relays)) await this.#carry(relay);
    }
  }

  #mixed(relays: readonly RelayedMessage[]): readonly RelayedMessage[] {
    const rng = this.#rng;
    if (rng === undefined) return relays;
    const mixed = relays.flatMap((one) => Array.from({ length: below(rng, 3) }, () => one));
    return below(rng, 2) === 0 ? mixed : mixed.reverse();
  }

  async #carry(relay: RelayedMessage): Promise<void> {
    const answers: Promise<void>[] = [];
    const askThen = (to: number, message: Message, _options: object, then: (a: Answer) => void) => {
      const { kind, ...body } = structuredClone(message) as Message & { by?: number };
      const asked = this.#owner(to).ask(to, kind as 'report.receive', body as never);
      answers.push(asked.then(then));
    };
    carry({ askThen }, relay);
    while (answers.length > 0) await answers.shift();
  }

  #owner(ordinal: number): TestPartition {
    return slotOf(ordinal) === slotOf(this.org) ? this.parent : this.client;
  }

  get clients() {
    return [...this.client.product.state.orgs.values()];
  }

  async track(...people: string[]): Promise<void> {
    const [org] = this.clients;
    if (org === undefined) throw new Error('there is no client');
    if (this.app === 0) {
      const vapid = { publicKey: 'public', privateKey: 'private' };
      const body = { name: 'Shop', timezone: 'UTC', vapid };
      const made = await this.client.value(org.record.ordinal, 'app.create', body);
      this.app = made.ordinal;
    }
    const events = people.map((externalUserId) => ({ name: 'visit', externalUserId }));
    const bytes = Buffer.from(JSON.stringify({ events }));
    await this.client.value(this.app, 'events.ingest', { keyless: false }, { bytes });
  }

  /** What the parent knows of the client's people in a month. */
  known(month = utcMonthOf(this.clock.nowMs)): number | undefined {
    const { state } = this.parent.product;
    return clientMonths(state, this.org, month)[0]?.mau;
  }

  isComplete(month: number): boolean {
    return areClientsComplete(this.parent.product.state, this.org, month);
  }

  /** Dies and starts again with the first `seq` blocks: all of them, or those of a backup. */
  async restart(which: 'parent' | 'client', seq = this[which].store.durableSeq): Promise<void> {
    const store = new MemoryStore();
    for (let at = 1; at <= seq; at++)
      for (const { block } of this[which].store.blocks(at, 1))
        store.commit({ seq: at, block, documents: [] }, () => undefined);
    while (store.durableSeq < seq) await Promise.resolve();
    this[which] = new TestPartition({ clock: this.clock, store });
  }
}

t.test('a client reads a change of its parent’s branding a second later', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  const [client] = pair.clients;
  const read = async () => {
    const asked = pair.client.value(client?.record.ordinal ?? 0, 'branding.read', {});
    return (await asked).branding.productName;
  };
  const change = (productName: string) =>
    pair.parent.value(pair.org, 'branding.patch', { patch: { productName } });
  for (const [i, name] of ['One', 'Two', 'Three'].entries()) {
    await change(name);
    await pair.pass(1_000, 100);
    t.equal(await read(), name);
    // Whatever else is being told just then.
    await pair.pass(700 * i, 100);
    await pair.track(`visitor-${i}`);
    await pair.pass(300, 100);
  }
});

t.test('many clients are told a hundred a second', async (t) => {
  const pair = await new Pair().begin();
  for (let n = 0; n < 249; n++) {
    const id = formatId('org', { ordinal: 0, atMs: n + 1, high16: 0, low32: 77 + n });
    const own = { id: `key_${n}`, keyId: `many${n}`, secretHash: new Uint8Array(32) };
    await pair.parent.value(pair.org, 'client.open', { clientId: id, name: `C${n}`, key: own });
  }
  await pair.pass(2 * minuteMs);
  t.equal(pair.clients.length, 250);
  await pair.parent.value(pair.org, 'branding.patch', { patch: { productName: 'New' } });
  const told: number[] = [];
  for (let second = 0; second < 3; second++) {
    await pair.pass(1_000, 100);
    told.push(pair.clients.filter(({ branding }) => branding.parent.productName === 'New').length);
  }
  t.same(told, [100, 200, 250]);
});

t.test('a client that was recorded is made, once, whatever dies on the way', async (t) => {
  const pair = await new Pair().begin();
  t.equal(pair.clients.length, 0);
  await pair.restart('parent');
  await pair.pass(minuteMs);
  t.equal(pair.clients.length, 1, 'the parent told it after its death');
  pair.isCut = true;
  await pair.restart('parent');
  await pair.restart('client');
  await pair.pass(minuteMs);
  pair.isCut = false;
  await pair.pass(minuteMs);
  t.equal(pair.clients.length, 1);
  t.match(pair.clients[0]?.record, { id: clientId, name: 'One', parentOrdinal: pair.org });
  t.equal(pair.clients[0]?.keyIds.size, 1);
});

t.test('a parent knows a minute later, over any loss, doubling and order', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.constantFrom('track', 'parent', 'client', 'pass'), { maxLength: 12 }),
      async (seed, steps) => {
        const pair = await new Pair(seededRng(seed)).begin();
        while (pair.clients.length === 0) await pair.pass(minuteMs);
        let people = 0;
        for (const step of steps) {
          if (step === 'track') await pair.track(`user-${people++}`);
          else if (step === 'pass') await pair.pass(30_000);
          else await pair.restart(step);
        }
        // A message in nine gets through both ways, every 20 seconds.
        for (let n = 0; n < 100 && pair.known() !== people; n++) await pair.pass(minuteMs);
        t.equal(pair.known(), people);
      },
    ),
    { numRuns: tries(15) },
  );
});

t.test('a month is complete once the client has said so, and not before', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  await pair.track('ana', 'ben');
  await pair.pass(minuteMs);
  t.equal(pair.known(january), 2);
  t.notOk(pair.isComplete(january), 'it is not over');
  pair.isCut = true;
  await pair.pass(dayMs, 60 * minuteMs);
  await pair.track('cleo'); // the last hours of January
  await pair.pass(dayMs, 60 * minuteMs);
  t.ok(utcMonthOf(pair.clock.nowMs) > january);
  t.notOk(pair.isComplete(january), 'the client could not be heard');
  pair.isCut = false;
  await pair.pass(minuteMs);
  t.ok(pair.isComplete(january));
  t.equal(pair.known(january), 3, 'with its last word');
  t.equal(pair.known(), 0, 'an idle client reports the new month, too');
});

t.test('a deleted client is complete for all months, and keeps them', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  await pair.track('ana');
  await pair.parent.value(pair.org, 'client.close', { clientId });
  await pair.pass(minuteMs);
  t.equal(pair.client.product.state.apps.size, 0, 'its app is gone');
  t.equal(pair.clients[0]?.keyIds.size, 0, 'and its key');
  t.equal(pair.known(january), 1);
  t.ok(pair.isComplete(january + 5));
  const late = await pair.client.ask(
    pair.clients[0]?.record.ordinal ?? 0,
    'org.read',
    {},
    {
      by: pair.clients[0]?.record.ordinal ?? 0,
    },
  );
  t.notOk(late.ok, 'nobody acts for it');
});

t.test('one that is deleted before it was made stays deleted', async (t) => {
  const pair = await new Pair().begin();
  const { to, workspace } = await pair.parent.value(pair.org, 'client.close', { clientId });
  await pair.client.value(to, 'workspace.receive', { workspace });
  const first = { ...workspace, counter: 1, isClosed: false };
  await pair.client.value(to, 'workspace.receive', { workspace: first });
  t.ok(pair.clients[0]?.record.closedMs, 'a late message about its creation changes nothing');
  await pair.pass(minuteMs);
  t.ok(pair.isComplete(january));
});

for (const which of ['parent', 'client'] as const)
  t.test(`a restore that takes the ${which} back leads to one truth again`, async (t) => {
    const pair = await new Pair().begin();
    await pair.pass(minuteMs);
    await pair.track('ana');
    await pair.pass(minuteMs);
    const seq = pair[which].store.durableSeq;
    await pair.parent.value(pair.org, 'branding.patch', { patch: { productName: 'Northwind' } });
    for (const who of ['ben', 'cleo', 'dan']) {
      await pair.track(who);
      await pair.pass(minuteMs);
    }
    t.equal(pair.known(), 4);
    await pair.restart(which, seq);
    // A start alone tells it; as after a restore, both start.
    await pair.restart(which === 'parent' ? 'client' : 'parent');
    await pair.pass(3 * minuteMs);
    const truth = [...pair.client.product.state.apps.values()][0]?.monthlyActive.count(january);
    t.equal(truth, which === 'client' ? 1 : 4);
    t.equal(pair.known(), truth);
    const own = [...pair.parent.product.state.orgs.values()][0]?.branding.own;
    t.same(pair.clients[0]?.branding.parent, own, 'branding, too');
    await pair.track('eve');
    await pair.pass(minuteMs);
    t.equal(pair.known(), (truth ?? 0) + 1, 'and goes on');
  });

t.test('a client that its parent has forgotten in a restore is found again', async (t) => {
  const pair = new Pair();
  pair.org = (await anApp(pair.parent)).org;
  const seq = pair.parent.store.durableSeq;
  await pair.parent.value(pair.org, 'client.open', { clientId, name: 'One', key });
  await pair.pass(minuteMs);
  await pair.track('ana');
  await pair.pass(minuteMs);
  await pair.restart('parent', seq);
  t.equal(pair.known(), undefined);
  await pair.restart('client');
  await pair.pass(2 * minuteMs);
  t.equal(pair.known(), 1);
  const { items } = await pair.parent.value(pair.org, 'client.list', { limit: 10 });
  t.match(items, [{ id: clientId, name: 'One', mau: 1 }]);
});

t.test('a clock that was a year ahead takes no month from the parent', async (t) => {
  const pair = await new Pair().begin();
  await pair.pass(minuteMs);
  await pair.track('ana', 'ben');
  await pair.pass(minuteMs);
  const trueMs = pair.clock.nowMs;
  pair.clock.nowMs += 400 * dayMs;
  await pair.restart('parent');
  await pair.restart('client');
  await pair.pass(2 * minuteMs);
  await pair.track('cleo');
  await pair.pass(2 * minuteMs);
  t.equal(pair.known(january), 2, 'the month is still there');
  pair.clock.nowMs = trueMs + 5 * minuteMs;
  for (const one of [pair.parent, pair.client]) one.partition.acceptClock();
  await pair.pass(2 * minuteMs);
  const own = [...pair.client.product.state.apps.values()][0]?.monthlyActive.count(january);
  t.equal(pair.known(january), own, 'it is what the client itself counts');
  t.equal(pair.known(utcMonthOf(trueMs + 400 * dayMs)), 0, 'and not in one that has not begun');
  t.notOk(pair.isComplete(january), 'which is not over');
});
