// Every channel, one line each; device validation, opt-out classes, API enums, settings and routes
// follow. Channels share an `identity`: an SMS opt-out also covers voice, WhatsApp, RCS and Kakao.

import { apns } from './apns/channel.ts';
import {
  type ChannelId,
  type ChannelUrlName,
  type CredentialName,
  channelIds,
  type IdentityClass,
  type WebhookChannel,
} from './channel-ids.ts';
import { email } from './email/channel.ts';
import { fcm } from './fcm/channel.ts';
import { kakao } from './kakao/channel.ts';
import { line } from './line/channel.ts';
import type { ChannelEntry, WebhookEntry } from './port/channel-entry.ts';
import { rcs } from './rcs/channel.ts';
import { sms } from './sms/channel.ts';
import { telegram } from './telegram/channel.ts';
import { viber } from './viber/channel.ts';
import { voice } from './voice/channel.ts';
import { webpush } from './webpush/channel.ts';
import { whatsapp } from './whatsapp/channel.ts';
import { zalo } from './zalo/channel.ts';

const entries = {
  fcm,
  apns,
  webpush,
  email,
  sms,
  voice,
  whatsapp,
  telegram,
  rcs,
  line,
  zalo,
  viber,
  kakao,
} as const satisfies Readonly<Record<ChannelId, ChannelEntry>> &
  Readonly<Record<WebhookChannel, { readonly webhook: WebhookEntry }>>;

type Member<Name extends string> = {
  [Id in ChannelId]: (typeof entries)[Id] extends Readonly<Record<Name, infer Value>>
    ? Value
    : never;
}[ChannelId];
type Nothing<Left extends never> = Left;
/** Each is `never`: a name or URL that `channel-ids.ts` or the entries lack does not compile. */
export type NamesWithoutChannel = [
  identity: Nothing<Exclude<IdentityClass, Member<'identity'>>>,
  credential: Nothing<Exclude<CredentialName, Member<'credential'>>>,
  unusedUrl: Nothing<Exclude<ChannelUrlName, KeysOf<Member<'urls'>>>>,
  unlistedUrl: Nothing<Exclude<KeysOf<Member<'urls'>>, ChannelUrlName>>,
];

type KeysOf<Union> = Union extends Union ? keyof Union & string : never;

export const catalog: Readonly<Record<ChannelId, ChannelEntry>> = entries;

/** Address classes with an opt-out. Push endpoints have none. */
export const identityClasses: readonly IdentityClass[] = distinct(({ identity }) => identity);
export const credentialNames: readonly CredentialName[] = distinct(({ credential }) => credential);
export const webhookChannels = channelIds.filter(
  (id): id is WebhookChannel => catalog[id].webhook !== undefined,
);

/** The channels that can send; others are suppressed as `not_configured`. */
export function availableChannels(hasRelay: boolean): readonly ChannelId[] {
  return channelIds.filter((id) => catalog[id].needsRelay !== true || hasRelay);
}

/** The channels whose addresses belong to this class: five for `phone`, one for every other. */
export function channelsOf(identity: IdentityClass): readonly ChannelId[] {
  return channelIds.filter((id) => catalog[id].identity === identity);
}

function distinct<Value>(of: (entry: ChannelEntry) => Value | undefined): readonly Value[] {
  const values = channelIds.map((id) => of(catalog[id])).filter((value) => value !== undefined);
  return [...new Set(values)];
}
