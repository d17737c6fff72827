// What a server that was killed must still know, compared with what its clients were told: a sample
// after each start, and everything at the end. Problems are collected in words, so that one run
// tells all it found.

import { limits } from '../../actors/limits.ts';
import { below, type Rng } from '../../engine/base/rng.ts';
import { type Client, until } from '../support/server.ts';
import type { Load, Row, Send } from './kill-load.ts';

/**
 * From a provider's acceptance until the report of it is committed, on a machine that is busy with
 * other tests.
 */
const inFlightMs = 3_000;

/** After a start: some of what was acknowledged, the newest first in doubt. */
export async function sample(load: Load, rng: Rng): Promise<void> {
  const { problems, base } = load;
  const newest = load.people.slice(-5);
  const anybody = load.people[below(rng, Math.max(1, load.people.length))];
  for (const person of [...newest, ...(anybody === undefined ? [] : [anybody])]) {
    const n = person.n;
    const { status, json } = await load.ask(`GET ${base}/subscribers/${person.id}`);
    if (status !== 200 || json.externalUserId !== person.externalUserId || json.tags.n < n) {
      problems.push(
        `after a start, ${person.externalUserId} with n ${n} reads ${JSON.stringify(json)}`,
      );
    }
  }
  for (const send of load.sends.slice(-5)) {
    const { id } = await load.again(send);
    if (id !== send.id) problems.push(`after a start, ${send.key} gives ${id}, not ${send.id}`);
  }
  for (const batch of load.batches.slice(-2)) {
    const wrong = await load.againInReverse(batch);
    if (wrong !== undefined) problems.push(`after a start, ${wrong}`);
  }
}

/** At the end: everything. `ofCampaigns`: pairs of sends and devices that were no notifications. */
export async function verify(
  load: Load,
  sandbox: Client,
  ofCampaigns: number,
  problems: string[],
): Promise<void> {
  await verifyPeople(load, problems);
  await verifyEvents(load, problems);
  const pairs = await verifySends(load, sandbox, problems);
  const { sends } = await sandbox.must('GET /control/stats');
  if (sends.pairsForgotten > 0)
    problems.unshift(`the stand-ins forgot ${sends.pairsForgotten} of their calls: kill less`);
  // More would be a send that nobody was told of.
  if (sends.pairs !== pairs + ofCampaigns)
    problems.push(`providers took ${sends.pairs} messages, not ${pairs} and ${ofCampaigns}`);
}

async function verifyPeople(load: Load, problems: string[]): Promise<void> {
  const all = await load.pages(`${load.base}/subscribers?limit=200`);
  // Those of the census come and go, and are compared by it.
  const rows = all.filter(({ externalUserId }) => !externalUserId.startsWith('census-'));
  const byName = new Map(rows.map((row) => [row.externalUserId, row]));
  if (byName.size !== rows.length)
    problems.push(`${rows.length - byName.size} people are there twice`);
  if (rows.length !== load.people.length) {
    problems.push(`there are ${rows.length} people, not ${load.people.length}`);
  }
  for (const { externalUserId, id, n } of load.people) {
    const row = byName.get(externalUserId);
    if (row?.id !== id || row.tags.n !== n) {
      problems.push(`${externalUserId} with n ${n} reads ${JSON.stringify(row)}`);
    }
  }
  const suppressions = await load.pages(`${load.base}/suppressions?limit=200`);
  const silenced = new Set(suppressions.map(({ address }) => address));
  const wanted = load.people.filter(({ optedOut }) => optedOut);
  if (silenced.size !== wanted.length) {
    problems.push(`there are ${silenced.size} opt-outs, not ${wanted.length}`);
  }
  for (const { externalUserId } of wanted) {
    if (!silenced.has(`${externalUserId}@example.com`))
      problems.push(`${externalUserId}'s opt-out is lost`);
  }
}

async function verifyEvents(load: Load, problems: string[]): Promise<void> {
  const rows = await load.pages(`${load.base}/events?name=tortured&limit=200`);
  const seen = new Map<string, number>();
  for (const row of rows) seen.set(row.id, (seen.get(row.id) ?? 0) + 1);
  const lost = load.events.filter((id) => !seen.has(id));
  const twice = load.events.filter((id) => (seen.get(id) ?? 0) > 1);
  if (lost.length > 0)
    problems.push(`${lost.length} events are lost: ${lost.slice(0, 5).join(', ')}`);
  if (twice.length > 0)
    problems.push(`${twice.length} events are there twice: ${twice.slice(0, 5).join(', ')}`);
  if (rows.length !== load.events.length) {
    problems.push(`there are ${rows.length} events, not ${load.events.length}`);
  }
}

/** Checks every send and its key; returns how many messages of theirs the providers took. */
async function verifySends(load: Load, sandbox: Client, problems: string[]): Promise<number> {
  const ids = new Set(load.sends.map(({ id }) => id));
  if (ids.size !== load.sends.length) problems.push('two keys, or two of a batch, have one send');
  await inTurns(load.sends, async (send) => {
    await whenDone(load, send, ({ outcomes }) => outcomes.length >= send.devices);
  });
  await redrive(load, problems);
  let pairs = 0;
  await inTurns(load.sends, async (send) => {
    const { key, id, devices: wanted, afterOptOut } = send;
    const { json } = await load.ask(`GET ${load.base}/notifications/${id}`);
    const { devices } = await sandbox.must(`GET /control/stats?sendId=${id}`);
    pairs += devices.length;
    const last = new Map<string, Row>(json.outcomes.map((one: Row) => [one.deviceId, one]));
    if (last.size !== wanted)
      problems.push(`${key} has receipts of ${last.size} devices, not ${wanted}`);
    for (const [deviceId, { channel, status, reason }] of last) {
      const taken = devices.some((device: { deviceId: string }) => device.deviceId === deviceId);
      const silenced = channel === 'email' && status === 'suppressed' && reason === 'opt_out';
      // What was on its way at a kill may have arrived, and its second try be suppressed by an
      // opt-out since.
      const fine =
        channel === 'email' && afterOptOut
          ? silenced && !taken
          : silenced || (taken && status === 'delivered');
      if (!fine)
        problems.push(`${key} on ${channel} is ${status}, ${reason ?? ''}; taken: ${taken}`);
    }
    const replay = await load.again(send);
    if (replay.id !== id || !replay.isReplay)
      problems.push(`the key ${key} gives ${replay.id}, not ${id}`);
  });
  await inTurns(load.batches, async (batch) => {
    const wrong = await load.againInReverse(batch);
    if (wrong !== undefined) problems.push(wrong);
  });
  return pairs;
}

/**
 * A send that was under way at eight kills has used up its tries: a dead letter, which the operator
 * sends again.
 */
async function redrive(load: Load, problems: string[]): Promise<void> {
  const letters = await load.pages(`${load.base}/dead-letters?limit=200`);
  for (const { reason, attempts, sendId } of letters) {
    if (reason === 'interrupted' && attempts === limits.interruptedMax) continue;
    problems.push(`${sendId} is a dead letter after ${attempts} tries: ${reason}`);
  }
  load.redriven = letters.length;
  if (letters.length === 0) return;
  const { json } = await load.ask(`POST ${load.base}/dead-letters/redrive`, { all: true });
  if (json.redriven !== letters.length)
    problems.push(`${json.redriven} of ${letters.length} redriven`);
  const sends = load.sends.filter(({ id }) => letters.some(({ sendId }) => sendId === id));
  await inTurns(sends, (send) => whenDone(load, send, ({ failures }) => failures.open === 0));
}

async function whenDone(
  load: Load,
  { id, key }: Send,
  done: (send: Row) => boolean,
): Promise<void> {
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

/** Whether a kill hid from the server what was taken at `at`, so that it came again at `next`. */
export function isExcused(killed: readonly number[], at: number, next: number): boolean {
  return killed.some((kill) => at > kill - inFlightMs && at < kill + 200 && next > kill);
}

/** Watches for messages that a provider took twice. */
export class Duplicates {
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

  /**
   * Judges those that are new: the first copy must lie shortly before a kill, and the next one
   * after it.
   */
  async look(): Promise<void> {
    const { sends } = await this.#sandbox.must('GET /control/stats');
    this.count = sends.acceptedAgain;
    for (const { sendId, deviceId } of sends.duplicates) {
      if (this.#known.has(`${sendId} ${deviceId}`)) continue;
      this.#known.add(`${sendId} ${deviceId}`);
      const { messages } = await this.#sandbox.must(`GET /control/messages?sendId=${sendId}`);
      const times: number[] = messages
        .filter(
          (one: { deviceId: string; outcome: string }) =>
            one.deviceId === deviceId && one.outcome === 'accepted',
        )
        .map(({ at }: { at: string }) => Date.parse(at))
        .sort((a: number, b: number) => a - b);
      for (const [index, at] of times.entries()) {
        const next = times[index + 1];
        if (next === undefined) break;
        if (!isExcused(this.#killed, at, next))
          this.#problems.push(`${sendId} was taken twice without a kill: ${times.join(', ')}`);
      }
    }
  }
}

/** A few at a time. */
export async function inTurns<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, one));
}
