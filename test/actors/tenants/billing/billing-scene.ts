// One partition with an org that is billed, and Stripe's stand-in over HTTP. What a dispatcher does
// is done here step by step, so that a test can end the process between any two.

import { createHmac } from 'node:crypto';
import type { Test } from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { InvoiceRow } from '../../../../actors/tenants/billing/protocol.ts';
import { readStripeEvent } from '../../../../actors/tenants/billing/stripe/event.ts';
import type {
  ChargeOrder,
  ChargeResult,
  StripeAnswers,
} from '../../../../actors/tenants/billing/stripe/port.ts';
import { StripeDoor } from '../../../../actors/tenants/billing/stripe/stripe-door.ts';
import type { RelayedMessage } from '../../../../actors/tenants/clients/relay.ts';
import type { Message } from '../../../../engine/actor/message.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { startSandbox } from '../../../../sandbox/sandbox.ts';
import { anApp, type TestClock, TestPartition, testClock } from '../../../support/partition.ts';
import { type Client, client } from '../../../support/server.ts';

const secret = 'whsec_scene';
const batchMax = 1_000;

/** The stand-in, shared by the scenes of a test. */
interface SharedStripe {
  readonly door: StripeDoor;
  readonly control: Client;
  readonly clock: TestClock;
}

export async function sharedStripe(t: Test): Promise<SharedStripe> {
  const clock = testClock(Date.UTC(2026, 0, 20));
  const sandbox = await startSandbox({ port: 0, clock });
  const outbound = createOutbound({ allowPrivateNetworks: true });
  t.teardown(async () => {
    await outbound.close(0);
    await sandbox.close();
  });
  const door = new StripeDoor({
    settings: { secretKey: 'sk_test_scene', url: sandbox.providerUrls['STRIPE'] ?? '' },
    outbound: async () => outbound,
    onProblem: () => undefined,
  });
  return { door, control: client(sandbox.url), clock };
}

/** Buttons of the hosted page. */
export type Card = 'pays' | 'declines' | 'asks';

export class BillingScene {
  one: TestPartition;
  org = 0;
  app = 0;
  /** Made, and not performed. */
  orders: ChargeOrder[] = [];
  /** Performed, and not reported. */
  readonly results: { readonly order: ChargeOrder; readonly result: ChargeResult }[] = [];
  readonly #stripe: SharedStripe;
  readonly #orgId: string;
  /** Messages between partitions get lost. */
  isCut = false;
  #seen = new Set<string>();

  private constructor(stripe: SharedStripe, orgId: string) {
    this.#stripe = stripe;
    this.#orgId = orgId;
    this.one = new TestPartition({ clock: stripe.clock, charges: true });
  }

  static async open(stripe: SharedStripe, orgId = 'org_00000000000000000000000000') {
    const scene = new BillingScene(stripe, orgId);
    const { org, app } = await anApp(scene.one);
    scene.org = org;
    scene.app = app;
    return scene;
  }

  /** At the first instant at which January is charged: 200 cents. The stand-in forgets the rest. */
  static async withInvoice(stripe: SharedStripe, card: Card | undefined): Promise<BillingScene> {
    await stripe.control.must('DELETE /control/stripe');
    stripe.clock.nowMs = Date.UTC(2026, 0, 31, 20);
    const scene = await BillingScene.open(stripe);
    await scene.newEvents();
    await scene.people(10_400);
    if (card !== undefined) await scene.connect(card);
    await scene.advance(Date.UTC(2026, 1) - stripe.clock.nowMs);
    await scene.advance(10 * minuteMs);
    return scene;
  }

  /** A client workspace in the same partition; gives back its ordinal. */
  async openClient(clientId: string): Promise<number> {
    const keyId = clientId.slice(-12);
    const key = { id: `key_${clientId}`, keyId, secretHash: new Uint8Array(32) };
    await this.one.value(this.org, 'client.open', { clientId, name: 'Client', key });
    await this.advance(10_000);
    return this.one.product.state.orgById.get(clientId) ?? 0;
  }

  get clock(): TestClock {
    return this.#stripe.clock;
  }

  get control(): Client {
    return this.#stripe.control;
  }

  /** Everything that was not durable is gone, and so is what dispatchers had in hand. */
  async crash(): Promise<void> {
    this.orders = [];
    this.results.length = 0;
    this.one = new TestPartition({
      store: this.one.store.crash(),
      clock: this.clock,
      charges: true,
    });
    await this.settle();
  }

  async advance(ms: number): Promise<void> {
    await this.one.advance(ms);
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.one.settle();
    const relays: RelayedMessage[] = [];
    for (const { message } of this.one.effects.splice(0)) {
      if (message.kind === 'stripe.charge') this.orders.push(message as ChargeOrder);
      if (message.kind === 'relay') relays.push(message as RelayedMessage);
    }
    for (const { to, message, from, confirm } of this.isCut ? [] : relays)
      await this.#carry(to, message, from, confirm);
  }

  /** This many people do something in this month. */
  async people(count: number): Promise<void> {
    for (let from = 0; from < count; from += batchMax) {
      const events = Array.from({ length: Math.min(batchMax, count - from) }, (_, index) => ({
        name: 'visit',
        externalUserId: `user-${from + index}`,
      }));
      const bytes = Buffer.from(JSON.stringify({ events }));
      await this.one.value(this.app, 'events.ingest', { keyless: false }, { bytes });
    }
    await this.settle();
  }

  /** Calls Stripe for the oldest order; its result waits. */
  async perform(): Promise<void> {
    const order = this.orders.shift();
    if (order === undefined) return;
    this.results.push({ order, result: await this.#stripe.door.charge(order) });
  }

  /** Reports the oldest result. */
  async report(): Promise<void> {
    const done = this.results.shift();
    if (done === undefined) return;
    const { order, result } = done;
    const { invoiceId, attempt } = order;
    await this.one.value(this.org, 'billing.charged', { invoiceId, attempt, result });
    await this.settle();
  }

  async chargeAll(): Promise<void> {
    while (this.orders.length + this.results.length > 0) {
      await this.perform();
      await this.report();
    }
  }

  /** Goes through the hosted page; the events wait at the stand-in. */
  async checkOut(card: Card = 'pays'): Promise<void> {
    await this.complete(await this.openCheckout(), card);
  }

  /** The address of a hosted page. */
  async openCheckout(): Promise<string> {
    const { door } = this.#stripe;
    const party = await this.one.value(this.org, 'billing.ask_checkout', {});
    let { customer } = party;
    if (customer === null) {
      const made = await door.ask({
        kind: 'stripe.customer',
        orgId: this.#orgId + this.clock.nowMs,
        name: party.name,
      });
      if (!made.ok) throw new Error(made.reason);
      const value = made.value as StripeAnswers['stripe.customer'];
      customer = (await this.one.value(this.org, 'billing.keep_customer', value)).customer;
    }
    const returnUrl = 'http://engage.test/dashboard/org/billing';
    const session = await door.ask({
      kind: 'stripe.checkout',
      orgId: this.#orgId,
      customer,
      returnUrl,
    });
    if (!session.ok) throw new Error(session.reason);
    return (session.value as StripeAnswers['stripe.checkout']).url;
  }

  async complete(url: string, card: Card): Promise<void> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await client(url).call('POST ', `card=${card}`, headers);
  }

  /** Ids of the customer's cards, in the order in which they were entered. */
  async methods(): Promise<readonly string[]> {
    const { methods } = await this.control.must('GET /control/stripe');
    return methods.map(({ id }: { id: string }) => id);
  }

  async detach(methodId: string): Promise<void> {
    await this.control.call(`POST /stripe/methods/${methodId}/detach`);
  }

  async connect(card: Card = 'pays'): Promise<void> {
    await this.checkOut(card);
    for (const event of await this.newEvents()) await this.take(event);
  }

  /** Events of Stripe that this scene has not taken, oldest first. */
  async newEvents(): Promise<{ readonly id: string; readonly type: string }[]> {
    const { events } = await this.control.must('GET /control/stripe/events');
    const fresh = events.filter(({ id }: { id: string }) => !this.#seen.has(id)).reverse();
    for (const { id } of fresh) this.#seen.add(id);
    return fresh;
  }

  /** As the route does: verified on the bytes, what was set up is read. */
  async take(event: object): Promise<string> {
    const body = Buffer.from(JSON.stringify({ object: 'event', ...event }));
    const { nowMs } = this.clock;
    const at = Math.floor(nowMs / 1_000);
    const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const read = await readStripeEvent(body, `t=${at},v1=${v1}`, secret, nowMs);
    if (read.kind === 'forged') throw new Error('the signature is right');
    if (read.kind === 'ignored') return 'ignored';
    const known = read.kind === 'event' ? read : await this.#setUp(read.id, read.setupIntent);
    if (known === undefined) return 'ignored';
    const { id: eventId, customer, event: said } = known;
    const owner = await this.one.value(0, 'billing.find_customer', { customer });
    if (owner !== this.org) return 'ignored';
    const result = await this.one.value(owner, 'billing.event', { eventId, customer, event: said });
    await this.settle();
    return result;
  }

  async invoices(): Promise<readonly InvoiceRow[]> {
    const { invoices } = await this.one.value(this.org, 'billing.read', { limit: 200 });
    return invoices.toReversed();
  }

  async payments(): Promise<readonly PaymentSeen[]> {
    const { payments } = await this.control.must('GET /control/stripe');
    return payments.filter(({ customer }: PaymentSeen) => customer === this.customer);
  }

  get customer(): string | undefined {
    return this.one.product.state.orgs.get(this.org)?.billing.customer;
  }

  /** As the front does: both are in this partition. */
  async #carry(to: number, message: Message, from: number, confirm: Message): Promise<void> {
    const answer = await this.one.ask(to, message.kind as 'org.read', message as object);
    if (!answer.ok) return;
    const confirmed = { ...confirm, ...(answer.value as object) };
    await this.one.ask(from, confirm.kind as 'org.read', confirmed as object);
  }

  async #setUp(id: string, setupIntent: string) {
    const answer = await this.#stripe.door.ask({ kind: 'stripe.setup', setupIntent });
    if (!answer.ok) throw new Error(answer.reason);
    const value = answer.value as StripeAnswers['stripe.setup'];
    if (value === null) return undefined;
    const { customer, method } = value;
    return { id, customer, event: { kind: 'method_set_up', method } } as const;
  }
}

interface PaymentSeen {
  readonly customer: string;
  readonly amount: number;
  readonly status: string;
  readonly metadata: Readonly<Record<string, string>>;
}
