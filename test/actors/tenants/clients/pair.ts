// A parent and its client workspace in two partitions, with what passes between them.

import { carry, type RelayedMessage } from '../../../../actors/tenants/clients/relay.ts';
import { areClientsComplete, clientMonths } from '../../../../actors/tenants/usage/months.ts';
import type { Answer, Message } from '../../../../engine/actor/message.ts';
import { slotOf } from '../../../../engine/actor/placement.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { below, type Rng } from '../../../../engine/base/rng.ts';
import { utcMonthOf } from '../../../../engine/time/utc-month.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { anApp, TestPartition, testClock } from '../../../support/partition.ts';

export const clientId = formatId('org', { ordinal: 0, atMs: 0, high16: 0, low32: 77 });
export const key = { id: 'key_1', keyId: 'key1', secretHash: new Uint8Array(32) };
export const begin = Date.UTC(2026, 0, 30);

export class Pair {
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

  /** Dies and starts again: with all that it has, or with the first `seq` blocks of a backup. */
  async restart(which: 'parent' | 'client', seq?: number): Promise<void> {
    if (seq === undefined) {
      this[which] = new TestPartition({ clock: this.clock, store: this[which].store });
      return;
    }
    const store = new MemoryStore();
    for (let at = 1; at <= seq; at++)
      for (const { block } of this[which].store.blocks(at, 1))
        store.commit({ seq: at, block, documents: [] }, () => undefined);
    while (store.durableSeq < seq) await Promise.resolve();
    this[which] = new TestPartition({ clock: this.clock, store });
  }
}
