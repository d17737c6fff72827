// Reads the rows of an import from the bytes of its call, for rows as most people send them: every
// member known, escapes in tags alone, nothing that clears what is stored. For all others it
// returns false, and `readRow` reads them as objects.

import { catalog } from '../../../actors/channels/catalog.ts';
import { type ChannelId, channelIds } from '../../../actors/channels/channel-ids.ts';
import { isPlainAddress } from '../../../actors/channels/email/plain-address.ts';
import { limits } from '../../../actors/limits.ts';
import { normalForm } from '../../../actors/people/audience/identity.ts';
import {
  areSame,
  KnownTexts,
  type RowInBytes,
  TagName,
} from '../../../actors/people/audience/import/row-bytes.ts';
import { checkTags, tagKeyProblem } from '../../../actors/people/audience/tags.ts';
import { isChoiceTag } from '../../../actors/people/topics/choice-tag.ts';
import { inNfc } from '../../../engine/base/nfc.ts';
import { canonicalZone, isOneLine, isTimeZone } from '../../call/schemas/schemas.ts';
import {
  closeBrace,
  closeBracket,
  comma,
  JsonCursor,
  openBrace,
  openBracket,
  quote,
} from './json-cursor.ts';

const names = {
  externalUserId: Buffer.from('externalUserId'),
  tags: Buffer.from('tags'),
  timezone: Buffer.from('timezone'),
  preferredChannels: Buffer.from('preferredChannels'),
  devices: Buffer.from('devices'),
  channel: Buffer.from('channel'),
  endpoint: Buffer.from('endpoint'),
  environment: Buffer.from('environment'),
};
const environments = [
  { name: 'production', bytes: Buffer.from('production') },
  { name: 'sandbox', bytes: Buffer.from('sandbox') },
] as const;
const words = {
  null: Buffer.from('null'),
  true: Buffer.from('true'),
  false: Buffer.from('false'),
};
const channelBytes = channelIds.map((channel) => Buffer.from(channel));
const emailChannel = channelIds.indexOf('email');
/** Of one call. Rows with more are objects. */
const tagNamesMax = 64;
const deleted = 0x7f;

export class RowReader extends JsonCursor implements RowInBytes {
  idStart = 0;
  idEnd = 0;
  timezone: string | undefined;
  preferredChannels: readonly ChannelId[] | undefined;
  readonly tags = {
    count: 0,
    names: new Array<TagName>(tagNamesMax),
    texts: new Int32Array(tagNamesMax),
    starts: new Uint32Array(tagNamesMax),
    ends: new Uint32Array(tagNamesMax),
    others: new Array<number | boolean | undefined>(tagNamesMax).fill(undefined),
  };
  readonly devices = {
    count: 0,
    channels: new Uint8Array(limits.devicesMax),
    environments: new Array<'production' | 'sandbox' | undefined>(limits.devicesMax).fill(
      undefined,
    ),
    starts: new Uint32Array(limits.devicesMax),
    ends: new Uint32Array(limits.devicesMax),
    endpoints: new Array<string | undefined>(limits.devicesMax).fill(undefined),
    keys: new Array<string | undefined>(limits.devicesMax).fill(undefined),
  };
  readonly #tagNames: TagName[] = [];
  readonly #zones = new KnownTexts();
  #row = 0;

  /** No fewer than the JSON values of the row that was read last. */
  get valuesMax(): number {
    return 6 + channelIds.length + this.tags.count + 4 * this.devices.count;
  }

  /** Reads a row. False if it is none of these; `at` is then anywhere in it. */
  row(): boolean {
    this.idEnd = 0;
    this.tags.count = 0;
    this.devices.count = 0;
    this.timezone = undefined;
    this.preferredChannels = undefined;
    this.#row++;
    if (!this.takes(openBrace)) return false;
    let seen = 0;
    do {
      if (!this.name()) return false;
      const member = this.#member();
      if (member === 0 || (seen & member) !== 0) return false;
      seen |= member;
    } while (this.takes(comma));
    return this.takes(closeBrace);
  }

  /** Reads the value of the member that was named last, and returns its bit. */
  #member(): number {
    switch (this.end - this.start) {
      case names.externalUserId.length:
        return this.is(names.externalUserId) && this.#id() ? 1 : 0;
      case names.tags.length:
        return this.is(names.tags) && this.#tags() ? 2 : 0;
      case names.timezone.length:
        return this.is(names.timezone) && this.#zone() ? 4 : 0;
      case names.devices.length:
        return this.is(names.devices) && this.#devices() ? 8 : 0;
      case names.preferredChannels.length:
        return this.is(names.preferredChannels) && this.#preferred() ? 16 : 0;
      default:
        return 0;
    }
  }

  #id(): boolean {
    if (!this.text()) return this.word(words.null);
    const { start, end } = this;
    if (start === end) return false;
    if (this.isAscii) {
      if (end - start > limits.externalUserIdCharsMax) return false;
      for (let at = start; at < end; at++) if (this.source[at] === deleted) return false;
    } else {
      const text = this.string();
      if (text.length > limits.externalUserIdCharsMax || !isOneLine(text)) return false;
    }
    this.idStart = start;
    this.idEnd = end;
    return true;
  }

  #zone(): boolean {
    if (!this.text()) return false;
    const { source, start, end } = this;
    let index = this.#zones.find(source, start, end);
    if (index < 0) {
      const text = this.string();
      if (!isTimeZone(text)) return false;
      index = this.#zones.add(source, start, end, canonicalZone(text));
    }
    this.timezone = this.#zones.texts[index];
    return true;
  }

  #preferred(): boolean {
    if (!this.takes(openBracket)) return false;
    const preferred: ChannelId[] = [];
    do {
      if (!this.text()) return false;
      const channel = channelIds[this.#channel()];
      if (channel === undefined || preferred.includes(channel)) return false;
      preferred.push(channel);
    } while (this.takes(comma));
    this.preferredChannels = preferred;
    return this.takes(closeBracket);
  }

  /** The index of the channel that was read last, or -1. */
  #channel(): number {
    for (let i = 0; i < channelBytes.length; i++) if (this.is(channelBytes[i] as Buffer)) return i;
    return -1;
  }

  #tags(): boolean {
    if (!this.takes(openBrace)) return false;
    if (this.takes(closeBrace)) return true;
    let before: TagName | undefined;
    do {
      if (!this.anyText()) return false;
      const name = this.#tagName(before);
      if (!this.colon()) return false;
      if (name === undefined || name.row === this.#row || !this.#tag(name)) return false;
      name.row = this.#row;
      before = name;
    } while (this.takes(comma));
    return this.takes(closeBrace);
  }

  /** Most rows have the same tags in the same order. */
  #tagName(before: TagName | undefined): TagName | undefined {
    const known = this.#tagNames;
    const expected = before === undefined ? known[0] : before.next;
    if (expected !== undefined && this.#isNamed(expected)) return expected;
    const name = known.find((one) => this.#isNamed(one)) ?? this.#newName();
    if (before !== undefined && name !== undefined) before.next = name;
    return name;
  }

  #isNamed(name: TagName): boolean {
    return areSame(this.source, name.start, name.end, this.start, this.end);
  }

  #newName(): TagName | undefined {
    const text = this.decoded();
    // An object has members that look like an index in another order.
    if (this.#tagNames.length === tagNamesMax || text === undefined || /^\d/.test(text))
      return undefined;
    if (inNfc(text) !== text || tagKeyProblem(text) !== undefined) return undefined;
    if (isChoiceTag(text)) return undefined; // the actor alone knows the topics
    // One name in two spellings: a row with both has it twice.
    if (this.#tagNames.some((one) => one.text === text)) return undefined;
    const name = new TagName(text, this.start, this.end, this.hasEscape);
    this.#tagNames.push(name);
    return name;
  }

  #tag(name: TagName): boolean {
    const { tags } = this;
    const i = tags.count++;
    tags.names[i] = name;
    if (this.next() !== quote) {
      tags.texts[i] = -1;
      const value = this.#other();
      tags.others[i] = value;
      return value !== undefined;
    }
    if (!this.anyText()) return false;
    const { source, start, end } = this;
    let index = name.values.find(source, start, end);
    if (index < 0) {
      const text = this.#tagText();
      if (text === undefined) return false;
      index = name.values.add(source, start, end, text);
    }
    tags.texts[i] = index;
    tags.starts[i] = this.hasEscape ? 0 : start;
    tags.ends[i] = this.hasEscape ? 0 : end;
    return true;
  }

  /** The text that was read last, if it may be a value of a tag as it is. */
  #tagText(): string | undefined {
    if (!this.hasEscape && this.end - this.start > limits.tagValueBytesMax) return undefined;
    const text = this.decoded();
    if (text === undefined || (!this.isAscii && inNfc(text) !== text)) return undefined;
    // Only an escape can be half of a surrogate pair, or a control character.
    return this.hasEscape && checkTags({ text }) !== undefined ? undefined : text;
  }

  /** A number, true or false. */
  #other(): number | boolean | undefined {
    if (this.word(words.true)) return true;
    if (this.word(words.false)) return false;
    return this.number();
  }

  #devices(): boolean {
    if (!this.takes(openBracket)) return false;
    if (this.takes(closeBracket)) return true;
    do {
      if (this.devices.count === limits.devicesMax || !this.#device()) return false;
    } while (this.takes(comma));
    return this.takes(closeBracket);
  }

  #device(): boolean {
    const { devices } = this;
    if (!this.takes(openBrace)) return false;
    let channel = -1;
    let start = 0;
    let end = 0;
    let isAscii = true;
    let environment: 'production' | 'sandbox' | undefined;
    do {
      if (!this.name()) return false;
      if (channel < 0 && this.is(names.channel)) {
        if (!this.text() || (channel = this.#channel()) < 0) return false;
      } else if (end === 0 && this.is(names.endpoint)) {
        if (!this.text()) return false;
        ({ start, end, isAscii } = this);
      } else if (environment === undefined && this.is(names.environment)) {
        if (!this.text()) return false;
        environment = environments.find(({ bytes }) => this.is(bytes))?.name;
        if (environment === undefined) return false;
      } else return false;
    } while (this.takes(comma));
    if (channel < 0 || end === 0 || !this.takes(closeBrace)) return false;
    const i = devices.count++;
    devices.channels[i] = channel;
    devices.environments[i] = environment;
    devices.starts[i] = start;
    devices.ends[i] = end;
    return this.#endpoint(i, isAscii);
  }

  /** Brings the endpoint of a device to its normal form. */
  #endpoint(i: number, isAscii: boolean): boolean {
    const { channels, starts, ends, endpoints, keys } = this.devices;
    const index = channels[i] as number;
    const start = starts[i] as number;
    const end = ends[i] as number;
    endpoints[i] = undefined;
    keys[i] = undefined;
    if (index === emailChannel && isPlainAddress(this.source, start, end)) return true;
    const channel = channelIds[index] as ChannelId;
    const text = this.source.toString(isAscii ? 'latin1' : 'utf8', start, end);
    // The actor alone knows which country's it is.
    if (catalog[channel].identity === 'phone' && !text.trimStart().startsWith('+')) return false;
    const normal = normalForm(channel, text);
    if ('problem' in normal || typeof normal.endpoint !== 'string') return false;
    endpoints[i] = normal.endpoint;
    keys[i] = normal.key;
    return true;
  }
}
