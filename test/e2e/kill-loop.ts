// Kills the whole server over and over under load and then compares what it kept with what it acknowledged: no
// acknowledged write may be missing, nothing may be there twice, and a provider may be called twice only for what was
// in flight at a kill. Providers stand in this process, so they remember across kills.
// Clients do what a careful client does: a call without an answer is made again, the same, until it has one.

import { generateKeyPairSync } from 'node:crypto';
import type { Test } from 'tap';
import { below, type Rng, seededRng } from '../../engine/base/rng.ts';
import { limits } from '../../actors/limits.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { sandboxSubscription } from '../../sandbox/webpush-keys.ts';
import {
  type Client,
  client,
  makeOrg,
  type RunningServer,
  startServer,
  until,
} from '../support/server.ts';

/** What a loop does. */
export interface KillLoop {
  /** At least so many. */
  readonly kills: number;
  readonly seed: number;
  /** Clients that call at once. */
  readonly clients?: number;
}

/** What a loop did and found. Every list must be empty and `lost` 0. */
export interface KillReport {
  readonly kills: number;
  readonly people: number;
  readonly sends: number;
  readonly events: number;
  readonly optOuts: number;
  /** Calls that a kill left without an answer and that were made again. */
  readonly repeated: number;
  /** Dead letters of sends that eight kills interrupted; they must land when they are sent again. */
  readonly redriven: number;
  /** Calls to a provider that were accepted a second time, every one of a send in flight at a kill. */
  readonly duplicates: number;
  readonly problems: readonly string[];
}

const clientsDefault = 8;
/** From a provider's acceptance until the report of it is committed, on a machine that is busy with other tests. */
const inFlightMs = 3_000;
/** Statuses of a server that is not up, or too busy: nothing was done, the call may be made again. */
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

interface Send {
  readonly key: string;
  readonly body: object;
  readonly id: string;
  /** How many devices it goes to. */
  readonly devices: number;
  /** Whether the mail must be suppressed: it was sent after its address had opted out. */
  readonly afterOptOut: boolean;
}

/** Kills and verifies. The server and the stand-ins end with the test. */
export async function killLoop(t: Test, options: KillLoop): Promise<KillReport> {
  const sandbox = await startSandbox({ port: 0 });
  t.teardown(() => sandbox.close());
  const server = await startServer(t, { environment: environmentOf(sandbox) });
  const org = await makeOrg(server, 'Torture', {
    rateLimits: { transactional: null, standard: null },
    dailySendCap: null,
    emailAllowance: null,
  });
  const app = (await org.client.must('POST /v1/apps', { name: 'Torture' })).id as string;
  const base = `/v1/apps/${app}`;
  await org.client.must(`PATCH ${base}/settings`, { email: { fromAddress: 'torture@example.com' } });
  await org.client.must(`POST ${base}/credentials/fcm`, serviceAccount());

  const rng = seededRng(options.seed);
  const load = new Load(server, org.client, base, app, sandbox.url);
  const working = Array.from({ length: options.clients ?? clientsDefault }, (_, index) =>
    load.run(index, seededRng(options.seed + index + 1)),
  );
  const problems = load.problems;
  const killed: number[] = [];
  const watch = new Duplicates(client(sandbox.url), killed, problems);
  try {
    for (let turn = 0; killed.length < options.kills; turn++) {
      await pause(50 + below(rng, 451));
      await strike(server, turn, rng, killed);
      await sample(load, rng);
      await watch.look();
    }
  } finally {
    load.stop();
    await Promise.all(working);
  }
  await verify(load, client(sandbox.url), problems);
  await watch.look();
  return {
    kills: killed.length,
    people: load.people.length,
    sends: load.sends.length,
    events: load.events.length,
    optOuts: load.people.filter(({ optedOut }) => optedOut).length,
    repeated: load.repeated,
    redriven: load.redriven,
    duplicates: watch.count,
    problems,
  };
}

/** Live mode: a sandbox of the server's own would forget with it whom it had been called for. */
function environmentOf({ smtpUrl, providerUrls }: Sandbox): Record<string, string> {
  return {
    ENGAGE_MODE: 'live',
    ENGAGE_SMTP_URL: smtpUrl,
    ENGAGE_FCM_URL: providerUrls['FCM'] ?? '',
    ENGAGE_GOOGLE_TOKEN_URL: providerUrls['GOOGLE_TOKEN'] ?? '',
    ENGAGE_ALLOW_PRIVATE_NETWORKS: '1',
    ENGAGE_LOG_LEVEL: 'error',
  };
}

function serviceAccount(): object {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    project_id: 'torture',
    client_email: 'sender@torture.iam.example.com',
    private_key: privateKey,
  };
}

/** By turns: a kill of the engine, which its primary starts again; of everything; of everything, twice. */
async function strike(
  server: RunningServer,
  turn: number,
  rng: Rng,
  killed: number[],
): Promise<void> {
  if (turn % 3 === 0) {
    const engine = server.enginePid();
    killed.push(Date.now());
    process.kill(engine, 'SIGKILL');
    await server.ready(engine);
    return;
  }
  killed.push(Date.now());
  await server.kill('SIGKILL');
  server.launch();
  if (turn % 3 === 2) {
    // Again, in the middle of the start, where recovery itself writes.
    await pause(100 + below(rng, 1_500));
    killed.push(Date.now());
    await server.kill('SIGKILL');
    server.launch();
  }
  await server.ready();
}

/** Clients that write without pause and remember what was acknowledged. */
class Load {
  readonly people: Person[] = [];
  readonly sends: Send[] = [];
  /** Ids of acknowledged events. */
  readonly events: string[] = [];
  readonly problems: string[] = [];
  repeated = 0;
  redriven = 0;
  readonly server: RunningServer;
  readonly base: string;
  readonly #client: Client;
  readonly #app: string;
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
    this.#app = app;
    this.#sandboxUrl = sandboxUrl;
  }

  stop(): void {
    this.#stopping = true;
  }

  /** One client: its own people, so that what it was told last is what must be there. */
  async run(index: number, rng: Rng): Promise<void> {
    const mine: Person[] = [];
    for (let n = 0; !this.#stopping; n++) {
      const person = mine[below(rng, Math.max(1, mine.length))];
      const dice = below(rng, 100);
      if (person === undefined || dice < 25) mine.push(await this.#create(`c${index}-${n}`, rng));
      else if (dice < 40) await this.#change(person);
      else if (dice < 65) await this.#send(person, `k${index}-${n}`);
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
    const person: Person = { externalUserId, id: json.id, devices: devices.length, n: 0, optedOut: false };
    this.people.push(person);
    return person;
  }

  async #change(person: Person): Promise<void> {
    const n = person.n + 1;
    await this.ask(`PATCH ${this.base}/subscribers/${person.id}`, { tags: { n } });
    person.n = n;
  }

  async #send(person: Person, key: string): Promise<void> {
    const afterOptOut = person.optedOut;
    const body = { subscriberId: person.id, title: key, body: `For ${person.externalUserId}` };
    const { json } = await this.ask(`POST ${this.base}/notifications`, body, {
      'idempotency-key': key,
    });
    this.sends.push({ key, body, id: json.id, devices: person.devices, afterOptOut });
  }

  async #track(people: readonly Person[], id: string, rng: Rng): Promise<void> {
    const count = 1 + below(rng, 12);
    const events = Array.from({ length: count }, (_, i) => ({
      name: 'tortured',
      subscriberId: people[below(rng, people.length)]?.id,
      id: `${id}-${i}`,
    }));
    const { json } = await this.ask('POST /e', { appId: this.#app, events });
    if (json.accepted !== count) this.problems.push(`${id}: ${JSON.stringify(json)}`);
    for (const event of events) this.events.push(event.id);
  }

  async #optOut(person: Person, key: string): Promise<void> {
    const address = `${person.externalUserId}@example.com`;
    await this.ask(`POST ${this.base}/suppressions`, { channel: 'email', address });
    person.optedOut = true;
    await this.#send(person, `${key}-after`);
  }

  /** Calls until there is an answer that is final. */
  async ask(line: string, body?: object, headers?: Record<string, string>) {
    for (;;) {
      try {
        const reply = await this.#client.call(line, body, headers);
        if (!again.has(reply.status)) {
          if (reply.status >= 300) this.problems.push(`${line}: ${reply.status} ${reply.text}`);
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

/** After a start: some of what was acknowledged, the newest first in doubt. */
async function sample(load: Load, rng: Rng): Promise<void> {
  const { problems, base } = load;
  const newest = load.people.slice(-5);
  const anybody = load.people[below(rng, Math.max(1, load.people.length))];
  for (const person of [...newest, ...(anybody === undefined ? [] : [anybody])]) {
    const n = person.n;
    const { status, json } = await load.ask(`GET ${base}/subscribers/${person.id}`);
    if (status !== 200 || json.externalUserId !== person.externalUserId || json.tags.n < n) {
      problems.push(`after a start, ${person.externalUserId} with n ${n} reads ${JSON.stringify(json)}`);
    }
  }
  for (const { key, body, id } of load.sends.slice(-5)) {
    const replay = await load.ask(`POST ${base}/notifications`, body, { 'idempotency-key': key });
    if (replay.json.id !== id) problems.push(`after a start, ${key} gives ${replay.json.id}, not ${id}`);
  }
}

/** At the end: everything. */
async function verify(load: Load, sandbox: Client, problems: string[]): Promise<void> {
  await verifyPeople(load, problems);
  await verifyEvents(load, problems);
  const pairs = await verifySends(load, sandbox, problems);
  const { sends } = await sandbox.must('GET /control/stats');
  // More would be a send that nobody was told of.
  if (sends.pairs !== pairs) problems.push(`providers took ${sends.pairs} messages, not ${pairs}`);
}

async function verifyPeople(load: Load, problems: string[]): Promise<void> {
  const rows = await pages(load, `${load.base}/subscribers?limit=200`);
  const byName = new Map(rows.map((row) => [row.externalUserId, row]));
  if (byName.size !== rows.length) problems.push(`${rows.length - byName.size} people are there twice`);
  if (rows.length !== load.people.length) {
    problems.push(`there are ${rows.length} people, not ${load.people.length}`);
  }
  for (const { externalUserId, id, n } of load.people) {
    const row = byName.get(externalUserId);
    if (row?.id !== id || row.tags.n !== n) {
      problems.push(`${externalUserId} with n ${n} reads ${JSON.stringify(row)}`);
    }
  }
  const suppressions = await pages(load, `${load.base}/suppressions?limit=200`);
  const silenced = new Set(suppressions.map(({ address }) => address));
  const wanted = load.people.filter(({ optedOut }) => optedOut);
  if (silenced.size !== wanted.length) {
    problems.push(`there are ${silenced.size} opt-outs, not ${wanted.length}`);
  }
  for (const { externalUserId } of wanted) {
    if (!silenced.has(`${externalUserId}@example.com`)) problems.push(`${externalUserId}'s opt-out is lost`);
  }
}

async function verifyEvents(load: Load, problems: string[]): Promise<void> {
  const rows = await pages(load, `${load.base}/events?name=tortured&limit=200`);
  const seen = new Map<string, number>();
  for (const row of rows) seen.set(row.id, (seen.get(row.id) ?? 0) + 1);
  const lost = load.events.filter((id) => !seen.has(id));
  const twice = load.events.filter((id) => (seen.get(id) ?? 0) > 1);
  if (lost.length > 0) problems.push(`${lost.length} events are lost: ${lost.slice(0, 5).join(', ')}`);
  if (twice.length > 0) problems.push(`${twice.length} events are there twice: ${twice.slice(0, 5).join(', ')}`);
  if (rows.length !== load.events.length) {
    problems.push(`there are ${rows.length} events, not ${load.events.length}`);
  }
}

/** Checks every send and its key; returns how many messages of theirs the providers took. */
async function verifySends(load: Load, sandbox: Client, problems: string[]): Promise<number> {
  const ids = new Set(load.sends.map(({ id }) => id));
  if (ids.size !== load.sends.length) problems.push('two keys have one send');
  await inTurns(load.sends, async (send) => {
    await whenDone(load, send, ({ outcomes }) => outcomes.length >= send.devices);
  });
  await redrive(load, problems);
  let pairs = 0;
  await inTurns(load.sends, async ({ key, body, id, devices: wanted, afterOptOut }) => {
    const { json } = await load.ask(`GET ${load.base}/notifications/${id}`);
    const { devices } = await sandbox.must(`GET /control/stats?sendId=${id}`);
    pairs += devices.length;
    const last = new Map<string, Row>(json.outcomes.map((one: Row) => [one.deviceId, one]));
    if (last.size !== wanted) problems.push(`${key} has receipts of ${last.size} devices, not ${wanted}`);
    for (const [deviceId, { channel, status, reason }] of last) {
      const taken = devices.some((device: { deviceId: string }) => device.deviceId === deviceId);
      const silenced = channel === 'email' && status === 'suppressed' && reason === 'opt_out';
      // What was on its way at a kill may have arrived, and its second try be suppressed by an opt-out since.
      const fine =
        channel === 'email' && afterOptOut
          ? silenced && !taken
          : silenced || (taken && status === 'delivered');
      if (!fine) problems.push(`${key} on ${channel} is ${status}, ${reason ?? ''}; taken: ${taken}`);
    }
    const replay = await load.ask(`POST ${load.base}/notifications`, body, { 'idempotency-key': key });
    if (replay.json.id !== id || replay.headers['x-idempotent-replay'] !== 'true') {
      problems.push(`the key ${key} gives ${replay.json.id}, not ${id}`);
    }
  });
  return pairs;
}

/** A send that was under way at eight kills has used up its tries: a dead letter, which the operator sends again. */
async function redrive(load: Load, problems: string[]): Promise<void> {
  const letters = await pages(load, `${load.base}/dead-letters?limit=200`);
  for (const { reason, attempts, sendId } of letters) {
    if (reason === 'interrupted' && attempts === limits.attemptsMax) continue;
    problems.push(`${sendId} is a dead letter after ${attempts} tries: ${reason}`);
  }
  load.redriven = letters.length;
  if (letters.length === 0) return;
  const { json } = await load.ask(`POST ${load.base}/dead-letters/redrive`, { all: true });
  if (json.redriven !== letters.length) problems.push(`${json.redriven} of ${letters.length} redriven`);
  const sends = load.sends.filter(({ id }) => letters.some(({ sendId }) => sendId === id));
  await inTurns(sends, (send) => whenDone(load, send, ({ failures }) => failures.open === 0));
}

async function whenDone(load: Load, { id, key }: Send, done: (send: Row) => boolean): Promise<void> {
  let send: Row;
  await until(
    async () => {
      if (load.server.ended()) throw new Error('the server has ended');
      send = (await load.ask(`GET ${load.base}/notifications/${id}`)).json;
      return done(send);
    },
    () => `${key} is acknowledged and not done: ${JSON.stringify(send)}`,
    180_000, // the eighth try may wait for 128 s
  );
}

/** Watches for messages that a provider took twice. */
class Duplicates {
  count = 0;
  readonly #sandbox: Client;
  readonly #killed: readonly number[];
  readonly #problems: string[];
  readonly #known = new Set<string>();

  constructor(sandbox: Client, killed: readonly number[], problems: string[]) {
    this.#sandbox = sandbox;
    this.#killed = killed;
    this.#problems = problems;
  }

  /** Judges those that are new: the first copy must lie shortly before a kill, and the next one after it. */
  async look(): Promise<void> {
    const { sends } = await this.#sandbox.must('GET /control/stats');
    this.count = sends.acceptedAgain;
    for (const { sendId, deviceId } of sends.duplicates) {
      if (this.#known.has(`${sendId} ${deviceId}`)) continue;
      this.#known.add(`${sendId} ${deviceId}`);
      const { messages } = await this.#sandbox.must(`GET /control/messages?sendId=${sendId}`);
      const times: number[] = messages
        .filter((one: { deviceId: string; outcome: string }) => one.deviceId === deviceId && one.outcome === 'accepted')
        .map(({ at }: { at: string }) => Date.parse(at))
        .sort((a: number, b: number) => a - b);
      for (const [index, at] of times.entries()) {
        const next = times[index + 1];
        if (next === undefined) break;
        const excused = this.#killed.some((kill) => at > kill - inFlightMs && at < kill + 200 && next > kill);
        if (!excused) this.#problems.push(`${sendId} was taken twice without a kill: ${times.join(', ')}`);
      }
    }
  }
}

// Rows of any list: what is read is then compared.
type Row = Awaited<ReturnType<Client['must']>>;

async function pages(load: Load, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await load.ask(`GET ${path}${more}`);
    rows.push(...json.items);
    if (json.nextCursor === cursor) throw new Error(`the cursor of ${path} stands still at ${cursor}`);
    cursor = json.nextCursor;
  }
  return rows;
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, one));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
