// A random history of one app with few addresses: sign-ups, confirmations, campaigns, journeys,
// single sends, imports, calls with a key, logins that merge, erasures, crashes and restores. What
// may be sent is judged by the history alone: an address that somebody signed up, and that neither
// its owner nor the tenant has spoken for since, gets the mail that asks, and nothing else.

import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import { packRows } from '../../../../actors/people/audience/import/pack-rows.ts';
import type {
  Consent,
  ImportReply,
  Page,
  SubscriberView,
} from '../../../../actors/people/audience/protocol.ts';
import { textSealer } from '../../../../actors/sealer.ts';
import { type ConfirmLink, openConfirm } from '../../../../actors/sending/opt-in/confirm-link.ts';
import type { ConfirmPage } from '../../../../actors/sending/opt-in/protocol.ts';
import { dayMs, hourMs, type Millis } from '../../../../engine/base/brand.ts';
import { below, pick, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { createSealer } from '../../../../storage/sealed.ts';
import { accept } from '../../programs/campaigns/scene.ts';
import { JourneyScene, send, wait } from '../../programs/journeys/support/journey-scene.ts';

const addresses = ['ann@example.com', 'ben@example.com', 'Cay@example.com'];
const externals = ['x', 'y'];
const tokenKey = new Uint8Array(32).fill(3);
const secretHash = new Uint8Array(32).fill(5);
const sealer = textSealer(createSealer([new Uint8Array(32).fill(7)]));

/** `other`: the tenant, a client or the owner has spoken for it. */
type State = 'nobody' | 'pending' | 'other';

interface LoggedIn {
  readonly ok: boolean;
  readonly value: { readonly clientToken: string };
}

interface Mail {
  readonly address: string;
  readonly atMs: Millis;
  readonly link: ConfirmLink;
}

interface Past {
  readonly states: Map<string, State>;
  readonly tenantOut: Set<string>;
  readonly mails: readonly Mail[];
  readonly store: MemoryStore;
}

/** What happened in all histories, so that none of it is missing. */
export const seen = {
  asked: 0,
  askedForTenant: 0,
  confirmed: 0,
  refused: 0,
  others: 0,
  restored: 0,
  merged: 0,
};

export class History {
  readonly #rng: Rng;
  readonly #journeys: JourneyScene;
  readonly #told: string[] = [];
  #states = new Map<string, State>();
  #tenantOut = new Set<string>();
  /** Brought by the tenant alone. */
  readonly #unasked = new Set<string>();
  #mails: Mail[] = [];
  #tokens: string[] = [];
  #past: Past | undefined;
  #epoch = 1;
  #checked = 0;

  private constructor(seed: number, journeys: JourneyScene) {
    this.#rng = seededRng(seed);
    this.#journeys = journeys;
  }

  /** What was sent and must not have been, with what led to it; empty for a good history. */
  static async of(seed: number, steps: number): Promise<readonly string[]> {
    const journeys = await JourneyScene.open();
    const history = new History(seed, journeys);
    await journeys.journey({
      triggerEvent: 'go',
      steps: [
        send('a', 'a', { channels: ['email'] }),
        wait('w', 1),
        send('b', 'b', { channels: ['email'] }),
      ],
    });
    for (let step = 0; step < steps; step++) {
      const [name, run] = pick(history.#rng, history.#steps);
      const address = pick(history.#rng, addresses);
      history.#told.push(`${name} ${address}`);
      await run(address);
      await history.#scene.run();
      const wrong = history.#check();
      if (wrong !== undefined) return [...history.#told, wrong];
    }
    return [];
  }

  get #scene() {
    return this.#journeys.scene;
  }

  get #nowMs(): Millis {
    return this.#scene.one.clock.nowMs;
  }

  #state(address: string): State {
    return this.#states.get(address) ?? 'nobody';
  }

  async #ask(kind: string, body: object): Promise<{ readonly ok: boolean; readonly value: never }> {
    const answer = await this.#scene.one.ask(this.#scene.app, kind as never, body as never);
    return { ok: answer.ok, value: (answer.ok ? answer.value : undefined) as never };
  }

  /** Calls since the last step: each address must have been free to get what it got. */
  #check(): string | undefined {
    const { sent } = this.#scene;
    for (; this.#checked < sent.length; this.#checked++) {
      const attempt = sent[this.#checked] as Attempt;
      const address = attempt.endpoint as string;
      const known = addresses.find((one) => one.toLowerCase() === address.toLowerCase()) ?? address;
      const link = linkIn(attempt);
      if (link !== undefined) {
        const problem = this.#asked(known, attempt, link);
        if (problem !== undefined) return problem;
        continue;
      }
      if (this.#state(known) === 'pending')
        return `"${attempt.content.title}" went to ${known}, which is not confirmed`;
      seen.others++;
    }
    return undefined;
  }

  #asked(address: string, attempt: Attempt, link: ConfirmLink): string | undefined {
    seen.asked++;
    if (this.#unasked.has(address)) seen.askedForTenant++;
    if (attempt.email?.isTracked !== false) return 'the mail that asks is tracked';
    if (this.#tenantOut.has(address)) return `${address} is asked, and the tenant has ended it`;
    if (this.#mails.some(({ link: { number } }) => number === link.number))
      return `${address} gets one mail twice`;
    // An outage may keep it back; what counts is when it was asked for.
    const { acceptedMs } = attempt;
    this.#mails.push({ address, atMs: acceptedMs, link });
    const today = this.#mails.filter(
      (one) => one.address === address && one.atMs > acceptedMs - dayMs,
    );
    if (today.length > 3) return `${address} gets ${today.length} mails in a day`;
    const sameAsker = today.filter(({ link: { person } }) => person === link.person);
    if (sameAsker.length > 1) return `${address} is asked twice in a day for one person`;
    return undefined;
  }

  readonly #steps: readonly (readonly [string, (address: string) => Promise<unknown>])[] = [
    ['sign up', (address) => this.#signUp(address)],
    ['sign up again', (address) => this.#signUp(address)],
    ['sign up with a token', (address) => this.#signUp(address, true)],
    ['open the newest link', () => this.#confirm(this.#mails.at(-1))],
    ['open some link', () => this.#confirm(pickOf(this.#rng, this.#mails))],
    ['forget to look', () => this.#confirm(this.#mails.at(-1), 'nothing')],
    ['log in', () => this.#logIn()],
    ['become', () => this.#become()],
    ['upsert', (address) => this.#upsert(address)],
    ['import', (address) => this.#import(address)],
    ['import unconfirmed', (address) => this.#import(address, 'doubleOptIn')],
    ['upsert unconfirmed', (address) => this.#upsert(address, 'doubleOptIn')],
    ['identify', (address) => this.#identify(address)],
    ['register', (address) => this.#register(address)],
    ['disable', (address) => this.#byKey(address, false)],
    ['enable', (address) => this.#byKey(address, true)],
    ['remove', (address) => this.#remove(address)],
    ['suppress', (address) => this.#suppress(address, 'api')],
    ['unsubscribe', (address) => this.#suppress(address, 'unsubscribe')],
    ['let again', (address) => this.#unsuppress(address)],
    ['campaign', () => this.#scene.sentCampaign({ channels: ['email'] })],
    ['campaign', () => this.#scene.sentCampaign({ channels: ['email'] })],
    ['event', () => this.#journeys.track({ name: 'go', user: pick(this.#rng, externals) })],
    ['send', (address) => this.#send(address)],
    ['erase', (address) => this.#erase(address)],
    ['wait', () => this.#scene.advance(pick(this.#rng, [hourMs, 13 * hourMs, 2 * dayMs]))],
    ['crash', () => this.#scene.crash()],
    ['outage', () => this.#outage()],
    ['backup', () => this.#backup()],
    ['restore', () => this.#restore()],
  ];

  async #signUp(address: string, hasToken = false): Promise<void> {
    const clientToken = hasToken ? pickOf(this.#rng, this.#tokens) : undefined;
    const endpoint = below(this.#rng, 2) === 0 ? address : address.toUpperCase();
    const wish = { topics: [], tags: { asked: below(this.#rng, 3) } };
    const signUp = { endpoint, wish, ...(clientToken === undefined ? {} : { clientToken }) };
    const { ok } = await this.#ask('opt_in.sign_up', { signUp });
    if (ok && this.#state(address) === 'nobody') this.#states.set(address, 'pending');
    this.#unasked.delete(address);
  }

  async #confirm(mail: Mail | undefined, given?: string): Promise<void> {
    if (mail === undefined) return;
    const { app: _app, ...link } = mail.link;
    const read: { value: ConfirmPage } = await this.#ask('opt_in.read', link);
    const seenMark = given ?? ('seen' in read.value ? read.value.seen : undefined);
    const done: { value: ConfirmPage } = await this.#ask('opt_in.confirm', {
      ...link,
      seen: seenMark,
      source: 'page',
    });
    if (done.value.state !== 'confirmed') {
      seen.refused++;
      return;
    }
    seen.confirmed++;
    const isValid =
      given === undefined &&
      mail.atMs >= this.#nowMs - 7 * dayMs &&
      !this.#tenantOut.has(mail.address) &&
      this.#state(mail.address) !== 'nobody';
    // A wrong confirmation shows in what is sent.
    if (isValid) this.#states.set(mail.address, 'other');
  }

  async #logIn(): Promise<void> {
    const { ok, value }: LoggedIn = await this.#ask('sdk.login', { login: { tokenKey } });
    if (ok) this.#tokens.push(value.clientToken);
  }

  async #become(): Promise<void> {
    const clientToken = pickOf(this.#rng, this.#tokens);
    if (clientToken === undefined) return;
    const externalUserId = pick(this.#rng, externals);
    const login = { tokenKey, clientToken, externalUserId };
    const { ok, value }: LoggedIn = await this.#ask('sdk.login', { login });
    if (!ok) return;
    seen.merged++;
    this.#tokens = this.#tokens.map((one) => (one === clientToken ? value.clientToken : one));
  }

  async #upsert(address: string, consent: Consent = 'confirmed'): Promise<void> {
    const devices = [{ channel: 'email', endpoint: address }];
    const externalUserId = pick(this.#rng, externals);
    const subscriber = { externalUserId, devices };
    const { ok } = await this.#ask('subscriber.upsert', { subscriber, consent });
    if (ok) this.#brought(address, consent);
  }

  async #import(address: string, consent: Consent = 'confirmed'): Promise<void> {
    const devices = [{ channel: 'email', endpoint: address } as const];
    const rows = [{ externalUserId: pick(this.#rng, externals), devices }];
    const slice = { ...packRows(rows, 1), consent };
    const { value }: { value: ImportReply } = await this.#ask('subscriber.import', slice);
    if (value.errors.length === 0) this.#brought(address, consent);
  }

  /** By the tenant, who may not know whether its owner wants messages. */
  #brought(address: string, consent: Consent): void {
    if (consent === 'confirmed') this.#states.set(address, 'other');
    else if (this.#state(address) === 'nobody') {
      this.#states.set(address, 'pending');
      this.#unasked.add(address);
    }
  }

  /** A trait replaces the address that came from it before. */
  async #identify(address: string): Promise<void> {
    const call = { kind: 'identify', index: 0, userId: pick(this.#rng, externals), traits: {} };
    const calls = [{ ...call, contact: { email: address } }];
    await this.#ask('cdp.put', { secretHash, settings: { consent: 'doubleOptIn' } });
    const { ok } = await this.#ask('cdp.take', { secretHash, calls });
    if (ok) this.#brought(address, 'doubleOptIn');
    for (const one of addresses)
      if ((await this.#holder(one)) === undefined) this.#states.delete(one);
  }

  async #register(address: string): Promise<void> {
    const clientToken = pickOf(this.#rng, this.#tokens);
    if (clientToken === undefined) return;
    const device = { channel: 'email', endpoint: address, enabled: true };
    const { ok } = await this.#ask('sdk.register', { clientToken, device });
    if (ok && this.#state(address) === 'nobody') this.#states.set(address, 'other');
  }

  async #byKey(address: string, enabled: boolean): Promise<void> {
    const person = await this.#holder(address);
    const device = person?.devices.find((one) => sameAddress(one, address));
    if (person === undefined || device === undefined) return;
    const ref = { id: person.id };
    await this.#ask('device.enable', { ref, deviceId: device.id, enabled });
    this.#states.set(address, 'other');
  }

  async #remove(address: string): Promise<void> {
    const person = await this.#holder(address);
    const device = person?.devices.find((one) => sameAddress(one, address));
    if (person === undefined || device === undefined) return;
    await this.#ask('device.remove', { ref: { id: person.id }, deviceId: device.id });
    this.#states.delete(address);
  }

  async #suppress(address: string, source: 'api' | 'unsubscribe'): Promise<void> {
    await this.#ask('suppression.add', { channel: 'email', address, source });
    if (source === 'api') this.#tenantOut.add(address);
  }

  async #unsuppress(address: string): Promise<void> {
    const { ok } = await this.#ask('suppression.remove', { channel: 'email', address });
    if (ok) this.#tenantOut.delete(address);
  }

  async #send(address: string): Promise<void> {
    const person = await this.#holder(address);
    const to = person === undefined ? { externalUserId: 'x' } : { id: person.id };
    const request = { to, title: 'Receipt', body: 'Hi', channels: ['email'] };
    await this.#ask('transactional.accept', { request, claim: null });
  }

  async #erase(address: string): Promise<void> {
    const person = await this.#holder(address);
    if (person === undefined) return;
    for (const one of addresses)
      if (person.devices.some((device) => sameAddress(device, one))) this.#states.delete(one);
    await this.#ask('subscriber.erase', { ref: { id: person.id } });
  }

  /** The provider refuses for an hour; what waits goes out afterwards, or not. */
  async #outage(): Promise<void> {
    this.#scene.answers = () => ({ outcome: 'retry', reason: 'http_503' });
    const address = pick(this.#rng, addresses);
    await this.#signUp(address);
    await this.#send(address);
    await this.#scene.run();
    // What was tried was no mail that arrived, and is tried again under its own number.
    this.#checked = this.#scene.sent.length;
    this.#scene.answers = accept;
  }

  async #backup(): Promise<void> {
    await this.#scene.run();
    this.#past = {
      states: new Map(this.#states),
      tenantOut: new Set(this.#tenantOut),
      mails: [...this.#mails],
      store: copyOf(this.#scene.one.store),
    };
  }

  async #restore(): Promise<void> {
    const past = this.#past;
    if (past === undefined) return;
    seen.restored++;
    this.#past = undefined;
    const restored = { epoch: ++this.#epoch, resend: 'none' as const, erased: () => [] };
    this.#states = past.states;
    this.#tenantOut = past.tenantOut;
    // Mails that were sent since count for no limit any more.
    this.#mails = [...past.mails];
    await this.#scene.crash({ store: past.store, restored });
  }

  async #holder(address: string): Promise<SubscriberView | undefined> {
    const found: { value: Page<SubscriberView> } = await this.#ask('subscriber.list', {
      address,
      limit: 2,
    });
    return found.value.items[0];
  }
}

function sameAddress({ endpoint }: { readonly endpoint: unknown }, address: string): boolean {
  return String(endpoint).toLowerCase() === address.toLowerCase();
}

function linkIn({ content }: Attempt): ConfirmLink | undefined {
  const token = /\/confirm\/([\w-]+)/.exec(content.body)?.[1];
  return token === undefined ? undefined : openConfirm(sealer, token);
}

function pickOf<T>(rng: Rng, list: readonly T[]): T | undefined {
  return list.length === 0 ? undefined : list[below(rng, list.length)];
}

/** The same on another disk. */
export function copyOf(store: MemoryStore): MemoryStore {
  const copy = new MemoryStore({ settle: 'manual' });
  for (const { seq, block } of store.blocks(1, Number.MAX_SAFE_INTEGER)) {
    const documents = seq === store.durableSeq ? rowsOf(store) : [];
    copy.commit({ seq, block, documents }, () => undefined);
    copy.settleNext();
  }
  return copy.crash(0, {});
}

function rowsOf(store: MemoryStore): { key: Uint8Array; value: Uint8Array }[] {
  const end = new Uint8Array(512).fill(0xff);
  return store.range({ start: new Uint8Array(0), end }).map(({ key, value }) => ({ key, value }));
}
