// What every channel is, as data: the one place to read or change when a channel is added. Device
// validation, the suppression classes, the OpenAPI enums and the dispatch rules all follow from it.
// `http/` reads it too, so it imports nothing that talks to anybody. Easily got wrong: `identity`
// is shared, so suppressing a number on sms silences it on voice, whatsapp, rcs and kakao as well.

import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  apnsToken,
  type Checked,
  emailAddress,
  emailBytesMax,
  fcmToken,
  lineId,
  p256PublicKey,
  phoneNumber,
  pushAuthSecret,
  pushServiceUrl,
  telegramChat,
  tokenBytesMax,
  viberId,
  zaloId,
} from './address.ts';

/**
 * The channel identifiers, in the specification's order, which is also the order of every list that
 * shows them.
 */
export const channelIds = [
  'fcm',
  'apns',
  'webpush',
  'email',
  'sms',
  'voice',
  'whatsapp',
  'telegram',
  'rcs',
  'line',
  'zalo',
  'viber',
  'kakao',
] as const;

/** One of the thirteen channels. */
export type ChannelId = (typeof channelIds)[number];

/**
 * The classes of address that a person can opt out with. Push endpoints have none: they are
 * disabled instead.
 */
export const identityClasses = ['phone', 'email', 'telegram', 'line', 'zalo', 'viber'] as const;
export type IdentityClass = (typeof identityClasses)[number];

/**
 * The names under which credentials are uploaded; `sms` and `voice` share `carrier`, `email` has
 * none.
 */
export const credentialNames = [
  'fcm',
  'apns',
  'carrier',
  'whatsapp',
  'telegram',
  'rcs',
  'line',
  'zalo',
  'viber',
  'kakao',
  'webpush',
] as const;
export type CredentialName = (typeof credentialNames)[number];

/**
 * What to do when bytes went out and no answer came. `resend`: at once (with back-off); the
 * provider or the device folds the two into one where it can (apns-id, collapse key, Topic,
 * Message-ID, retry key). `wait_then_resend`: give a callback that names our reference 60 s, then
 * resend once. `never`: the receipt is `failed`, reason `unknown_outcome`, and only an operator
 * resends.
 */
export type AmbiguityRule = 'resend' | 'wait_then_resend' | 'never';

/**
 * Who pays: `push` is free, `email` is metered by us, `own_account` is billed to the tenant by its
 * provider.
 */
export type PriceClass = 'push' | 'email' | 'own_account';

/** One channel's entry. */
export interface ChannelEntry {
  /** The name people know it by. */
  readonly label: string;
  /** What a device's endpoint is, in one phrase for documents. */
  readonly endpointIs: string;
  /**
   * The wire form of an endpoint. It checks and never rewrites; `people/audience/identity.ts` makes
   * the normal form.
   */
  readonly endpoint: z.ZodType<string | WebPushSubscription>;
  /**
   * The normal form of a text endpoint, or what is wrong with it; absent for `webpush`, whose
   * endpoint is an object.
   */
  readonly normalise?: (raw: string) => Checked;
  /** Set where two endpoints that differ only by case are the same one. */
  readonly ignoresCase?: true;
  /** The class in which its addresses opt out; absent for push. */
  readonly identity?: IdentityClass;
  /** The credential it sends with; absent where the channel is the platform's own. */
  readonly credential?: CredentialName;
  /**
   * What an ambiguous outcome means for the transactional (`express`) and the marketing (`bulk`)
   * lane.
   */
  readonly onAmbiguous: { readonly express: AmbiguityRule; readonly bulk: AmbiguityRule };
  readonly price: PriceClass;
  /** Calls in flight per provider account. */
  readonly inFlightMax: number;
  /** Whether a message for it needs a title. */
  readonly needsTitle: boolean;
  /** When its provider takes no marketing, whoever it is for: wall-clock times of one zone. */
  readonly marketingNight?: {
    readonly start: string;
    readonly end: string;
    readonly timezone: string;
  };
  /**
   * The member of `payload` that stands for title and body on this channel, and is required when it
   * is the only one.
   */
  readonly payloadKey?: 'whatsapp' | 'kakao';
}

/** A browser's subscription object, as registered; other members are ignored and not kept. */
export interface WebPushSubscription {
  readonly endpoint: string;
  readonly expirationTime?: number | null | undefined;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

const resend = { express: 'resend', bulk: 'resend' } as const;
/** Providers without an idempotency key: a person would see, or pay for, a second copy. */
const waitOrNever = { express: 'wait_then_resend', bulk: 'never' } as const;
const inFlightMax = limits.inFlightPerAccountMax;

/** A browser's subscription object: what `PushSubscription.toJSON()` gives. */
export const webPushSubscription: z.ZodType<WebPushSubscription> = z.object({
  endpoint: checkedText(pushServiceUrl, 2048),
  expirationTime: z.number().nullish(),
  keys: z.object({
    p256dh: checkedText(p256PublicKey, 256),
    auth: checkedText(pushAuthSecret, 256),
  }),
});

const ownAccount = { price: 'own_account', inFlightMax, needsTitle: false } as const;
const push = { price: 'push', inFlightMax, needsTitle: true, onAmbiguous: resend } as const;
const phoneEndpoint = {
  endpointIs: 'phone number in E.164 form',
  ...textEndpoint(phoneNumber, 64, '+14155550123'),
  identity: 'phone',
} as const;

/** The thirteen channels. */
export const catalog: Readonly<Record<ChannelId, ChannelEntry>> = {
  fcm: {
    label: 'Android push (FCM)',
    endpointIs: 'FCM registration token',
    ...textEndpoint(fcmToken, tokenBytesMax),
    credential: 'fcm',
    ...push,
  },
  apns: {
    label: 'Apple push (APNs)',
    endpointIs: 'APNs device token in hexadecimal',
    ...textEndpoint(apnsToken, 200),
    credential: 'apns',
    ...push,
  },
  webpush: {
    label: 'Web push',
    endpointIs: "the browser's subscription object",
    endpoint: webPushSubscription,
    credential: 'webpush',
    ...push,
  },
  email: {
    label: 'Email',
    endpointIs: 'email address',
    ...textEndpoint(emailAddress, emailBytesMax + 64, 'person@example.com'),
    ignoresCase: true,
    identity: 'email',
    onAmbiguous: resend,
    price: 'email',
    inFlightMax,
    needsTitle: true,
  },
  sms: {
    label: 'SMS',
    ...phoneEndpoint,
    ...ownAccount,
    credential: 'carrier',
    onAmbiguous: waitOrNever,
  },
  voice: {
    label: 'Voice call',
    ...phoneEndpoint,
    ...ownAccount,
    credential: 'carrier',
    onAmbiguous: waitOrNever,
  },
  whatsapp: {
    label: 'WhatsApp',
    ...phoneEndpoint,
    ...ownAccount,
    credential: 'whatsapp',
    onAmbiguous: waitOrNever,
    payloadKey: 'whatsapp',
  },
  telegram: {
    label: 'Telegram',
    endpointIs: 'chat id, or a public @name',
    ...textEndpoint(telegramChat, 33),
    ignoresCase: true,
    identity: 'telegram',
    credential: 'telegram',
    onAmbiguous: waitOrNever,
    ...ownAccount,
  },
  // RCS takes our message id and LINE our retry key, so a second call cannot become a second
  // message.
  rcs: { label: 'RCS', ...phoneEndpoint, ...ownAccount, credential: 'rcs', onAmbiguous: resend },
  line: {
    label: 'LINE',
    endpointIs: 'user, group or room id',
    ...textEndpoint(lineId, 33),
    identity: 'line',
    credential: 'line',
    onAmbiguous: resend,
    ...ownAccount,
  },
  zalo: {
    label: 'Zalo',
    endpointIs: 'user id',
    ...textEndpoint(zaloId, 20),
    identity: 'zalo',
    credential: 'zalo',
    onAmbiguous: waitOrNever,
    ...ownAccount,
    marketingNight: { start: '22:00', end: '06:00', timezone: 'Asia/Ho_Chi_Minh' },
  },
  viber: {
    label: 'Viber',
    endpointIs: 'user id',
    ...textEndpoint(viberId, 64),
    identity: 'viber',
    credential: 'viber',
    onAmbiguous: waitOrNever,
    ...ownAccount,
  },
  kakao: {
    label: 'KakaoTalk',
    ...phoneEndpoint,
    ...ownAccount,
    credential: 'kakao',
    onAmbiguous: waitOrNever,
    payloadKey: 'kakao',
  },
};

/** Whether the text is a channel identifier. */
export function isChannelId(text: string): text is ChannelId {
  return (channelIds as readonly string[]).includes(text);
}

/** The channels whose addresses belong to this class: five for `phone`, one for each other. */
export function channelsOf(identity: IdentityClass): readonly ChannelId[] {
  return channelIds.filter((id) => catalog[id].identity === identity);
}

/** The schema and the normal form of an endpoint that is text. */
function textEndpoint(normalise: (raw: string) => Checked, lengthMax: number, example?: string) {
  const endpoint = checkedText(normalise, lengthMax);
  return { normalise, endpoint: example === undefined ? endpoint : endpoint.meta({ example }) };
}

/**
 * A schema from a check of `address.ts`: same text in and out, the check's problem as the message.
 */
function checkedText(check: (raw: string) => Checked, lengthMax: number) {
  return z
    .string()
    .max(lengthMax)
    .superRefine((raw, context) => {
      const result = check(raw.trim());
      if ('problem' in result) context.addIssue({ code: 'custom', message: result.problem });
    });
}
