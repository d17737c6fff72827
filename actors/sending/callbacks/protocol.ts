// What providers tell an app of what it sent, and what people answer to it. Every message carries
// the raw body as the provider signed it, beside the message (`context.bytes`): the app's actor
// judges the signature, since only there are the tenant's secrets.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { CarrierChannel } from '../../channels/carrier/status-url.ts';
import type { ChannelId, WebhookChannel } from '../../channels/channel-ids.ts';
import type { DeliveryReport } from '../../channels/delivery-report.ts';
import type { ReturnedMail } from '../../channels/email/return-path.ts';
import type { Tracked } from '../../channels/email/tracked.ts';
import type { CallbackCounts } from '../../channels/outcome.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { ResultsReport } from '../dispatch/protocol.ts';

/** A call of the carrier; `url` is the address as we told it, with its query. */
interface CarrierSigned {
  readonly url: string;
  readonly signature: string | undefined;
}

export interface CallbacksProtocol {
  'callback.carrier_status': {
    body: Caller &
      CarrierSigned & {
        channel: CarrierChannel;
        /** From the signed address. */
        sendId: string;
        deviceId: string;
      };
    reply: CallbackCounts;
  };
  'callback.carrier_inbound': { body: Caller & CarrierSigned; reply: CallbackCounts };
  'callback.whatsapp_subscribe': {
    body: Caller & { mode: string | undefined; verifyToken: string | undefined };
    reply: null;
  };
  /** `secret`: what is to be answered to the call that sets the webhook up; `null` to any other. */
  'callback.rcs': {
    body: Caller & { signature: string | undefined };
    reply: CallbackCounts & { secret: string | null };
  };
  /**
   * A bounce of an email, or a complaint about it; the address that it came to was signed by us,
   * and judged at the edge.
   */
  'callback.email': {
    body: Caller &
      Pick<ReturnedMail, 'sendId' | 'person' | 'deviceMark'> & { news: DeliveryReport };
    reply: CallbackCounts;
  };
  /**
   * An email was opened, or a link in it followed; the token was signed by us, and judged at the
   * edge.
   */
  'callback.engaged': {
    body: Caller & { tracked: Tracked; userAgent: string };
    reply: null;
  };
  /**
   * Where an email of ours went, for who asks by mail to be sent no more; `null` once nobody knows.
   */
  'callback.email_address': {
    body: Caller & Pick<ReturnedMail, 'person' | 'deviceMark'>;
    reply: { address: string | null };
  };
  'callback.chat': {
    /** `from`: how many things of the body were taken before. */
    body: Caller & { channel: WebhookChannel; signature: string | undefined; from: number };
    /** `next`: where to go on; `null` at the end. */
    reply: CallbackCounts & { next: number | null };
  };
  /** What was told of a device's messages by names that nobody knew is looked at again. */
  'callback.retell': { body: Caller & { deviceId: string }; reply: null };
  /** A provider that tells nothing by itself is due to be asked. */
  'callback.poll': { body: Caller & { channel: ChannelId }; reply: null };
  /** From a dispatcher, what it said. */
  'callback.polled': { body: Omit<ResultsReport, 'kind'>; reply: null };
  /** What came before the answer to its call is looked at again. */
  'callback.recheck': { body: Caller & { sendId: string }; reply: null };
}

export type CallbacksEntry =
  /** DeliveryReport of a send; what follows from it has entries of its own. */
  | (Entry & {
      readonly kind: 'receipt.told';
      readonly sendId: string;
      readonly deviceId: string;
      readonly channel: ChannelId;
      readonly news: DeliveryReport;
      readonly atMs: Millis;
      /** Its call has no answer yet. */
      readonly isEarly?: true;
    })
  /** DeliveryReport of a message by a name that is not known yet, since its call has no answer. */
  | (Entry & {
      readonly kind: 'receipt.early';
      readonly deviceId: string;
      readonly channel: ChannelId;
      readonly name: string;
      readonly news: DeliveryReport;
      readonly atMs: Millis;
    })
  | (Entry & {
      readonly kind: 'receipts.retold';
      readonly deviceId: string;
      readonly atMs: Millis;
    })
  | (Entry & {
      readonly kind: 'results.polled';
      readonly channel: ChannelId;
      readonly atMs: Millis;
    })
  | (Entry & {
      readonly kind: 'receipts.rechecked';
      readonly sendId: string;
      readonly atMs: Millis;
    })
  | (Entry & {
      readonly kind: 'keyword.heard';
      readonly identityKey: string;
      readonly word: 'stop' | 'start';
      readonly atMs: Millis;
    });
