// The load of a run: for each org clients that write and read registers, send with idempotency
// keys and report events, through any front. They record every call.

import { below, type Rng, seededRng } from '../../../engine/base/rng.ts';
import type { Fronts } from './fronts.ts';
import type { Recorder } from './history.ts';
import { bootstrapToken } from './rig.ts';
import { serviceAccount } from './sink.ts';

/** Calls on one register: few, because its checker tries orders. */
const callsPerRegister = 40;
const recipients = 4;
/** Between two calls of one client. */
const thinkMs = { least: 60, most: 240 } as const;
const probeMs = 250;
const probesAtOnceMax = 12;

export interface Tenant {
  readonly name: string;
  readonly key: string;
  readonly base: string;
  readonly appId: string;
  readonly subscribers: readonly string[];
}

/** An org with an app that can push to some people; made at a front whose node then owns it. */
export async function makeTenant(fronts: Fronts, name: string, front: number): Promise<Tenant> {
  const operator = { key: bootstrapToken, front };
  const { org, apiKey } = await fronts.must({
    ...{ ...operator, method: 'POST', path: '/v1/orgs', body: { name } },
  });
  const limits = { rateLimits: { transactional: null, standard: null }, dailySendCap: null };
  await fronts.must({ ...operator, method: 'PATCH', path: `/v1/orgs/${org.id}`, body: limits });
  const own = { key: apiKey.key, method: 'POST' } as const;
  const app = await fronts.must({ ...own, path: '/v1/apps', body: { name } });
  const base = `/v1/apps/${app.id}`;
  await fronts.must({ ...own, path: `${base}/credentials/fcm`, body: serviceAccount() });
  const subscribers: string[] = [];
  for (let index = 0; index < recipients; index++) {
    const endpoint = `token-of-${name}-${index}`;
    const body = { externalUserId: `s${index}`, devices: [{ channel: 'fcm', endpoint }] };
    const { id } = await fronts.must({ ...own, path: `${base}/subscribers`, body });
    subscribers.push(id);
  }
  return { name, key: apiKey.key, base, appId: app.id, subscribers };
}

export class Clients {
  readonly #fronts: Fronts;
  readonly #recorder: Recorder;
  readonly #nowMs: () => number;
  #isStopping = false;
  #working: Promise<void>[] = [];

  constructor(fronts: Fronts, recorder: Recorder, nowMs: () => number) {
    this.#fronts = fronts;
    this.#recorder = recorder;
    this.#nowMs = nowMs;
  }

  start(tenants: readonly Tenant[], seed: number): void {
    for (const [index, tenant] of tenants.entries()) {
      const rng = (part: string) => seededRng(seed + index, part);
      this.#working.push(
        ...[0, 1].map((writer) => this.#register(tenant, writer, rng(`register ${writer}`))),
        this.#send(tenant, rng('send')),
        this.#track(tenant, rng('track')),
        this.#probe(tenant),
      );
    }
  }

  /** Resolves once every call has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#working);
  }

  /** Several clients write and read one tag, and take the next one together. */
  async #register(tenant: Tenant, client: number, rng: Rng): Promise<void> {
    for (let n = 0; !this.#isStopping; n++) {
      const name = `r${Math.floor(n / callsPerRegister)}`;
      const register = `${tenant.name}/${name}`;
      const isWrite = below(rng, 2) === 0;
      const value = n * 2 + client;
      const fromMs = this.#nowMs();
      const { end, status, json } = await this.#fronts.call(
        isWrite
          ? {
              ...{ method: 'POST', path: `${tenant.base}/subscribers`, key: tenant.key },
              body: { externalUserId: name, tags: { value } },
            }
          : { method: 'GET', path: `${tenant.base}/subscribers/external:${name}`, key: tenant.key },
      );
      const around = { org: tenant.name, fromMs, untilMs: this.#nowMs(), register };
      if (isWrite) this.#recorder.record({ ...around, kind: 'write', value, end });
      else {
        // Nobody there is an answer, too: nothing was written yet.
        const isAnswer = status === 200 || status === 404;
        const readEnd = isAnswer ? 'acknowledged' : end;
        this.#recorder.record({ ...around, kind: 'read', value: json?.tags?.value, end: readEnd });
      }
      await this.#think(rng);
    }
  }

  /** Each key until it is answered: what a careful client does. */
  async #send(tenant: Tenant, rng: Rng): Promise<void> {
    for (let n = 0; !this.#isStopping; n++) {
      const key = keyOf(tenant, n);
      await this.#untilAnswered(rng, async () => {
        const fromMs = this.#nowMs();
        const { end, json } = await this.#fronts.call(sendCall(tenant, key));
        const sendId = end === 'acknowledged' ? String(json?.id) : undefined;
        const around = { org: tenant.name, fromMs, untilMs: this.#nowMs(), end };
        this.#recorder.record({ ...around, kind: 'send', key, sendId });
        return end;
      });
      await this.#think(rng);
    }
  }

  async #track(tenant: Tenant, rng: Rng): Promise<void> {
    for (let n = 0; !this.#isStopping; n++) {
      const eventId = `${tenant.name}-e${n}`;
      const event = { id: eventId, externalUserId: `s${below(rng, recipients)}`, name: 'rig' };
      await this.#untilAnswered(rng, async () => {
        const fromMs = this.#nowMs();
        const { end } = await this.#fronts.call({
          ...{ method: 'POST', path: '/e', key: tenant.key },
          body: { appId: tenant.appId, events: [event] },
        });
        const around = { org: tenant.name, fromMs, untilMs: this.#nowMs(), end };
        this.#recorder.record({ ...around, kind: 'event', eventId });
        return end;
      });
      await this.#think(rng);
    }
  }

  /** Writes on and on without waiting, so that an outage shows as long as it is. */
  async #probe({ name, key, base }: Tenant): Promise<void> {
    const open = new Set<Promise<void>>();
    for (let n = 0; !this.#isStopping; n++) {
      if (open.size < probesAtOnceMax) {
        const body = { externalUserId: 'probe', tags: { n } };
        const call = this.#fronts
          .call({ method: 'POST', path: `${base}/subscribers`, key, body, front: n })
          .then(({ end }) => {
            if (end === 'acknowledged') this.#recorder.serve(name, this.#nowMs());
            open.delete(call);
          });
        open.add(call);
      }
      await new Promise((resolve) => setTimeout(resolve, probeMs));
    }
    await Promise.all(open);
  }

  async #untilAnswered(rng: Rng, call: () => Promise<string>): Promise<void> {
    while ((await call()) !== 'acknowledged' && !this.#isStopping) await this.#think(rng);
  }

  #think(rng: Rng): Promise<void> {
    const ms = thinkMs.least + below(rng, thinkMs.most - thinkMs.least);
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}

const keyOf = ({ name }: Tenant, n: number) => `${name}-k${n}`;

/** The same call gives the same send, at any time within a day. The message carries the key. */
export function sendCall({ base, key: apiKey, subscribers }: Tenant, key: string) {
  const n = Number(/\d+$/.exec(key)?.[0]);
  const subscriberId = subscribers[n % subscribers.length];
  return {
    method: 'POST',
    path: `${base}/notifications`,
    key: apiKey,
    headers: { 'idempotency-key': key },
    body: { subscriberId, title: key, body: 'of the rig' },
  } as const;
}
