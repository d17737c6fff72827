// Segments under the kill -9 test: one client changes people, events and filters beside the other
// load. After each start it counts its people over the API by hand and asks for the same counts,
// which must be equal. Event times lie hours from the edges of windows.

import type { Filter } from '../../actors/audiences/segments/filter.ts';
import { below, pick, type Rng } from '../../engine/base/rng.ts';
import { oracle, type RawPerson } from '../support/segment-oracle.ts';
import type { Load } from './kill-load.ts';

const peopleMax = 16;
const hourMs = 3_600_000;

interface Counted {
  readonly externalUserId: string;
  tier: string;
}

/** See the head of this file. */
export class Census {
  /** Counts that were compared. */
  compared = 0;
  /** Segments whose saving was acknowledged, with their filters as JSON. */
  readonly segments = new Map<string, string>();
  erased = 0;
  readonly #load: Load;
  readonly #rng: Rng;
  readonly #people = new Map<string, Counted>();
  /** Acknowledged events of the name that is tracked now: id to person. */
  #events = new Map<string, string>();
  #epoch = 0;
  #made = 0;
  #busy: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(load: Load, rng: Rng) {
    this.#load = load;
    this.#rng = rng;
  }

  /** Works until it is stopped; a comparison waits for the call that is under way. */
  async run(): Promise<void> {
    while (!this.#stopping) await this.#alone(() => this.#step());
  }

  stop(): void {
    this.#stopping = true;
  }

  /**
   * After a start: everything acknowledged is there, once, and the counts are those of a recount.
   */
  compare(): Promise<void> {
    return this.#alone(() => this.#compare());
  }

  #alone(work: () => Promise<void>): Promise<void> {
    this.#busy = this.#busy.then(work);
    return this.#busy;
  }

  async #step(): Promise<void> {
    const rng = this.#rng;
    const dice = below(rng, 100);
    const person = pick(rng, [...this.#people.values(), undefined]);
    if (this.#people.size < peopleMax && (person === undefined || dice < 15)) await this.#import();
    else if (person === undefined || dice < 75) await this.#track();
    else if (dice < 85) await this.#change(person);
    else if (dice < 92) await this.#save();
    else if (dice < 96) await this.#erase(person);
    else await this.#drop();
  }

  async #import(): Promise<void> {
    const rows = Array.from({ length: 1 + below(this.#rng, 4) }, () => this.#row());
    const { json } = await this.#load.ask('POST /v1/import/subscribers', {
      appId: this.#load.app,
      rows,
    });
    if (json.created + json.updated !== rows.length || json.failed !== 0)
      this.#problem(`an import of ${rows.length} came to ${JSON.stringify(json)}`);
    for (const { externalUserId, tags } of rows)
      this.#people.set(externalUserId, { externalUserId, tier: tags.tier });
  }

  #row() {
    const externalUserId = `census-${this.#made++}`;
    const tags = { census: true, tier: this.#tier() };
    const devices = [{ channel: 'email', endpoint: `${externalUserId}@example.com` }];
    return { externalUserId, tags, devices: below(this.#rng, 2) === 0 ? devices : [] };
  }

  async #change(person: Counted): Promise<void> {
    const tier = this.#tier();
    const { externalUserId } = person;
    await this.#load.ask(`POST ${this.#load.base}/subscribers`, { externalUserId, tags: { tier } });
    person.tier = tier;
  }

  async #erase({ externalUserId }: Counted): Promise<void> {
    // Gone already when the answer of an earlier try was lost.
    await this.#load.ask(
      `DELETE ${this.#load.base}/subscribers/external:${externalUserId}`,
      undefined,
      {},
      [404],
    );
    this.#people.delete(externalUserId);
    this.erased++;
    for (const [id, whose] of this.#events) if (whose === externalUserId) this.#events.delete(id);
  }

  async #track(): Promise<void> {
    const rng = this.#rng;
    const people = [...this.#people.keys()];
    if (people.length === 0) return;
    const now = Date.now();
    const events = Array.from({ length: 1 + below(rng, 6) }, () => ({
      name: this.#name,
      externalUserId: pick(rng, people),
      id: `census-event-${this.#made++}`,
      at: new Date(now - pick(rng, [0, 0, 12, 36, 84]) * hourMs).toISOString(),
    }));
    const { json } = await this.#load.ask('POST /e', { appId: this.#load.app, events });
    if (json.accepted !== events.length) this.#problem(`events: ${JSON.stringify(json)}`);
    for (const { id, externalUserId } of events) this.#events.set(id, externalUserId);
  }

  async #save(): Promise<void> {
    const filter = pick(this.#rng, this.#filters());
    const name = `census ${this.#made++}`;
    const { json } = await this.#load.ask(`POST ${this.#load.base}/segments`, { name, filter });
    this.segments.set(json.id, JSON.stringify(filter));
  }

  async #drop(): Promise<void> {
    const id = pick(this.#rng, [...this.segments.keys(), '']);
    if (id === '') return;
    await this.#load.ask(`DELETE ${this.#load.base}/segments/${id}`, undefined, {}, [404]);
    this.segments.delete(id);
  }

  async #compare(): Promise<void> {
    const { base } = this.#load;
    const ids = new Map<string, string>();
    const people = new Map<string, RawPerson>();
    for (const { externalUserId, tier } of this.#people.values()) {
      const { json } = await this.#load.ask(`GET ${base}/subscribers/external:${externalUserId}`);
      if (json.tags?.tier !== tier)
        this.#problem(`${externalUserId} of tier ${tier} reads ${JSON.stringify(json)}`);
      ids.set(json.id, externalUserId);
      people.set(json.id, {
        createdMs: Date.parse(json.createdAt),
        tags: new Map(Object.entries(json.tags ?? {})) as RawPerson['tags'],
        reach: new Set(
          json.devices
            .filter(({ enabled }: { enabled: boolean }) => enabled)
            .map(({ channel }: { channel: string }) => channel),
        ),
        events: [],
        erased: false,
      });
    }
    const rows = await this.#load.pages(`${base}/events?name=${this.#name}&limit=200`);
    const seen = new Set<string>();
    for (const { id, subscriberId, at } of rows) {
      if (seen.has(id)) this.#problem(`${id} is there twice`);
      seen.add(id);
      const person = people.get(subscriberId);
      if (person === undefined) this.#problem(`${id} is of ${subscriberId}, who is nobody`);
      else
        (person.events as { name: string; atMs: number }[]).push({
          name: this.#name,
          atMs: Date.parse(at),
        });
    }
    for (const id of this.#events.keys()) if (!seen.has(id)) this.#problem(`${id} is lost`);
    if (seen.size !== this.#events.size)
      this.#problem(`there are ${seen.size} events ${this.#name}, not ${this.#events.size}`);
    const asked: [string, Filter, () => Promise<{ readonly json: { readonly count: number } }>][] =
      [];
    for (const filter of this.#filters())
      asked.push([
        'preview',
        filter,
        () => this.#load.ask(`POST ${base}/segments/preview`, { filter }),
      ]);
    for (const [id, text] of [...this.segments].slice(-4)) {
      // Older ones are about events of before, which were compared then.
      if (text.includes('"event"') && !text.includes(`"${this.#name}"`)) continue;
      asked.push([id, JSON.parse(text), () => this.#load.ask(`GET ${base}/segments/${id}/count`)]);
    }
    for (const [what, filter, ask] of asked) {
      const { json } = await ask();
      const now = Date.now();
      const recount = [...people.values()].filter((one) => oracle(filter, one, now)).length;
      if (json.count !== recount)
        this.#problem(
          `${what} ${JSON.stringify(filter)} counts ${json.count}, a recount ${recount}`,
        );
      this.compared++;
    }
    const list = await this.#load.pages(`${base}/segments?limit=200`);
    const saved = new Map<string, string>(
      list.map(({ id, filter }) => [id, JSON.stringify(filter)]),
    );
    for (const [id, filter] of this.segments)
      if (saved.get(id) !== filter) this.#problem(`segment ${id} is ${saved.get(id)}`);
    // A new name, so that what is read back stays short.
    this.#epoch++;
    this.#events = new Map();
  }

  /** Filters that only people of the census match. */
  #filters(): Filter[] {
    const event = this.#name;
    const mine = { tag: 'census', eq: true } as const;
    return [
      { all: [mine, { tag: 'tier', in: ['gold', 'silver'] }] },
      { all: [mine, { channel: 'email', exists: false }] },
      { all: [mine, { event, withinDays: 1 }] },
      { all: [mine, { event, withinDays: 2, atLeast: 2 }] },
      { all: [mine, { event, withinDays: 30, atLeast: 3 }, { tag: 'tier', ne: 'gold' }] },
      {
        all: [
          mine,
          {
            any: [
              { event, notWithinDays: 2 },
              { event, withinDays: 7, atLeast: 4 },
            ],
          },
        ],
      },
    ];
  }

  get #name(): string {
    return `counted-${this.#epoch}`;
  }

  #tier(): string {
    return pick(this.#rng, ['gold', 'silver', 'tin']);
  }

  #problem(text: string): void {
    this.#load.problems.push(`census: ${text}`);
  }
}
