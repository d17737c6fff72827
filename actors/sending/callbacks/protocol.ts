// What providers report about sends, and what people answer. `context.bytes` is the raw body as the
// provider signed it: only the app's actor has the secrets to verify it.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { CarrierChannel } from '../../channels/carrier/status-url.ts';
import type { ChannelId, WebhookChannel } from '../../channels/channel-ids.ts';
import type { ReturnedMail } from '../../channels/email/return-path.ts';
import type { Tracked } from '../../channels/email/tracked.ts';
import type { CallbackItem } from '../../channels/port/callback-item.ts';
import type { DeliveryReport } from '../../channels/port/delivery-report.ts';
import type { CallbackCounts } from '../../channels/port/outcome.ts';
import type { RelayEvent } from '../../channels/port/relay-events.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { ResultsReport } from '../dispatch/protocol.ts';
import type { ResumeProtocol } from './resume-protocol.ts';

/** A call of the carrier; `url` is the address that we gave it, with its query. */
interface CarrierSigned {
  readonly url: string;
  readonly signature: string | undefined;
}

export interface CallbacksProtocol extends ResumeProtocol {
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
  /** `secret`: the answer to the call that sets up the webhook; `null` otherwise. */
  'callback.rcs': {
    body: Caller & { signature: string | undefined };
    reply: CallbackCounts & { secret: string | null };
  };
  /** An email bounced, or its reader complained. The edge has verified the signed address. */
  'callback.email': {
    body: Caller &
      Pick<ReturnedMail, 'sendId' | 'person' | 'deviceMark'> & {
        news: DeliveryReport;
        /** The recipients that it names. */
        about?: readonly string[];
      };
    reply: CallbackCounts;
  };
  /** An email was opened or a link clicked. The edge has verified the signed token. */
  'callback.engaged': {
    body: Caller & {
      tracked: Tracked;
      userAgent: string;
      /** Another link of the same mail was followed within the same second. */
      isBurst?: true;
    };
    reply: null;
  };
  /** Where an email went, for a reader who unsubscribes by mail; `null` if unknown. */
  'callback.email_address': {
    body: Caller & Pick<ReturnedMail, 'person' | 'deviceMark'>;
    reply: { address: string | null; deviceId?: string };
  };
  /**
   * What a mail service tells of the app's mails. The edge has verified its proof; a relay that is
   * none of the app's is not heard. At most `callbackItemsMax` events.
   */
  'callback.relay': {
    body: Caller & { relayId: string; events: readonly RelayEvent[] };
    reply: CallbackCounts;
  };
  /** The same of a gateway for texts: its reports, and what people write to its number. */
  'callback.gateway': {
    body: Caller & { relayId: string; items: readonly CallbackItem[] };
    reply: CallbackCounts;
  };
  /**
   * To a relay's owner, an app or an org: whether a token that the edge has verified proves a body,
   * named by a hash. It proves the first alone.
   */
  'callback.proof': {
    body: Caller & { relayId: string; token: string; bodyHash: string };
    reply: boolean;
  };
  'callback.chat': {
    /** `from`: items of the body that earlier parts applied. */
    body: Caller & { channel: WebhookChannel; signature: string | undefined; from: number };
    /** `next`: where to continue; `null` at the end. */
    reply: CallbackCounts & { next: number | null };
  };
  /** Reads early reports about a device's messages again. */
  'callback.retell': { body: Caller & { deviceId: string }; reply: null };
  /** A poll of a provider is due. */
  'callback.poll': { body: Caller & { channel: ChannelId }; reply: null };
  /** Texts that a gateway has are due to be asked for. */
  'callback.ask_gateway': { body: Caller & { relayId: string }; reply: null };
  /** A dispatcher's answer to a poll. */
  'callback.polled': { body: Omit<ResultsReport, 'kind'>; reply: null };
  /** Reads early reports about a send again. */
  'callback.recheck': { body: Caller & { sendId: string }; reply: null };
}

/** Who reported a message as spam, and what sent it. */
export interface ComplainedBy {
  readonly person: PersonOrdinal;
  readonly campaignId?: string;
  readonly journeyId?: string;
  readonly messageId?: string;
  readonly test?: true;
}

export type CallbacksEntry =
  | (Entry & {
      readonly kind: 'receipt.told';
      readonly sendId: string;
      readonly deviceId: string;
      readonly channel: ChannelId;
      readonly news: DeliveryReport;
      readonly atMs: Millis;
      /** Its call has no answer yet. */
      readonly isEarly?: true;
      /** Of a complaint: whose, and by what. */
      readonly by?: ComplainedBy;
    })
  /** Names the message by the provider's id, unknown until its call has an answer. */
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
  /** Two words of each id that is remembered: of a token, and of it with its body. */
  | (Entry & {
      readonly kind: 'proof.used';
      readonly hashes: readonly number[];
      readonly atMs: Millis;
    })
  | (Entry & {
      readonly kind: 'keyword.heard';
      readonly identityKey: string;
      readonly word: 'stop' | 'start';
      readonly atMs: Millis;
    });
