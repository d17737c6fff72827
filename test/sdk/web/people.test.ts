// Who did what, after any history of a device: logins, logouts, events, pages that end at any
// moment, and a network that fails, against a real server.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { EngageCore } from '../../../sdk/web/src/core.ts';
import { coreModules } from '../../../sdk/web/src/core-modules.ts';
import { type Client, makeOrg, sharedServer } from '../../support/server.ts';
import { tries } from '../../support/tries.ts';
import { type Network, StandInDevice, type StandInPage } from './support/stand-in-device.ts';

const modes = ['required', 'first-use', 'open'] as const;
type Mode = (typeof modes)[number];

type Act =
  | { readonly kind: 'track' }
  | { readonly kind: 'login'; readonly who: 'ada' | 'ben' }
  | { readonly kind: 'login of a known person without a hash' }
  | { readonly kind: 'logout' }
  | { readonly kind: 'flush' }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'crash'; readonly afterSteps: number }
  | { readonly kind: 'close' }
  | { readonly kind: 'second tab' }
  | { readonly kind: 'network'; readonly network: Network };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'track' as const }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('ada' as const, 'ben' as const)
      .map((who) => ({ kind: 'login' as const, who })),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ kind: 'login of a known person without a hash' as const }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'logout' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'flush' as const }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(50, 1_000, 40_000).map((ms) => ({ kind: 'pass' as const, ms })),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 0, max: 25 }).map((afterSteps) => ({
      kind: 'crash' as const,
      afterSteps,
    })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'second tab' as const }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<Network>('up', 'up', 'down', 'loses answers', 'busy')
      .map((network) => ({ kind: 'network' as const, network })),
  },
);

/** Those who used the device one after the other, by what was asked of it. */
interface Expected {
  externalUserId: string | undefined;
  readonly events: string[];
}

interface World {
  readonly mode: Mode;
  readonly url: string;
  readonly appId: string;
  readonly secret: string;
  readonly client: Client;
  readonly device: StandInDevice;
}

class History {
  readonly expected: Expected[] = [{ externalUserId: undefined, events: [] }];
  readonly errors: string[] = [];
  readonly #world: World;
  #page: StandInPage;
  #engage: EngageCore;
  /** Who claimed an id before, so that another claim needs proof. */
  readonly #claimed = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    [this.#page, this.#engage] = this.#opened();
  }

  #opened(): [StandInPage, EngageCore] {
    const { device, appId, url } = this.#world;
    const page = device.open();
    const engage = new EngageCore(page.platform, coreModules);
    engage.on('error', ({ code, message }) => this.errors.push(`${code}: ${message}`));
    void engage.init({ appId, baseUrl: url });
    return [page, engage];
  }

  get #current(): Expected {
    return this.expected.at(-1) as Expected;
  }

  async do(act: Act): Promise<void> {
    const { device } = this.#world;
    switch (act.kind) {
      case 'track': {
        this.#current.events.push(await this.#engage.track('step'));
        return;
      }
      case 'login':
        return this.#login(act.who);
      case 'login of a known person without a hash':
        return this.#loginAsOther();
      case 'logout':
        await this.#engage.logout();
        if (this.#current.externalUserId !== undefined)
          this.expected.push({ externalUserId: undefined, events: [] });
        return;
      case 'flush':
        await this.#engage.flush();
        return;
      case 'pass':
        device.pass(act.ms);
        return;
      case 'crash':
        this.#page.crashAfter(act.afterSteps);
        await Promise.race([this.#engage.flush(), this.#page.died]);
        this.#page.crash();
        [this.#page, this.#engage] = this.#opened();
        return;
      case 'close':
        this.#page.hide();
        this.#page.crash();
        [this.#page, this.#engage] = this.#opened();
        return;
      case 'second tab':
        // The first one stays open behind it.
        [this.#page, this.#engage] = this.#opened();
        return;
      case 'network':
        device.network = act.network;
        if (act.network === 'up') this.#page.comeOnline();
        return;
    }
  }

  async #login(who: string): Promise<void> {
    const { secret, mode } = this.#world;
    const identityHash = createHmac('sha256', secret).update(who).digest('hex');
    const isFree = mode === 'open' || (mode === 'first-use' && !this.#claimed.has(who));
    this.#claimed.add(who);
    // It ends when the server answers, maybe on a later page; what was asked is stored at once.
    this.#engage.login(who, isFree ? {} : { identityHash }).catch(() => undefined);
    await this.#engage.track('mark');
    if ((this.#current.externalUserId ?? who) !== who)
      this.expected.push({ externalUserId: who, events: [] });
    else this.#current.externalUserId = who;
  }

  /** Refused unless the app is open to everybody. */
  async #loginAsOther(): Promise<void> {
    const { device, mode } = this.#world;
    if (device.network !== 'up' || mode === 'open' || this.#current.externalUserId) return;
    let what: string | undefined;
    this.#engage.login('known').then(
      () => (what = 'logged in'),
      (error: { code?: string }) => (what = error.code),
    );
    for (let turn = 0; turn < 10 && what === undefined; turn++) {
      device.pass(310_000);
      await this.#engage.flush();
    }
    if (what !== 'identity_required') throw new Error(`somebody else's id: ${what}`);
  }

  /** The network is back, and the person opens the page once more. */
  async end(): Promise<void> {
    const { device } = this.#world;
    device.network = 'up';
    this.#page.crash();
    [this.#page, this.#engage] = this.#opened();
    for (let turn = 0; turn < 50 && (device.waiting > 0 || turn < 2); turn++) {
      device.pass(310_000);
      await this.#engage.flush();
    }
  }
}

interface StoredEvent {
  readonly id: string;
  readonly subscriberId: string;
  readonly externalUserId: string | null;
}

async function storedEvents({ client, appId }: World): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = [];
  let cursor = '';
  do {
    const path = `/v1/apps/${appId}/events?name=step&limit=200${cursor}`;
    const { items, nextCursor } = await client.must(`GET ${path}`);
    all.push(...items);
    cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
  } while (cursor !== '');
  return all;
}

/** What is wrong, in words; empty if nothing is. */
function faultsOf(expected: readonly Expected[], stored: readonly StoredEvent[]): string[] {
  const faults: string[] = [];
  const byId = new Map<string, StoredEvent[]>();
  for (const event of stored) byId.set(event.id, [...(byId.get(event.id) ?? []), event]);
  const anonymous = new Set<string>();
  for (const { externalUserId, events } of expected) {
    const owners = new Set<string>();
    for (const id of events) {
      const found = byId.get(id) ?? [];
      if (found.length !== 1) faults.push(`event ${id} is there ${found.length} times`);
      for (const event of found) {
        owners.add(event.subscriberId);
        if ((event.externalUserId ?? undefined) !== externalUserId)
          faults.push(`an event of ${externalUserId} is one of ${event.externalUserId}`);
      }
    }
    if (owners.size > 1) faults.push(`events of one person belong to ${owners.size}`);
    const [owner] = owners;
    if (externalUserId !== undefined || owner === undefined) continue;
    if (anonymous.has(owner)) faults.push('two anonymous people are one');
    anonymous.add(owner);
  }
  return faults;
}

async function appFor(client: Client, mode: Mode) {
  const { id: appId } = await client.must('POST /v1/apps', { name: 'shop', timezone: 'UTC' });
  const { secret } = await client.must(`POST /v1/apps/${appId}/identity-secret`);
  await client.must(`PATCH /v1/apps/${appId}/settings`, { identityVerification: mode });
  await client.must(`POST /v1/apps/${appId}/subscribers`, { externalUserId: 'known' });
  return { appId, secret };
}

for (const mode of modes)
  t.test(`${mode}: nobody is mixed up, no event is lost, and none counts twice`, async (t) => {
    const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
    const { client } = await makeOrg(server, `people ${mode}`);
    const histories = fc.array(act, { minLength: 4, maxLength: 25 });
    const property = fc.asyncProperty(histories, fc.nat(), async (acts, seed) => {
      const { appId, secret } = await appFor(client, mode);
      let drawn = seed;
      const device = new StandInDevice(() => {
        drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648;
        return drawn / 2_147_483_648;
      });
      const world: World = { mode, url: server.url, appId, secret, client, device };
      const history = new History(world);
      for (const one of acts) await history.do(one);
      await history.end();
      const stored = await storedEvents(world);
      const faults = faultsOf(history.expected, stored);
      if (device.waiting > 0) faults.push(`${device.waiting} events still wait`);
      if (faults.length > 0) throw new Error([...faults, ...history.errors.slice(-5)].join('\n'));
    });
    await fc.assert(property, { numRuns: tries(100), endOnFailure: false });
  });
