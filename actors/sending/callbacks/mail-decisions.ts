// Decides about mails that come back to the server's own listener.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { markOfDevice } from '../../channels/email/return-path.ts';
import { readableRow } from '../../readable-row.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { AppliedCallback } from './applied-callback.ts';
import type { CallbacksMemory } from './memory.ts';
import type { CallbacksProtocol } from './protocol.ts';

type MailMessages = Pick<CallbacksProtocol, 'callback.email' | 'callback.email_address'>;
type EmailAddress = CallbacksProtocol['callback.email_address']['reply'];

export const mailDecisions: Decisions<MailMessages, CallbacksMemory> = {
  'callback.email': (state, { sendId, person, deviceMark, news, about }, context) =>
    withApp(state, context, (app) => {
      const applied = new AppliedCallback(app, context);
      applied.count(applied.sends.applyReturned({ sendId, person, deviceMark }, news, about));
      return applied.decision();
    }),

  'callback.email_address': (state, { person, deviceMark }, context) =>
    withApp(state, context, (app) => {
      const row = readableRow(context.documents, subscribers, [app.people.canonical(person)]);
      const device = row?.devices.find(
        ({ id, channel }) => channel === 'email' && markOfDevice(id) === deviceMark,
      );
      const endpoint = device?.endpoint;
      if (device === undefined || typeof endpoint !== 'string')
        return accepted<EmailAddress>({ address: null });
      return accepted<EmailAddress>({ address: endpoint, deviceId: device.id });
    }),
};
