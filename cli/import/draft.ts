// A person of another service as they come out of one record: identity, devices, tags, opt-outs and
// choices of topics. An address and its standing are given together, so none is taken without it.

import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import { canonicalLanguage } from '../../actors/channels/words/language-tag.ts';
import { limits } from '../../actors/limits.ts';
import { normalizeEndpoint } from '../../actors/people/audience/identity.ts';
import { checkTags } from '../../actors/people/audience/tags.ts';
import { isOneLine, isTimeZone } from '../../http/call/schemas/schemas.ts';
import type { PersonRow, RowDevice } from './person.ts';
import { exportedPhoneNumber } from './phone-number.ts';
import { WrongRecord } from './wrong-record.ts';

/**
 * Whether an address may be sent to. `never`: nobody asked them. `pending`: they were asked to
 * confirm, and have not. `refused`: hard bounces, complaints and block lists.
 */
export type Standing = 'subscribed' | 'unsubscribed' | 'never' | 'pending' | 'refused';

/** An opt-out as `POST /v1/import/suppressions` takes it. */
export interface BroughtOptOut {
  readonly channel: ChannelId;
  readonly address: string;
  readonly scope?: 'marketing';
  readonly reason: string;
}

/** A value that was not imported, though its record was. */
export type LeftOut =
  | 'tag_invalid'
  | 'timezone_invalid'
  | 'language_invalid'
  | 'push_opted_out'
  | 'push_token_invalid'
  | 'push_other_platform'
  | 'too_many_devices';

export interface DraftOptions {
  readonly title: string;
  readonly consent: 'confirmed' | 'doubleOptIn';
  readonly optOuts: 'as-exported' | 'all';
  readonly tagPrefix: string;
}

/** What a tag may be. */
export type ImportedTag = string | number | boolean | readonly string[];

const addressCharsMax = 320;

export class Draft {
  readonly optOuts: BroughtOptOut[] = [];
  readonly left: LeftOut[] = [];
  /** Names as the service has them. */
  readonly topics = new Map<string, 'in' | 'out'>();
  /** A record of a list of suppressed addresses is no person. */
  isPerson = true;
  readonly #options: DraftOptions;
  readonly #tags: Record<string, ImportedTag> = {};
  readonly #devices: RowDevice[] = [];
  readonly #ids: string[] = [];
  #timezone: string | undefined;
  #problem: string | undefined;

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  /** The first thing that is wrong: nobody is made of the record, but its opt-outs count. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Notes a wrong value and goes on, because the rest of the record may say that somebody left. */
  attempt<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof WrongRecord)) throw error;
      this.#problem ??= error.message;
      return undefined;
    }
  }

  /** Of several the first counts; blank ones are no ids. */
  id(text: string): void {
    if (text !== '') this.attempt(() => this.#id(text));
  }

  /** The address is the id of who has no other. `why`: in the service's words. */
  email(address: string, standing: Standing, why = ''): void {
    if (address === '') return;
    this.#address('email', address, standing, why);
    const normal = normalizeEndpoint('email', address);
    if ('key' in normal) this.#ids.push(normal.key);
  }

  /** `country`: where the number is from, if the record says so. */
  phone(number: string, standing: Standing, why = '', country?: string): void {
    if (number === '') return;
    const digits = number.replace(/^'/, '');
    const normal = exportedPhoneNumber(digits, country) ?? digits;
    this.#address('sms', normal, standing, why);
    if (normal.startsWith('+')) this.#ids.push(normal);
  }

  push(channel: 'fcm' | 'apns', token: string, isOptedOut: boolean): void {
    if (isOptedOut) this.left.push('push_opted_out');
    else if (token === '' || token.length > 4_096) this.left.push('push_token_invalid');
    else this.#device({ channel, endpoint: token });
  }

  topic(name: string, choice: 'in' | 'out'): void {
    // Of two lines that say different things, the one that sends less counts.
    if (name !== '' && this.topics.get(name) !== 'out') this.topics.set(name, choice);
  }

  tag(name: string, value: ImportedTag | undefined): void {
    const key = `${this.#options.tagPrefix}${name}`.normalize('NFC');
    if (name === '' || value === undefined || value === '') return;
    if (checkTags({ [key]: value }) === undefined) this.#tags[key] = value;
    else this.left.push('tag_invalid');
  }

  timezone(text: string): void {
    if (isTimeZone(text)) this.#timezone = text;
    else if (text !== '') this.left.push('timezone_invalid');
  }

  language(text: string): void {
    if (text === '') return;
    const tag = canonicalLanguage(text);
    if (tag === undefined) this.left.push('language_invalid');
    else this.#tags['language'] ??= tag;
  }

  /** `undefined` if the record is only about addresses. Throws `WrongRecord` for nobody. */
  row(keyOf: (topic: string) => string | undefined): PersonRow | undefined {
    if (!this.isPerson || this.#problem !== undefined) return undefined;
    const [externalUserId] = this.#ids;
    if (externalUserId === undefined)
      throw new WrongRecord('id: is missing, and there is no address in its place');
    const topics: Record<string, 'in' | 'out'> = {};
    for (const [name, choice] of this.topics) {
      const key = keyOf(name);
      if (key !== undefined && topics[key] !== 'out') topics[key] = choice;
    }
    return {
      externalUserId,
      ...(Object.keys(this.#tags).length === 0 ? {} : { tags: this.#tags }),
      ...(this.#timezone === undefined ? {} : { timezone: this.#timezone }),
      ...(this.#devices.length === 0 ? {} : { devices: this.#devices }),
      ...(Object.keys(topics).length === 0 ? {} : { topics }),
    };
  }

  #id(text: string): void {
    if (text.length > limits.externalUserIdCharsMax || !isOneLine(text))
      throw new WrongRecord(`id: expected at most ${limits.externalUserIdCharsMax} characters`);
    if (/^-?\d(?:[.,]\d+)?E\+\d{2,}$/.test(text))
      throw new WrongRecord(`id: a spreadsheet has rounded “${text}”; export the file again`);
    this.#ids.push(text);
  }

  #address(channel: 'email' | 'sms', address: string, standing: Standing, why: string): void {
    if (address.length > addressCharsMax)
      throw new WrongRecord(`${channel}: expected at most ${addressCharsMax} characters`);
    if (standing !== 'subscribed' && standing !== 'pending') {
      const { title, optOuts } = this.#options;
      const isNarrow = standing !== 'refused' && optOuts !== 'all';
      const reason = `${why === '' ? reasons[standing] : why} (${title})`.slice(0, 500);
      const scope = isNarrow ? { scope: 'marketing' as const } : {};
      this.optOuts.push({ channel, address, ...scope, reason });
    }
    // The server asks email addresses; others cannot be asked.
    const isAsked = this.#options.consent === 'doubleOptIn' && channel !== 'email';
    const waits =
      isAsked || standing === 'pending' ? { enabled: false, disabledReason: 'unconfirmed' } : {};
    this.#device({ channel, endpoint: address, ...(waits as Pick<RowDevice, 'enabled'>) });
  }

  #device(device: RowDevice): void {
    if (this.#devices.length < limits.devicesMax) this.#devices.push(device);
    else this.left.push('too_many_devices');
  }
}

const reasons: Readonly<Record<Exclude<Standing, 'subscribed' | 'pending'>, string>> = {
  unsubscribed: 'unsubscribed',
  never: 'never subscribed',
  refused: 'bounced or complained',
};
