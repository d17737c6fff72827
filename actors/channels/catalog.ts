// Every channel, one line each: the one list to read or change when a channel is added. Device
// validation, the suppression classes, the OpenAPI enums, settings and routes all follow from it.
// `identity` is shared: suppressing a number on sms silences it on voice, whatsapp, rcs and kakao.

import { apns } from './apns/channel.ts';
import type { ChannelEntry } from './channel-entry.ts';
import { type ChannelId, channelIds } from './channel-ids.ts';
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
} as const satisfies Readonly<Record<ChannelId, ChannelEntry>>;
type Entries = typeof entries;

/** A member of those entries that have it. */
type Member<Name extends string> = {
  [Id in ChannelId]: Entries[Id] extends Readonly<Record<Name, infer Value>> ? Value : never;
}[ChannelId];
/** The channels whose entries have a member. */
type Having<Name extends string> = {
  [Id in ChannelId]: Entries[Id] extends Readonly<Record<Name, unknown>> ? Id : never;
}[ChannelId];

/** The classes of address that a person can opt out with. Push endpoints have none. */
export type IdentityClass = Member<'identity'>;
/** The names under which credentials are uploaded. */
export type CredentialName = Member<'credential'>;
/** The channels whose providers call one address of an app with everything. */
export type WebhookChannel = Having<'webhook'>;
/** The names of `ENGAGE_<PROVIDER>_URL`. */
export type ProviderUrlName = KeysOf<Member<'urls'>>;
type KeysOf<Union> = Union extends Union ? keyof Union & string : never;

/** One channel's entry, as the catalogue has it. */
interface CatalogEntry extends ChannelEntry {
  readonly identity?: IdentityClass;
  readonly credential?: CredentialName;
}

/** The thirteen channels. */
export const catalog: Readonly<Record<ChannelId, CatalogEntry>> = entries;

export const identityClasses: readonly IdentityClass[] = distinct(({ identity }) => identity);
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

function distinct<Value>(of: (entry: CatalogEntry) => Value | undefined): readonly Value[] {
  const values = channelIds.map((id) => of(catalog[id])).filter((value) => value !== undefined);
  return [...new Set(values)];
}
