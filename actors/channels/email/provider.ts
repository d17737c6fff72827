// How email talks to the operator's mail relay.

import type { Provider } from '../port/provider.ts';
import { marksOfPreview } from './mail-marks.ts';
import { composeMail } from './message.ts';

/** Stands for the operator's sender, which only the adapter knows; never shown. */
const senderUnknown = 'sender@engage.invalid';

export const emailProvider = {
  preview(attempt) {
    const made = composeMail(attempt, senderUnknown, marksOfPreview(attempt));
    if ('outcome' in made) return made;
    // Only a send has a date and a Message-ID.
    const { headers, dateMs: _date, messageId: _id, fromAddress, ...mail } = made;
    const sender = fromAddress === senderUnknown ? {} : { fromAddress };
    return { payload: { ...sender, ...mail, headers: Object.fromEntries(headers) } };
  },
  adapter: async () => (await import('./adapter.ts')).createEmail,
} as const satisfies Provider;
