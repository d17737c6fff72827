// What all transactional sends share: idempotency key, room, devices, row and entry. Write nothing
// before all checks have passed: a refused call leaves its key free. Source: specification,
// "Transactional lane"; contract, section 7.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  refused,
} from '../../../engine/actor/message.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { type SendOutcomeRow, type SendRow, sends } from '../../../storage/tables/send.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { DeliveryOptions } from '../../channels/port/attempt.ts';
import { fault, keyUsedFault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import type { RecipientRecord } from '../../people/audience/recipient-reader.ts';
import { dayEndsMs, sendsLeft } from '../gate/org-room.ts';
import { copiesGiven } from '../outbox/copies.ts';
import type { SendsView } from '../outbox/reads.ts';
import type { SendContent } from '../outbox/records.ts';
import { sendKey, sendOfRef } from '../outbox/send-key.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';
import type { TransactionalEntry, TransactionalProtocol } from './protocol.ts';
import type { KeyedSendsMemory } from './reads.ts';

/** Of every message that queues one send. */
export type AcceptReply = TransactionalProtocol['transactional.accept']['reply'];

/** A send that has passed all checks. */
export interface SettledSend {
  readonly person: Pick<SubscriberRow, 'person'>;
  /** None: the send is suppressed at once with `no_device`. */
  readonly targets: readonly { readonly deviceId: string; readonly channel: ChannelId }[];
  readonly content: SendContent;
  readonly options: DeliveryOptions;
  readonly claim: IdempotencyClaim | null;
  readonly test?: true;
  /** The template that the content began as. */
  readonly templateId?: string | undefined;
  /** Asks for the confirmation of an address (`SendRow`). */
  readonly optIn?: true;
}

/** The answer to a call whose key was used before, or for which and its copies there is no room. */
export function earlierAnswer(
  state: KeyedSendsMemory,
  app: SendsView,
  claim: IdempotencyClaim | null,
  context: Context,
  copies = 0,
): Decision<AcceptReply> | undefined {
  if (claim !== null) {
    const earlier = state.idempotency.find(claim, context.nowMs, context.ages);
    if (earlier === 'conflict') {
      return refused(keyUsedFault);
    }
    if (earlier !== undefined) return accepted({ id: sendOfRef(earlier), replayed: true });
  }
  const full = checkRoom(state, app, claim, context, { copies });
  return full === undefined ? undefined : refused(full);
}

/** The enabled devices on the requested channels, in the order they were added. */
export function targetsOf(
  person: Pick<RecipientRecord, 'devices'>,
  channels: readonly ChannelId[] | undefined,
): SettledSend['targets'] {
  const targets: { deviceId: string; channel: ChannelId }[] = [];
  for (const device of person.devices) {
    const channel = device.channel as ChannelId;
    if (!device.enabled || (channels !== undefined && !channels.includes(channel))) continue;
    targets.push({ deviceId: device.id, channel });
  }
  return targets;
}

export function queueSend(send: SettledSend, context: Context): Decision<AcceptReply> {
  const { id, entry, document } = queuedSend(send, context);
  return accepted({ id, replayed: false }, { entries: [entry], documents: [document] });
}

interface QueuedSend {
  readonly id: string;
  readonly entry: TransactionalEntry;
  readonly document: DocumentWrite;
}

export function queuedSend(
  { person: { person }, targets, content, options, claim, test, templateId, optIn }: SettledSend,
  { owner, nowMs, rng }: Context,
): QueuedSend {
  const id = newId('ntf', owner, nowMs, rng);
  const { ttlSeconds } = options;
  const mark = test === undefined ? {} : { test };
  const copies = targets.length === 0 ? 0 : copiesGiven(content);
  const row: SendRow = {
    id,
    person,
    acceptedMs: nowMs,
    content,
    targets,
    outcomes: targets.length > 0 ? [] : [noDevice(nowMs)],
    deadLettersOpen: 0,
    deadLettersRecovered: 0,
    ...mark,
    ...(templateId === undefined ? {} : { templateId }),
    ...(optIn === undefined ? {} : { optIn }),
  };
  const entry: TransactionalEntry = {
    kind: 'send.queued',
    owner,
    sendId: id,
    person,
    atMs: nowMs,
    expiresMs: ttlSeconds === undefined ? null : nowMs + ttlSeconds * 1000,
    targets,
    claim,
    firstEvent: 0,
    ...mark,
    ...(copies === 0 ? {} : { copies }),
  };
  const key = sendKey(owner, id) as readonly [Uint8Array];
  return { id, entry, document: { table: sends, key, value: row } };
}

function noDevice(atMs: number): SendOutcomeRow {
  const reason = 'no_device';
  return { deviceId: '', channel: '', status: 'suppressed', reason, atMs, attempts: 0 };
}

/**
 * Full after `more` others of this turn: keys, the org's daily cap, or the outbox. Each copy of an
 * email is a send of the cap.
 */
export function checkRoom(
  state: KeyedSendsMemory,
  app: SendsView,
  claim: IdempotencyClaim | null,
  context: Context,
  { more = 0, copies = 0 }: { readonly more?: number; readonly copies?: number } = {},
): Fault | undefined {
  if (
    claim !== null &&
    state.idempotency.isFull(context.owner, context.nowMs, context.ages, more)
  ) {
    return fault('idempotency_full', 'no room for more idempotency keys; retry later', {
      retryAfterSeconds: 60,
    });
  }
  const org = state.orgs.get(app.record.org);
  if (sendsLeft(org, context.nowMs) <= more + copies) {
    const retryAfterSeconds = Math.ceil((dayEndsMs(context.nowMs) - context.nowMs) / 1000);
    return fault(
      'daily_cap',
      `the org's daily cap of ${org?.record.dailySendCap} sends is used up; it resets at 00:00 UTC`,
      { retryAfterSeconds },
    );
  }
  if (app.outbox.jobs.size + more >= limits.outboxMax) {
    return fault('outbox_full', 'too many sends of this app are pending; retry later', {
      retryAfterSeconds: 5,
    });
  }
  return undefined;
}
