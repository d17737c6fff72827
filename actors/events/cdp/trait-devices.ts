// Which devices a platform's call adds and removes. An address is its trait's: when the trait
// changes, the device that came from it goes, and no other. It is registered as by a client,
// because the platform's own key is often in an app or a page: what a call with an API key
// registered stays where it is, and channels that bill per message are the app's to allow.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import {
  type ContactTrait,
  type DeviceRow,
  endpoints,
  type SubscriberRow,
} from '../../../storage/tables/subscriber.ts';
import type { EndpointPolicy } from '../../channels/addresses/endpoint.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { holderOf, yields } from '../../people/audience/address-holder.ts';
import { endpointKey } from '../../people/audience/endpoint-owner.ts';
import { normalizeEndpoint } from '../../people/audience/identity.ts';
import type { DeviceInput } from '../../people/audience/protocol.ts';
import type { Contact, PushToken } from './protocol.ts';

export interface DeviceChanges {
  readonly removed: readonly DeviceRow[];
  /** With the field that named it, for errors. */
  readonly added: readonly { readonly device: DeviceInput; readonly field: string }[];
  readonly errors: readonly string[];
}

export interface DeviceRules {
  readonly policy: EndpointPolicy;
  /** Whether channels that bill per message are allowed. */
  readonly allowPaid: boolean;
}

type Reads = { readonly documents: Pick<DocumentReader, 'get'> };

const channelOf = { email: 'email', phone: 'sms' } as const satisfies Record<
  ContactTrait,
  ChannelId
>;

export function contactChanges(
  contact: Contact,
  row: SubscriberRow,
  rules: DeviceRules,
  reads: Reads,
): DeviceChanges {
  const all = { removed: [] as DeviceRow[], added: [] as DeviceChanges['added'][number][] };
  const errors: string[] = [];
  for (const trait of ['email', 'phone'] as const) {
    const endpoint = contact[trait];
    if (endpoint === undefined) continue;
    const older = row.devices.filter(({ fromTrait }) => fromTrait === trait);
    const judged = judge(trait, endpoint, row, rules, reads);
    if ('problem' in judged) errors.push(`traits.${trait}: ${judged.problem}`);
    if ('unreadable' in judged) continue; // what was readable stays
    all.removed.push(...older.filter(({ id }) => id !== judged.kept));
    if (judged.device !== undefined)
      all.added.push({ device: judged.device, field: `traits.${trait}` });
  }
  return { ...all, errors };
}

/** What becomes of a trait's value: a device, one that the person has (`kept`), or nothing. */
interface Judged {
  readonly device?: DeviceInput;
  readonly kept?: string;
}

function judge(
  trait: ContactTrait,
  endpoint: unknown,
  { person }: SubscriberRow,
  { policy, allowPaid }: DeviceRules,
  reads: Reads,
): Judged | (Judged & { readonly problem: string; readonly unreadable?: true }) {
  if (endpoint === null) return {};
  const channel = channelOf[trait];
  const normal = normalizeEndpoint(channel, endpoint, policy);
  if ('problem' in normal) return { problem: normal.problem, unreadable: true };
  const device: DeviceInput = { channel, endpoint, registeredBy: 'client', fromTrait: trait };
  const held = holderOf(device, policy, reads);
  if (held?.holder.person === person) return { kept: held.device.id };
  if (held !== undefined && !yields(held, 'client')) return { problem: isOthers };
  const isPaid = catalog[channel].billsPerMessage === true;
  return isPaid && !allowPaid ? { problem: paid(channel) } : { device };
}

/** The device of a push token, unless the person has it already. */
export function pushChanges(
  { platform, token }: PushToken,
  { person }: SubscriberRow,
  { documents }: Reads,
): DeviceChanges {
  const field = 'context.device.token';
  const none = { removed: [], added: [], errors: [] };
  const channel = platform === 'android' ? 'fcm' : appleChannel(token);
  const normal = normalizeEndpoint(channel, token);
  if ('problem' in normal) return { ...none, errors: [`${field}: ${normal.problem}`] };
  const owner = documents.get(endpoints, endpointKey(channel, normal.key));
  if (owner?.person === person) return none;
  return { ...none, added: [{ device: { channel, endpoint: token }, field }] };
}

/** Apps on Apple's devices may use Firebase: its tokens have a colon, Apple's have none. */
function appleChannel(token: unknown): ChannelId {
  return typeof token === 'string' && token.includes(':') ? 'fcm' : 'apns';
}

const isOthers = 'belongs to someone else; only a request with an API key can move it';

function paid(channel: ChannelId): string {
  return `is stored as a tag and not as a device, because ${channel} messages cost money; the setting keylessEvents.registerPaidChannels allows them`;
}
