// The clients of the kill -9 test. Each does what a careful client does: a call without an answer
// is made again, the same, until it has one; and it remembers what was acknowledged. Each has its
// own people, so what it was told last must hold.

import { below, type Rng } from '../../engine/base/rng.ts';
import { sandboxSubscription } from '../../sandbox/webpush/webpush-keys.ts';
import type { Client, RunningServer } from '../support/server.ts';

/**
 * Statuses of a server that is not up, or too busy: nothing was done, the call may be made again.
 */
const again = new Set([429, 503]);

/** A person as the clients know them. */
interface Person {
  readonly externalUserId: string;
  readonly id: string;
  readonly devices: number;
  /** The last value that was acknowledged for the tag `n`. */
  n: number;
  optedOut: boolean;
}

/** An acknowledged send, of a call of its own or of a batch. */
export interface Send {
  readonly key: string;
  /** The call that gives it again under its key: of a batch, one with this recipient alone. */
  readonly line: string;
  readonly body: object;
  readonly id: string;
  /** How many devices it goes to. */
  readonly devices: number;
  /** Whether the mail must be suppressed: it was sent after its address had opted out. */
  readonly afterOptOut: boolean;
}

/** A batch whose every recipient was acknowledged. */
interface Batch {
  readonly key: string;
  readonly body: { readonly recipients: readonly object[] };
  /** In the order of the recipients. */
  readonly ids: readonly string[];
}

/** A row of any list: what is read is then compared. */
export type Row = Awaited<ReturnType<Client['must']>>;

/** What a call that is made again gives. */
interface Again {
  readonly id: string;
  readonly isReplay: boolean;
}

/** Clients that write without pause and remember what was acknowledged. */
export class Load {
  readonly people: Person[] = [];
  readonly sends: Send[] = [];
  readonly batches: Batch[] = [];
  /** Ids of acknowledged events. */
  readonly events: string[] = [];
  readonly problems: string[] = [];
  repeated = 0;
  redriven = 0;
  /** Clients rest once there are so many sends: a slow machine must not make the load larger. */
  sendsMax = Number.POSITIVE_INFINITY;
  readonly server: RunningServer;
  readonly base: string;
  /** The app's id. */
  readonly app: string;
  readonly #client: Client;
  readonly #sandboxUrl: string;
  #stopping = false;

  constructor(
    server: RunningServer,
    caller: Client,
    base: string,
    app: string,
    sandboxUrl: string,
  ) {
    this.server = server;
    this.base = base;
    this.#client = caller;
    this.app = app;
    this.#sandboxUrl = sandboxUrl;
  }

  stop(): void {
    this.#stopping = true;
  }

  /** One client: its own people, so that what it was told last is what must be there. */
  async run(index: number, rng: Rng): Promise<void> {
    const mine: Person[] = [];
    for (let n = 0; !this.#stopping; n++) {
      while (this.sends.length >= this.sendsMax && !this.#stopping) await pause(20);
      const person = mine[below(rng, Math.max(1, mine.length))];
      const dice = below(rng, 100);
      if (person === undefined || dice < 20) mine.push(await this.#create(`c${index}-${n}`, rng));
      else if (dice < 25) mine.push(...(await this.#import(`c${index}-${n}`, rng)));
      else if (dice < 40) await this.#change(person, rng);
      else if (dice < 46) await this.#send(person, `k${index}-${n}`);
      else if (dice < 50) await this.#sendMany(mine, `b${index}-${n}`, rng);
      else if (dice < 97) await this.#track(mine, `e${index}-${n}`, rng);
      else if (!person.optedOut) await this.#optOut(person, `k${index}-${n}`);
    }
  }

  async #create(externalUserId: string, rng: Rng): Promise<Person> {
    const devices: object[] = [{ channel: 'email', endpoint: `${externalUserId}@example.com` }];
    const kind = below(rng, 4);
    if (kind === 0) devices.push({ channel: 'fcm', endpoint: `token-of-${externalUserId}` });
    if (kind === 1) {
      const endpoint = sandboxSubscription(this.#sandboxUrl, externalUserId);
      devices.push({ channel: 'webpush', endpoint });
    }
    const body = { externalUserId, devices, tags: { n: 0 } };
    const { json } = await this.ask(`POST ${this.base}/subscribers`, body);
    const person: Person = {
      externalUserId,
      id: json.id,
      devices: devices.length,
      n: 0,
      optedOut: false,
    };
    this.people.push(person);
    return person;
  }

  /** A few people in one call, some of its rows those of an earlier one. */
  async #import(prefix: string, rng: Rng): Promise<Person[]> {
    const names = Array.from({ length: 1 + below(rng, 8) }, (_, i) => `${prefix}-${i}`);
    const rows = names.map((externalUserId) => ({
      externalUserId,
      tags: { n: 0 },
      devices: [{ channel: 'email', endpoint: `${externalUserId}@example.com` }],
    }));
    const body = { appId: this.app, rows };
    const { json } = await this.ask('POST /v1/import/subscribers', body);
    if (json.created + json.updated !== rows.length || json.failed !== 0)
      this.problems.push(`an import of ${rows.length} came to ${JSON.stringify(json)}`);
    const people: Person[] = [];
    for (const externalUserId of names) {
      const { json } = await this.ask(`GET ${this.base}/subscribers/external:${externalUserId}`);
      people.push({ externalUserId, id: json.id, devices: 1, n: 0, optedOut: false });
    }
    this.people.push(...people);
    return people;
  }

  async #change(person: Person, rng: Rng): Promise<void> {
    const n = person.n + 1;
    const { externalUserId, id } = person;
    if (below(rng, 2) === 0)
      await this.ask(`PATCH ${this.base}/subscribers/${id}`, { tags: { n } });
    else {
      const body = { externalUserId, tags: { n } };
      const { json } = await this.ask(`POST ${this.base}/subscribers`, body);
      if (json.id !== id) this.problems.push(`${externalUserId} was ${id} and is ${json.id}`);
    }
    person.n = n;
  }

  async #send(person: Person, key: string): Promise<void> {
    const afterOptOut = person.optedOut;
    const body = { subscriberId: person.id, title: key, body: `For ${person.externalUserId}` };
    const line = `POST ${this.base}/notifications`;
    const { json } = await this.ask(line, body, { 'idempotency-key': key });
    this.sends.push({ key, line, body, id: json.id, devices: person.devices, afterOptOut });
  }

  /** A batch to some of them, each once; whatever a kill does to the call, each is sent to once. */
  async #sendMany(people: readonly Person[], key: string, rng: Rng): Promise<void> {
    const first = below(rng, people.length);
    const some = people.slice(first, first + 1 + below(rng, 40));
    const line = `POST ${this.base}/notifications/batch`;
    const recipients = some.map((person) => ({
      subscriberId: person.id,
      variables: { name: person.externalUserId },
    }));
    const shared = { title: key, body: 'For {{ name }}' };
    const optedOut = some.map((person) => person.optedOut);
    const body = { ...shared, recipients };
    const { json } = await this.ask(line, body, { 'idempotency-key': key });
    if (json.rejected !== 0 || json.queued + json.replayed !== some.length)
      this.problems.push(`batch ${key} of ${some.length}: ${JSON.stringify(json).slice(0, 500)}`);
    const ids: string[] = json.results.map(({ id }: Row) => id);
    this.batches.push({ key, body, ids });
    some.forEach(({ devices }, i) => {
      const alone = { ...shared, recipients: recipients.slice(i, i + 1) };
      const afterOptOut = optedOut[i] === true;
      this.sends.push({ key, line, body: alone, id: ids[i] ?? '', devices, afterOptOut });
    });
  }

  /** Makes a send's call again; gives its id, and whether that was called a replay. */
  async again({ line, body, key }: Pick<Send, 'line' | 'body' | 'key'>): Promise<Again> {
    const { json, headers } = await this.ask(line, body, { 'idempotency-key': key });
    const [result] = json.results ?? [];
    return result === undefined
      ? { id: json.id, isReplay: headers['x-idempotent-replay'] === 'true' }
      : { id: result.id, isReplay: result.outcome === 'replayed' };
  }

  /** Makes a batch's call again in another order: what is wrong with its answer, if anything. */
  async againInReverse({ key, body, ids }: Batch): Promise<string | undefined> {
    const recipients = [...body.recipients].reverse();
    const line = `POST ${this.base}/notifications/batch`;
    const { json } = await this.ask(line, { ...body, recipients }, { 'idempotency-key': key });
    const told = json.results?.map(({ id }: Row) => id).reverse();
    return json.replayed === ids.length && JSON.stringify(told) === JSON.stringify(ids)
      ? undefined
      : `batch ${key} gives ${json.replayed} of ${ids.length}: ${JSON.stringify(json).slice(0, 500)}`;
  }

  async #track(people: readonly Person[], id: string, rng: Rng): Promise<void> {
    const count = 1 + below(rng, 12);
    const events = Array.from({ length: count }, (_, i) => ({
      name: 'tortured',
      subscriberId: people[below(rng, people.length)]?.id,
      id: `${id}-${i}`,
    }));
    const { json } = await this.ask('POST /e', { appId: this.app, events });
    if (json.accepted !== count) this.problems.push(`${id}: ${JSON.stringify(json)}`);
    for (const event of events) this.events.push(event.id);
  }

  async #optOut(person: Person, key: string): Promise<void> {
    const address = `${person.externalUserId}@example.com`;
    await this.ask(`POST ${this.base}/suppressions`, { channel: 'email', address });
    person.optedOut = true;
    await this.#send(person, `${key}-after`);
  }

  /** Every row of a list. */
  async pages(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await this.ask(`GET ${path}${more}`);
      rows.push(...json.items);
      if (json.nextCursor === cursor)
        throw new Error(`the cursor of ${path} stands still at ${cursor}`);
      cursor = json.nextCursor;
    }
    return rows;
  }

  /**
   * Calls until there is an answer that is final; `fine` are statuses above 299 that are no
   * problem.
   */
  async ask(
    line: string,
    body?: object,
    headers?: Record<string, string>,
    fine: readonly number[] = [],
  ) {
    for (;;) {
      try {
        const reply = await this.#client.call(line, body, headers);
        if (!again.has(reply.status)) {
          if (reply.status >= 300 && !fine.includes(reply.status))
            this.problems.push(`${line}: ${reply.status} ${reply.text}`);
          return reply;
        }
      } catch {
        // hung up on, or nobody listens: what became of the call is not known
      }
      this.repeated++;
      await pause(20);
    }
  }
}

/** Lets time pass. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
