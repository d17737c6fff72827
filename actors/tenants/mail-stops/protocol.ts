// Messages and entries of addresses that want no mails of the platform. Each lives at the slot that
// its hash names, so that one question finds it. Only the hash is stored.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { MailStop, MailStopReason } from './records.ts';

export interface MailStopsProtocol {
  /** `undefined` as the reason: mails may go there again. */
  'mail_stop.set': {
    body: Caller & { hash: string; reason: MailStopReason | undefined };
    reply: null;
  };
  'mail_stop.is_set': { body: Caller & { hash: string }; reply: boolean };
}

export type MailStopsEntry =
  | (Entry & { readonly kind: 'mail_stop.set'; readonly hash: string; readonly stop: MailStop })
  | (Entry & { readonly kind: 'mail_stop.removed'; readonly hash: string });
