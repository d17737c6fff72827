// Where an email went that somebody tells about afterwards, for its figures: its device's address
// as it is now, and the sender and relay of the app's newest mail of the stream, because no record
// of a campaign's mails has them.

import type { Context } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { type Stream, serverRelay } from '../../channels/port/open-relay.ts';
import { readableRow } from '../../readable-row.ts';
import type { MailWay } from '../mailboxes/figures.ts';
import { groupOfAddress } from '../mailboxes/reads.ts';
import type { CallbacksView } from './memory.ts';

/** `others` for a device that is gone. */
export function mailWayOf(
  app: CallbacksView,
  { person, deviceId }: { readonly person: PersonOrdinal; readonly deviceId: string },
  { documents }: Pick<Context, 'documents'>,
  stream: Stream,
): MailWay {
  const row = readableRow(documents, subscribers, [app.people.canonical(person)]);
  const endpoint = row?.devices.find(({ id }) => id === deviceId)?.endpoint;
  const address = typeof endpoint === 'string' ? endpoint : '';
  const sender = app.mailboxes.senderOf(stream);
  return {
    group: groupOfAddress(app, address),
    domain: sender?.domain ?? '',
    relay: sender?.relay ?? serverRelay,
  };
}
