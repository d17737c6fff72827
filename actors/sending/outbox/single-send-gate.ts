// The gate for one device of one send, with the records of this turn. Marketing passed the gate
// when its program decided to send; this asks again the rules whose answer may have changed.

import type { PumpContext } from '../../../engine/actor/machine.ts';
import type { Ages } from '../../../engine/actor/message.ts';
import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { LiveActivityRow } from '../../../storage/tables/live-activity.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { SuppressionRow } from '../../../storage/tables/suppression.ts';
import { isOptedOut } from '../../audiences/segments/trait-changes.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { takesMarketing } from '../../people/audience/identity.ts';
import { isOwnOptOut } from '../../people/audience/opt-out.ts';
import { isUnconfirmed } from '../../people/audience/unconfirmed.ts';
import { Gate } from '../gate/gate.ts';
import type { OrgRoom } from '../gate/org-room.ts';
import type { SuppressReason } from '../gate/reasons.ts';
import { hold, type NotSent, suppress } from '../gate/verdict.ts';
import type { WarmUpRoom } from '../warm-up/room.ts';
import { isActivity, whyNotPushed } from './activity-push.ts';
import { copiesFor, copyCount, isCopiedBy, type MailCopies, noCopies } from './copies.ts';
import { isOver } from './expiry.ts';
import type { Job, Target } from './job.ts';
import type { SendsView } from './reads.ts';
import type { SendContent } from './records.ts';

/** Content: rendered at accept, or to be rendered now. */
export type StoredContent = { readonly row: SendRow } | { readonly message: MessageContent };

/** The stored records of a target. */
export interface TargetRecords {
  readonly person: SubscriberRow | undefined;
  readonly device: DeviceRow | undefined;
  readonly words: StoredContent | undefined;
  readonly activity: LiveActivityRow | undefined;
  /** Of a mail that asks for the confirmation of an address. */
  readonly optOut?: SuppressionRow | undefined;
}

export interface MaySend {
  readonly answer: 'send';
  /** Of an email. */
  readonly copies: MailCopies;
  readonly person: SubscriberRow;
  readonly device: DeviceRow;
  readonly words: StoredContent;
}

/** How often a send asks that has expired unless the clock is wrong. */
const unsureWaitMs: Millis = 5 * minuteMs;
const clockAgreesMs: Millis = minuteMs;
/** As if the clock were confirmed. */
const byTheClock: Ages = {
  cutMs: (nowMs, windowMs) => nowMs - windowMs,
  isUnsure: () => false,
};

export class SingleSendGate {
  /** Of the emails that this turn starts: their places, and how many copies each has. */
  readonly copies: (readonly [item: number, copies: number])[] = [];
  readonly #app: SendsView;
  readonly #nowMs: Millis;
  readonly #ages: Ages;
  readonly #behindMs: Millis;
  readonly #isConfigured: boolean;
  readonly #room: OrgRoom;
  /** While the app's sender domain is warming up. */
  readonly #warmUp: WarmUpRoom | undefined;
  /** By topic. */
  readonly #marketing = new Map<string | undefined, Gate>();
  readonly #channel: ChannelId;
  /** Sends of which a mail has left in this turn, which memory does not show yet. */
  readonly #copied = new Set<string>();

  constructor(
    app: SendsView,
    channel: ChannelId,
    isConfigured: boolean,
    room: OrgRoom,
    { nowMs, wallMs, ages }: Pick<PumpContext, 'nowMs' | 'wallMs' | 'ages'>,
    warmUp?: WarmUpRoom,
  ) {
    this.#app = app;
    this.#nowMs = nowMs;
    this.#ages = ages;
    this.#isConfigured = isConfigured;
    this.#room = room;
    this.#behindMs = nowMs - wallMs;
    this.#channel = channel;
    this.#warmUp = channel === 'email' ? warmUp : undefined;
  }

  ask(job: Job, target: Target, records: TargetRecords): MaySend | NotSent {
    const over = this.#whyOver(job, target, records);
    if (over !== undefined) return suppress(over);
    const { person, device, words } = records;
    const asksOptIn = isOptInMail(words);
    if (person === undefined || device === undefined) return suppress('no_device');
    if (!device.enabled && !(asksOptIn && isUnconfirmed(device))) return suppress('no_device');
    const expiry = this.#expiry(job, target);
    if (expiry !== undefined) return expiry;
    const hasOptedOut = job.origin === undefined ? this.#isSuppressed : this.#isNoMarketing;
    const isOut = asksOptIn ? isOthersOptOut(records) : isOptedOut(device, hasOptedOut);
    if (isOut) return suppress('opt_out');
    if (job.origin !== undefined && this.#app.resting.restsDevice(device.id, this.#nowMs))
      return suppress('resting');
    if (!this.#isConfigured) return suppress('not_configured');
    const { origin } = job;
    const asked = origin && this.#marketingOf(origin.topic).askAgain(job.person);
    if (asked?.answer === 'hold')
      return hold(asked.reason, asked.untilMs, job.expiresMs ?? Number.POSITIVE_INFINITY);
    if (asked?.answer === 'suppress') return asked;
    if (words === undefined) return suppress('content_removed');
    let copies = noCopies;
    if (target.channel === 'email') {
      if (hasNoSubject(words)) return suppress('invalid_content');
      copies = this.#copiesOf(job, target, person, words);
      const verdict = this.#room.askEmail(1 + copyCount(copies));
      if (verdict.answer !== 'send') return verdict;
      if (!this.#isWarm(job, target, device))
        return hold('warm_up', this.#warmUp?.untilMs ?? 0, job.expiresMs ?? Infinity);
    }
    return { answer: 'send', person, device, words, copies };
  }

  /**
   * Takes an email and its copies of the org's room. The daily cap counted them when the send was
   * queued. `item`: the email's place among those that this turn starts.
   */
  takeRoom(
    { sendId, origin }: Job,
    target: Target,
    { device, copies }: MaySend,
    item: number,
  ): void {
    if (target.channel !== 'email') return;
    const { cc = [], bcc = [] } = copies;
    const addresses = [addressOf(device), ...cc, ...bcc];
    this.#room.takeEmail(addresses.length);
    if (addresses.length > 1) {
      this.#copied.add(sendId);
      this.copies.push([item, addresses.length - 1]);
    }
    // A campaign took what it hands over.
    if (target.warmed !== true && origin?.campaignId === undefined)
      this.#warmUp?.take(addresses.length, addresses);
  }

  #copiesOf(job: Job, target: Target, person: SubscriberRow, words: StoredContent): MailCopies {
    if (!('row' in words)) return noCopies;
    const reached = person.devices.filter(({ id }) =>
      job.targets.some(({ deviceId, channel }) => deviceId === id && channel === 'email'),
    );
    const copies = copiesFor(this.#app, words.row.content, reached.map(addressOf));
    if (copies === noCopies) return copies;
    return isCopiedBy(job, target) || this.#copied.has(job.sendId) ? noCopies : copies;
  }

  /** Only journeys wait for the warm-up here: campaigns have waited, and single sends never do. */
  #isWarm({ origin }: Job, target: Target, device: DeviceRow): boolean {
    const warmUp = this.#warmUp;
    if (warmUp === undefined || target.warmed === true) return true;
    if (origin?.journeyId === undefined) return true;
    return warmUp.fits(1) && warmUp.fitsProviders([addressOf(device)]);
  }

  #marketingOf(topic: string | undefined): Gate {
    let gate = this.#marketing.get(topic);
    if (gate === undefined) {
      const message = { isConfigured: this.#isConfigured, behindMs: this.#behindMs, topic };
      gate = new Gate(this.#app, this.#channel, this.#nowMs, message);
      this.#marketing.set(topic, gate);
    }
    return gate;
  }

  #whyOver(
    { origin, off }: Job,
    target: Target,
    records: TargetRecords,
  ): SuppressReason | undefined {
    // Canceling or deleting a campaign ends its sends, and switching a journey off, too. Redriven
    // ones leave all the same.
    if (origin !== undefined && target.deadLetter === undefined) {
      const { campaignId, journeyId } = origin;
      if (campaignId !== undefined) {
        const state = this.#app.campaigns.get(campaignId)?.state ?? 'canceled';
        if (state === 'canceled') return 'canceled';
      }
      const isLive = (id: string) => this.#app.journeys.get(id)?.record.active === true;
      if (journeyId !== undefined && (off === true || !isLive(journeyId))) return 'journey_off';
    }
    const { words, activity } = records;
    if (!isActivity(target) || words === undefined || !('row' in words)) return undefined;
    // An erased person's send has no content.
    const liveActivity = (words.row.content as Partial<SendContent>).plain?.liveActivity;
    return liveActivity && whyNotPushed(activity, liveActivity, target);
  }

  #expiry(job: Job, target: Target): NotSent | undefined {
    if (isOver(job, target, this.#nowMs, this.#ages)) return suppress('expired');
    if (!isOver(job, target, this.#nowMs, byTheClock)) return undefined;
    // A clock that fell behind was wrong when it said so. Else nobody knows yet: neither send what
    // may be a year old, nor give up what may be new.
    if (this.#behindMs > clockAgreesMs) return undefined;
    const untilMs = this.#nowMs + unsureWaitMs;
    return { answer: 'hold', reason: 'clock_unconfirmed', untilMs };
  }

  readonly #isSuppressed = (identity: string): boolean => this.#app.suppressions.has(identity);

  readonly #isNoMarketing = (identity: string): boolean => !takesMarketing(this.#app, identity);
}

function addressOf({ endpoint }: DeviceRow): string {
  return typeof endpoint === 'string' ? endpoint : '';
}

export function isOptInMail(words: StoredContent | undefined): boolean {
  return words !== undefined && 'row' in words && words.row.optIn === true;
}

/** A person's own opt-out does not stop the mail by which they may end it. */
function isOthersOptOut({ optOut }: TargetRecords): boolean {
  return optOut !== undefined && !isOwnOptOut(optOut);
}

/** A marketing email is rendered later. */
function hasNoSubject(words: StoredContent): boolean {
  if (!('row' in words)) return false;
  const { plain, email = plain } = words.row.content as SendContent;
  return email.title === undefined;
}
