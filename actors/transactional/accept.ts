// Accepting one transactional send: the idempotency key, the person, the devices, the text. Everything that can be
// refused is refused here, before anything is written, so a refused call leaves its key free.
// Source: specification, "Transactional lane"; contract, section 7.

import { accepted, type Context, type Decision, refused } from '../../engine/actor/message.ts';
import type { MessageOf } from '../../engine/actor/protocol.ts';
import { dayMs } from '../../engine/base/brand.ts';
import { newId } from '../../engine/base/id.ts';
import { type SendRow, sends } from '../../storage/tables/send.ts';
import type { SubscriberRow } from '../../storage/tables/subscriber.ts';
import { readPerson } from '../audience/decide.ts';
import type { ChannelId } from '../channels/catalog.ts';
import { fault, notFound } from '../faults.ts';
import { limits } from '../limits.ts';
import type { AppState, PartitionState } from '../state.ts';
import { formatSendWords } from './idempotency.ts';
import type {
  TransactionalEntry,
  TransactionalProtocol,
  TransactionalRequest,
} from './protocol.ts';
import { renderTransactional } from './render.ts';
import { sendKey } from './send-key.ts';

type Accept = MessageOf<TransactionalProtocol, 'transactional.accept'>;
type AcceptReply = TransactionalProtocol['transactional.accept']['reply'];

/** Decides one `POST …/notifications`. */
export function accept(
  state: PartitionState,
  app: AppState,
  { request, claim }: Accept,
  context: Context,
): Decision<AcceptReply> {
  if (claim !== null) {
    const earlier = state.idempotency.find(claim, context.nowMs);
    if (earlier === 'conflict') {
      return refused(
        fault('idempotency_conflict', 'this idempotency key was used with another body', {
          field: 'idempotencyKey',
        }),
      );
    }
    if (earlier !== undefined) return accepted({ id: formatSendWords(earlier), replayed: true });
    if (state.idempotency.isFull(context.nowMs)) {
      return refused(
        fault('idempotency_full', 'no room for more idempotency keys; retry later', {
          retryAfterSeconds: 60,
        }),
      );
    }
  }
  const full = checkRoom(state, app, context);
  if (full !== undefined) return refused(full);
  if (request.templateName !== undefined || request.templateId !== undefined) {
    const field = request.templateName === undefined ? 'templateId' : 'templateName';
    return refused({ ...notFound(`${field}: template`), field });
  }
  const person = readPerson(app, request.to, context);
  if (person === undefined) {
    const field = 'id' in request.to ? 'subscriberId' : 'externalUserId';
    return refused({ ...notFound(`${field}: subscriber`), field });
  }
  const targets = targetsOf(person, request.channels);
  const rendered = renderTransactional(app.record, person, request, targets, context.nowMs);
  if ('fault' in rendered) return refused(rendered.fault);

  const id = newId('ntf', context.owner, context.nowMs, context.rng);
  const { ttlSeconds } = rendered.options;
  const row: SendRow = {
    id,
    person: person.person,
    acceptedMs: context.nowMs,
    content: rendered.content,
    targets,
    outcomes:
      targets.length > 0
        ? []
        : [
            {
              deviceId: '',
              channel: '',
              status: 'suppressed',
              reason: 'no_device',
              atMs: context.nowMs,
              attempts: 0,
            },
          ],
    deadLettersOpen: 0,
    deadLettersRecovered: 0,
  };
  const queued: TransactionalEntry = {
    kind: 'send.queued',
    owner: context.owner,
    sendId: id,
    person: person.person,
    atMs: context.nowMs,
    expiresMs: ttlSeconds === undefined ? null : context.nowMs + ttlSeconds * 1000,
    targets,
    claim,
    firstEvent: app.nextEvent,
  };
  const key = sendKey(context.owner, id) as readonly [Uint8Array];
  return accepted(
    { id, replayed: false },
    { entries: [queued], documents: [{ table: sends, key, value: row }] },
  );
}

/** The enabled devices on the wanted channels, in the order they were added. */
function targetsOf(
  person: SubscriberRow,
  channels: TransactionalRequest['channels'],
): { readonly deviceId: string; readonly channel: ChannelId }[] {
  const targets: { deviceId: string; channel: ChannelId }[] = [];
  for (const device of person.devices) {
    const channel = device.channel as ChannelId;
    if (!device.enabled || (channels !== undefined && !channels.includes(channel))) continue;
    targets.push({ deviceId: device.id, channel });
  }
  return targets;
}

function checkRoom(state: PartitionState, app: AppState, context: Context) {
  const org = state.orgs.get(app.record.org);
  const cap = org?.record.dailySendCap ?? null;
  const day = Math.floor(context.nowMs / dayMs);
  if (org !== undefined && cap !== null && org.sendsDay === day && org.sendsToday >= cap) {
    const retryAfterSeconds = Math.ceil(((day + 1) * dayMs - context.nowMs) / 1000);
    return fault(
      'daily_cap',
      `the org's daily cap of ${cap} sends is used up; it resets at 00:00 UTC`,
      {
        retryAfterSeconds,
      },
    );
  }
  if (app.outbox.jobs.size >= limits.outboxMax) {
    return fault('outbox_full', 'too many sends of this app are waiting to leave', {
      retryAfterSeconds: 5,
    });
  }
  return undefined;
}
