// Every channel, one line each. Device validation, opt-out classes, API enums, settings and routes
// follow from it. `identity` is shared: an opt-out by SMS also covers voice, WhatsApp, RCS and
// Kakao.

import { apns } from './apns/channel.ts';
import type { ChannelEntry, WebhookEntry } from './channel-entry.ts';
import {
  type ChannelId,
  type CredentialName,
  channelIds,
  type IdentityClass,
  type WebhookChannel,
} from './channel-ids.ts';
import { email } from './email/channel.ts';
import { fcm } from './fcm/channel.ts';
import { kakao } from './kakao/channel.ts';
import { line } from './line/channel.ts';
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

/** A member of those entries that have it. */
type Member<Name extends string> = {
  [Id in ChannelId]: (typeof entries)[Id] extends Readonly<Record<Name, infer Value>>
    ? Value
    : never;
}[ChannelId];
type Nothing<Left extends never> = Left;
/** Each is `never`: a name in `channel-ids.ts` that no entry has does not compile. */
export type NamesWithoutChannel = [
  identity: Nothing<Exclude<IdentityClass, Member<'identity'>>>,
  credential: Nothing<Exclude<CredentialName, Member<'credential'>>>,
];

/** The names of `ENGAGE_<PROVIDER>_URL`. */
export type ProviderUrlName = KeysOf<Member<'urls'>>;
type KeysOf<Union> = Union extends Union ? keyof Union & string : never;

/** The thirteen channels. */
export const catalog: Readonly<Record<ChannelId, ChannelEntry>> = entries;

/** The classes of address that a person can opt out with. Push endpoints have none. */
export const identityClasses: readonly IdentityClass[] = distinct(({ identity }) => identity);
/** The names under which credentials are uploaded. */
export const credentialNames: readonly CredentialName[] = distinct(({ credential }) => credential);
export const webhookChannels = channelIds.filter(
  (id): id is WebhookChannel => catalog[id].webhook !== undefined,
);
export const providerUrlNames = [
  ...new Set(channelIds.flatMap((id) => Object.keys(catalog[id].urls ?? {}))),
] as readonly ProviderUrlName[];

/** The channels whose addresses belong to this class: five for `phone`, one for each other. */
export function channelsOf(identity: IdentityClass): readonly ChannelId[] {
  return channelIds.filter((id) => catalog[id].identity === identity);
}

function distinct<Value>(of: (entry: ChannelEntry) => Value | undefined): readonly Value[] {
  const values = channelIds.map((id) => of(catalog[id])).filter((value) => value !== undefined);
  return [...new Set(values)];
}
