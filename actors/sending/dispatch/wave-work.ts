// One wave in a dispatcher: each row's record is read and its message rendered when its turn comes,
// and the outcomes are collected in columns. A row that cannot be rendered has an outcome too, so
// every granted row is reported exactly once.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { formatId } from '../../../engine/base/id.ts';
import { asBuffer, DamagedRecord } from '../../../storage/codec.ts';
import { catalog } from '../../channels/catalog.ts';
import { type MailboxGroup, mailboxGroups } from '../../channels/email/mailbox-groups.ts';
import type { Attempt } from '../../channels/port/attempt.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { contentFor } from '../../content/render/content-for.ts';
import { languageOf } from '../../content/render/localize.ts';
import type { MailNamed } from '../../people/about-send.ts';
import { deviceIdBytes, writeDeviceId } from '../../people/audience/device-ids.ts';
import { senderDomain } from '../mailboxes/reads.ts';
import { partOf } from '../outbox/account-probes.ts';
import type { FoundMailbox } from './mailbox-lookup.ts';
import {
  personReader,
  type ReadPerson,
  type Recipient,
  type SendableDevice,
} from './person-reader.ts';
import type { DispatchWave, WaveReport } from './protocol.ts';
import { type RelayWay, wayOf } from './relay-ways.ts';

const outcomesMax = 255;

interface Done {
  readonly row: number;
  readonly deviceId: string;
  /** `undefined`: returned unsent. */
  readonly outcome: Outcome | undefined;
  /** Of an email, if a provider was called. */
  readonly mailbox: FoundMailbox | undefined;
}

/** The signed address that unsubscribes an address from an app. */
export type UnsubscribeUrl = (app: number, address: string, about: MailNamed) => string;

export class WaveWork {
  readonly wave: DispatchWave;
  readonly grantedMs: Millis;
  readonly by: RelayWay | undefined;
  readonly #unsubscribeUrl: UnsubscribeUrl;
  readonly #records: Buffer;
  readonly #usesLanguage: boolean;
  /** On channels that use a language. */
  readonly #wording: Attempt['wording'];
  /** By variant. */
  readonly #readers: (ReadPerson | undefined)[] = [];
  #next = 0;
  #recalled: Set<PersonOrdinal> | undefined;
  #done: Done[] = [];
  #finished = 0;

  constructor(wave: DispatchWave, grantedMs: Millis, unsubscribeUrl: UnsubscribeUrl) {
    this.wave = wave;
    this.by = wayOf(wave.relay);
    this.#records = asBuffer(wave.records);
    this.#usesLanguage = catalog[wave.channel].usesLanguage === true;
    this.#wording = this.#usesLanguage ? wave.wording : undefined;
    this.grantedMs = grantedMs;
    this.#unsubscribeUrl = unsubscribeUrl;
  }

  /** Whether a row is left. */
  get isOpen(): boolean {
    return this.#next < this.wave.people.length;
  }

  get hasDone(): boolean {
    return this.#done.length > 0;
  }

  /** Whether every row has its outcome. */
  get isOver(): boolean {
    return this.#finished === this.wave.people.length;
  }

  /** The next row. */
  take(): number {
    return this.#next++;
  }

  /** Rows of these people must not begin. */
  recall(people: readonly PersonOrdinal[]): void {
    this.#recalled ??= new Set();
    for (const person of people) this.#recalled.add(person);
  }

  isRecalled(row: number): boolean {
    return this.#recalled?.has(this.wave.people[row] as PersonOrdinal) ?? false;
  }

  /** Whether an endpoint belongs to a part of the provider that is failing. */
  isHeld(endpoint: Attempt['endpoint']): boolean {
    const { channel, held } = this.wave;
    if (held === undefined) return false;
    const part = partOf(channel, endpoint);
    return part !== undefined && held.includes(part);
  }

  /** A row's attempt, or its outcome where there is no attempt. */
  prepare(row: number, nowMs: Millis): Attempt | Outcome {
    const { wave } = this;
    const variant = wave.variants?.[row] ?? 0;
    const message = wave.contents[variant];
    if (message === undefined)
      return { outcome: 'permanent', reason: 'invalid_content', detail: 'its message is gone' };
    this.#readers[variant] ??= personReader(message, wave.channel);
    const recipient = this.#recipientOf(row, this.#readers[variant]);
    if (recipient instanceof DamagedRecord)
      return { outcome: 'permanent', reason: 'internal', detail: 'unreadable record' };
    const { person, device } = recipient;
    if (device === undefined) return { outcome: 'permanent', reason: 'no_device' };
    const app = { name: wave.appName, timezone: wave.timezone };
    const utm = wave.utm?.[variant];
    const rendered = contentFor(message, person, app, wave.channel, nowMs, undefined, utm);
    if ('fault' in rendered) {
      const { message: detail } = rendered.fault;
      return { outcome: 'permanent', reason: 'invalid_content', detail };
    }
    const language = this.#usesLanguage ? languageOf(person.tags) : undefined;
    return this.#attemptOf(row, device, rendered.content, language);
  }

  /** Records a row's outcome; `undefined` where it is returned unsent. */
  finish(
    row: number,
    deviceId: string,
    outcome: Outcome | undefined,
    mailbox?: FoundMailbox,
  ): void {
    this.#finished++;
    this.#done.push({ row, deviceId, outcome, mailbox });
  }

  /** Returns all remaining rows unsent. */
  handBack(): number {
    const from = this.#next;
    this.#next = this.wave.people.length;
    for (let row = from; row < this.#next; row++) this.finish(row, '', undefined);
    return this.#next - from;
  }

  /**
   * Outcomes since the last report. Outcomes that differ only in the provider's message id are one.
   */
  report(): WaveReport {
    const done = this.#done;
    const { wave } = this;
    const some =
      done.length > outcomesMax && countKinds(done) > outcomesMax
        ? done.splice(0, outcomesMax)
        : done.splice(0);
    some.sort((one, other) => one.row - other.row);
    const outcomes: (Outcome | null)[] = [];
    const codeOf = new Map<string, number>();
    const people = new Uint32Array(some.length);
    const codes = new Uint8Array(some.length);
    const devices = new Uint8Array(some.length * deviceIdBytes);
    const providerIds: string[] = [];
    let hasProviderId = false;
    some.forEach(({ row, deviceId, outcome }, i) => {
      people[i] = wave.people[row] as number;
      writeDeviceId(deviceId, devices, i * deviceIdBytes);
      const providerId = outcome?.providerMessageId;
      providerIds.push(providerId ?? '');
      if (providerId !== undefined) hasProviderId = true;
      const name = keyOf(outcome);
      let code = codeOf.get(name);
      if (code === undefined) {
        code = outcomes.push(outcome === undefined ? null : withoutProviderId(outcome)) - 1;
        codeOf.set(name, code);
      }
      codes[i] = code;
    });
    return {
      kind: 'dispatch.wave_report',
      by: -1,
      channel: wave.channel,
      wave: wave.wave,
      people,
      outcomes,
      codes,
      devices,
      ...(hasProviderId ? { providerIds } : {}),
      ...this.#mail(some),
    };
  }

  #mail(done: readonly Done[]): Pick<WaveReport, 'mail'> {
    if (done.every(({ mailbox }) => mailbox === undefined)) return {};
    const groups = new Uint8Array(done.length);
    const hosted = new Map<number, MailboxGroup>();
    done.forEach(({ mailbox }, i) => {
      groups[i] = mailboxGroups.indexOf(mailbox?.group ?? 'others');
      if (mailbox?.hosted !== undefined) hosted.set(mailbox.hosted, mailbox.group);
    });
    const mail = {
      domain: senderDomain(this.wave.email),
      relay: this.by?.name ?? serverRelay,
      groups,
    };
    return { mail: hosted.size === 0 ? mail : { ...mail, hosted: [...hosted] } };
  }

  #recipientOf(row: number, read: ReadPerson): Recipient | DamagedRecord {
    const { ends } = this.wave;
    const from = row === 0 ? 0 : (ends[row - 1] as number);
    try {
      return read(this.#records.subarray(from, ends[row]));
    } catch (error) {
      if (error instanceof DamagedRecord) return error;
      throw error;
    }
  }

  #attemptOf(
    row: number,
    device: SendableDevice,
    content: Attempt['content'],
    language: string | undefined,
  ): Attempt {
    const { wave } = this;
    const { endpoint, environment } = device;
    const isMail = wave.channel === 'email' && typeof endpoint === 'string';
    const sendId = formatId('ntf', { ...wave.sendParts, low32: wave.people[row] as number });
    return {
      sendId,
      deviceId: device.id,
      appId: wave.appId,
      appName: wave.appName,
      channel: wave.channel,
      lane: 'bulk',
      attempt: 1,
      endpoint,
      registeredMs: device.createdMs,
      ...(environment === undefined ? {} : { environment }),
      content,
      acceptedMs: wave.acceptedMs,
      ...(language === undefined ? {} : { language }),
      ...(this.#wording === undefined ? {} : { wording: this.#wording }),
      ...(isMail
        ? {
            email: {
              ...wave.email,
              person: wave.people[row] as number,
              campaignId: wave.campaignId,
              ...(wave.linkHost === undefined ? {} : { linkHost: wave.linkHost }),
              ...(wave.topic === undefined ? {} : { topic: wave.topic }),
              unsubscribeUrl: this.#unsubscribeUrl(wave.app, endpoint, {
                sendId,
                deviceId: device.id,
                ...(wave.topic === undefined ? {} : { topic: wave.topic }),
              }),
            },
          }
        : {}),
    };
  }
}

function keyOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return '';
  if (outcome.outcome === 'accepted') {
    const kind = outcome.reports === true ? 'reports' : 'accepted';
    return outcome.moved === undefined ? kind : `${kind}|${JSON.stringify(outcome.moved)}`;
  }
  const { reason, detail = '', retryAfterMs = '', account = '', domain = '' } = outcome;
  const { atLeastMs = '' } = outcome;
  return `${outcome.outcome}|${reason}|${detail}|${retryAfterMs}|${account}|${domain}|${atLeastMs}`;
}

function withoutProviderId({ providerMessageId: _, ...kind }: Outcome): Outcome {
  return kind as Outcome;
}

function countKinds(done: readonly Done[]): number {
  return new Set(done.map(({ outcome }) => keyOf(outcome))).size;
}
