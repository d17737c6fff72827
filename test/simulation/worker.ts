// A worker: one serial client of one app, with people and endpoints of its own, so that it always
// knows what its next read must show. This file has what every operation needs; the operations are
// in `audience-work.ts`, `sending-work.ts` and `account-work.ts`.

import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import type { BatchRecipient, SharedRequest } from '../../actors/sending/transactional/protocol.ts';
import { hourMs, type Millis } from '../../engine/base/brand.ts';
import type { Rng } from '../../engine/base/rng.ts';
import { pick } from '../../engine/base/rng.ts';
import type { Client, Reply } from './client.ts';
import type { Findings } from './invariants.ts';
import type { LogAudit } from './log-audit.ts';
import type { AppModel, Model, PersonModel } from './model.ts';
import type { Providers } from './providers.ts';

/**
 * The channels that the simulator's people have: each rule for unknown outcomes, with and without
 * an identity.
 */
export const channelsUsed = [
  'fcm',
  'email',
  'sms',
  'whatsapp',
  'telegram',
  'line',
] as const satisfies ChannelId[];
type ChannelUsed = (typeof channelsUsed)[number];

/** One endpoint that a worker hands to its people. */
export interface Endpoint {
  readonly channel: ChannelUsed;
  readonly endpoint: string;
}

/** What an idempotency key stands for, as its worker knows it. */
interface KeyUse {
  sendId: string;
  fingerprint: string;
  readonly person: PersonModel;
}

/** One recipient as it was drawn. */
export interface Drawn {
  /** `undefined` for somebody who is nobody. */
  readonly person: PersonModel | undefined;
  /** What their message must hold when it leaves. */
  readonly words: string;
  readonly recipient: BatchRecipient;
}

/** A batch whose key may be used again. */
export interface BatchUse {
  readonly key: string | undefined;
  readonly request: SharedRequest;
  readonly drawn: readonly Drawn[];
  /** The send of each person who was told of, with what their key stands for. */
  readonly told: Map<PersonModel, ReportedPerson>;
}

interface ReportedPerson {
  readonly sendId: string;
  /** Of then; ids are never used again. */
  readonly subscriberId: string | undefined;
  /** Queued by a call that had changed. */
  readonly changed: boolean;
}

/** A worker's surroundings. */
export interface Worker {
  /** Unique in the world. */
  readonly number: number;
  readonly app: AppModel;
  readonly model: Model;
  readonly people: readonly PersonModel[];
  readonly endpoints: readonly Endpoint[];
  readonly rng: Rng;
  readonly findings: Findings;
  readonly audit: LogAudit;
  readonly providers: Providers;
  /** By the key's text. */
  readonly keys: Map<string, KeyUse>;
  /** Batches whose keys may be used again. */
  readonly batches: BatchUse[];
  /** The version of each template that is there, by its handle. */
  readonly templates: Map<string, string>;
  /** Ids of events sent, for repeating them. */
  readonly eventIds: string[];
  /** Filters that this worker saved, as JSON by the segment's id. */
  readonly segments: Map<string, string>;
  /** Messages that this worker saved, and campaigns and journeys that it made, by id. */
  readonly messages: string[];
  readonly campaigns: string[];
  readonly journeys: string[];
  /** For names that no other operation of the world has. */
  count: number;
  /** The latest that any clock of the world has shown. */
  latestMs(): number;
  /** Starts another client beside this one. */
  spawn(client: Client): void;
}

/**
 * The endpoints of a worker: numbers, addresses and tokens that no other worker has, in normal
 * form.
 */
export function endpointsOf(number: number, count: number): Endpoint[] {
  const endpoints: Endpoint[] = [];
  for (let k = 0; k < count; k++) {
    const phone = `+1415555${1000 + number * 40 + k}`;
    endpoints.push(
      { channel: 'fcm', endpoint: `token-${number}-${k}` },
      { channel: 'email', endpoint: `${k % 2 === 0 ? 'Ana' : 'bo'}.${k}@w${number}.example.com` },
      { channel: 'sms', endpoint: phone },
      { channel: 'whatsapp', endpoint: phone },
      { channel: 'telegram', endpoint: String(100_000 + number * 100 + k) },
      { channel: 'line', endpoint: `U${(number * 100 + k).toString(16).padStart(32, '0')}` },
    );
  }
  return endpoints;
}

/** A name for one operation. */
export function nextName(worker: Worker): string {
  return `w${worker.number}n${worker.count++}`;
}

export function somebody(worker: Worker): PersonModel {
  return pick(worker.rng, worker.people);
}

/** Reports a refusal that the model does not explain. */
export function unexpected(worker: Worker, what: string, reply: Reply<unknown>): void {
  const said =
    reply === 'lost'
      ? 'lost'
      : reply.ok
        ? 'accepted'
        : `${reply.fault.code}: ${reply.fault.message}`;
  const invariant =
    reply !== 'lost' && !reply.ok && reply.fault.code === 'internal'
      ? 'no_throw'
      : 'acknowledged_kept';
  worker.findings.add(invariant, `${what} of app ${worker.app.ordinal}: ${said}`);
}

/** Whether a reply is the refusal with this code. */
export function isFault(reply: Reply<unknown>, code: string): boolean {
  return reply !== 'lost' && !reply.ok && reply.fault.code === code;
}

/** Whether a reply says that the object's state, name, users or number do not allow the call. */
export function isConflict(reply: Reply<unknown>): boolean {
  return reply !== 'lost' && !reply.ok && conflicts.has(reply.fault.code);
}

const conflicts = new Set(['wrong_state', 'duplicate', 'in_use', 'changed', 'limit_reached']);

/** How long a key is certainly kept. A wrong start may be up to an hour ahead without doubt. */
export function keyKeptMs({ model }: Pick<Worker, 'model'>): Millis {
  return model.faults.startClocks === undefined ? 24 * hourMs : 22 * hourMs;
}
