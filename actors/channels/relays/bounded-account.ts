// An account whose calls hold whole mails: each waits until the thread has room for its bytes, and
// is encoded only then.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { RelayAccount, RelayMail } from '../email/relay-mail.ts';
import type { Outcome } from '../port/outcome.ts';
import type { BytesInFlight } from './bytes-in-flight.ts';

export function boundedAccount(
  account: RelayAccount,
  relayId: string,
  bytes: BytesInFlight,
): RelayAccount {
  return {
    ...account,
    async send(mail, mayBegin) {
      let isLate = false;
      const sent = bytes.run(relayId, bytesOf(mail), () => {
        const isRecalled = isLate && mayBegin?.() === false;
        return isRecalled ? Promise.resolve(recalled) : account.send(mail, mayBegin);
      });
      isLate = true;
      const outcome = await sent;
      return outcome === 'full' ? full : outcome;
    },
  };
}

const recalled: Outcome = { outcome: 'retry', reason: 'recalled' };
const full: Outcome = { outcome: 'retry', reason: 'saturated' };

/** About what a call holds: base64 of a message whose files are in base64 already is the most. */
function bytesOf({ mail: { text, html, attachments = [] } }: RelayMail): Bytes {
  const files = attachments.reduce((sum, { content }) => sum + content.byteLength, 0);
  return 2 * (text.length + html.length + files);
}
