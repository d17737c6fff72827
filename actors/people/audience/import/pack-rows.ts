// Packs the rows of an import's slice, on the caller's side of the actor: everything about a row
// that does not depend on what is stored. The actor decides rows in another form as objects.

import { catalog } from '../../../channels/catalog.ts';
import type { ChannelId } from '../../../channels/channel-ids.ts';
import { isDisposableAddress } from '../../../channels/email/address-flags.ts';
import { limits } from '../../../limits.ts';
import { isChoiceTag } from '../../topics/choice-tag.ts';
import { normalForm } from '../identity.ts';
import type { DeviceInput, PackedRows, SubscriberInput } from '../protocol.ts';
import { checkTags } from '../tags.ts';
import { type NormalDevice, RowPacker } from './row-packer.ts';

/** What an import's message has of its rows. */
export interface SliceRows {
  /** `null` for the next one of the packed rows. */
  readonly rows: readonly (SubscriberInput | null)[];
  readonly packed?: PackedRows;
}

/** The row packed, as an object, or as an object together with all rows of its slice. */
type Form = readonly NormalDevice[] | 'object' | 'unsure';

/** Fewer are not worth the columns. */
export const worthMin = 8;
/** Bounds of records together, so that the actor never ends the slice before its last row. */
export const bytesMaxOfSlice = 1024 * 1024;
const noDevices: readonly NormalDevice[] = [];
const packer = new RowPacker();

/**
 * Two rows that name one person or one address depend on each other, so both stay objects. Where
 * an address may mean another one in the app's country, any two rows may.
 */
export function packRows(rows: readonly SubscriberInput[], rowsMin = worthMin): SliceRows {
  if (rows.length < rowsMin) return { rows };
  const forms: Form[] = [];
  const ids = new Repeats();
  const addresses = new RepeatedAddresses();
  for (const row of rows) {
    const form = formOfRow(row, addresses);
    if (form === 'unsure') return { rows };
    if (row.externalUserId !== undefined) ids.add(row.externalUserId);
    forms.push(form);
  }
  const isAlone = ({ externalUserId }: SubscriberInput, devices: readonly NormalDevice[]) =>
    !(externalUserId !== undefined && ids.has(externalUserId)) &&
    !devices.some(({ input, key }) => addresses.on(input.channel).has(key));
  packer.begin(rows.length);
  const left = rows.map((row, at) => {
    const form = forms[at] as Form;
    return typeof form !== 'string' && isAlone(row, form) && packer.add(row, form) ? null : row;
  });
  return packer.count < rowsMin || packer.bytesMax > bytesMaxOfSlice
    ? { rows }
    : { rows: left, packed: packer.end() };
}

/** Notes the addresses of the row. */
export function formOfRow(row: SubscriberInput, addresses: Addresses): Form {
  const { devices } = row;
  let form: Form = isPlain(row) ? noDevices : 'object';
  if (devices === undefined) return form;
  const normal: NormalDevice[] = [];
  for (const input of devices) {
    const { channel, endpoint } = input;
    // The actor alone knows which push services a subscription may name; none is packed.
    if (typeof endpoint !== 'string') {
      form = 'object';
      continue;
    }
    const isNumber = catalog[channel].identity === 'phone';
    if (isNumber && !endpoint.trimStart().startsWith('+')) return 'unsure';
    const known = normalForm(channel, endpoint);
    if ('problem' in known || typeof known.endpoint !== 'string') {
      form = 'object';
      continue;
    }
    addresses.add(channel, known.key);
    normal.push({ input, endpoint: known.endpoint, key: known.key });
    // The actor alone knows whether the app refuses it.
    if (channel === 'email' && isDisposableAddress(known.endpoint)) form = 'object';
    if (!isPlainDevice(input)) form = 'object';
  }
  return form === 'object' || normal.length > limits.devicesMax ? 'object' : normal;
}

/** Whether a row only adds: what it clears or chooses depends on what is stored. */
function isPlain(row: SubscriberInput): boolean {
  const { tags, topics, timezone, preferredChannels, refused } = row;
  if (refused !== undefined || topics !== undefined || timezone === null) return false;
  if (preferredChannels === null || preferredChannels?.length === 0) return false;
  if (tags === undefined) return true;
  for (const key in tags)
    if (tags[key] === null || Object.is(tags[key], -0) || isChoiceTag(key)) return false;
  return checkTags(tags) === undefined;
}

function isPlainDevice({ enabled, disabledReason, registeredBy, fromTrait, place }: DeviceInput) {
  if (enabled !== undefined || disabledReason !== undefined || place !== undefined) return false;
  return registeredBy === undefined && fromTrait === undefined;
}

/** Many people have one number on several channels, and each channel has its own endpoints. */
export interface Addresses {
  add(channel: ChannelId, key: string): void;
}

class RepeatedAddresses implements Addresses {
  readonly #of = new Map<ChannelId, Repeats>();

  add(channel: ChannelId, key: string): void {
    this.on(channel).add(key);
  }

  on(channel: ChannelId): Repeats {
    let repeats = this.#of.get(channel);
    if (repeats === undefined) {
      repeats = new Repeats();
      this.#of.set(channel, repeats);
    }
    return repeats;
  }
}

/** What came more than once. */
class Repeats {
  readonly #seen = new Set<string>();
  readonly #again = new Set<string>();

  add(text: string): void {
    const { size } = this.#seen;
    if (this.#seen.add(text).size === size) this.#again.add(text);
  }

  has(text: string): boolean {
    return this.#again.size > 0 && this.#again.has(text);
  }
}
