// Where an email went that somebody tells about afterwards, for its figures: its device's address
// as it is now, and who sent it by which relay, as its campaign, journey or row remembers. Where
// nothing does, it counts for the app's newest mail of the stream.

import type { Context } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type SendRow, sends } from '../../../storage/tables/send.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import { readableRow } from '../../readable-row.ts';
import type { MailWay, Sender } from '../mailboxes/figures.ts';
import { groupOfAddress } from '../mailboxes/reads.ts';
import { sendKey } from '../outbox/send-key.ts';
import type { CallbacksView } from './memory.ts';

interface MailOf {
  readonly sendId: string;
  readonly deviceId: string;
  readonly person: PersonOrdinal;
}

type Reader = Pick<Context, 'owner' | 'documents'>;

/** `others` for a device that is gone. `relay`: the one that tells it. */
export function mailWayOf(
  app: CallbacksView,
  mail: MailOf,
  context: Reader,
  relay?: string,
): MailWay {
  const person = app.people.canonical(mail.person);
  const row = readableRow(context.documents, subscribers, [person]);
  const endpoint = row?.devices.find(({ id }) => id === mail.deviceId)?.endpoint;
  const address = typeof endpoint === 'string' ? endpoint : '';
  const sender = senderOf(app, { ...mail, person }, context);
  return {
    group: groupOfAddress(app, address),
    domain: sender.domain,
    relay: relay ?? sender.relay,
  };
}

function senderOf(app: CallbacksView, mail: MailOf, context: Reader): Sender {
  const { sendId, person } = mail;
  const { sending, campaigns, journeys, mailboxes } = app;
  const known = sending.senderOf(sendId, campaigns) ?? journeys.senderOf(sendId, person);
  if (known !== undefined) return known;
  // Only transactional sends have rows.
  const row = sendRow(sendId, context);
  const newest = mailboxes.senderOf(row === undefined ? 'marketing' : 'transactional');
  const relay = relayIn(row, mail.deviceId) ?? newest?.relay ?? serverRelay;
  return { domain: newest?.domain ?? '', relay };
}

function sendRow(sendId: string, { owner, documents }: Reader): SendRow | undefined {
  const key = sendKey(owner, sendId);
  return key === undefined ? undefined : readableRow(documents, sends, key);
}

/** The relay that a transactional email left by. */
function relayIn(row: SendRow | undefined, deviceId: string): string | undefined {
  return row?.outcomes.findLast((one) => one.deviceId === deviceId && one.relay !== undefined)
    ?.relay;
}
