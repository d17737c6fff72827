// Whether a provider that asked for fewer calls is left alone: from the turn that learns of it, no
// call of that app on that channel begins before the pause is over. Derived from the log and from
// what providers answered, not from what the product says of its circuits.

import { channelIds } from '../../actors/channels/channel-ids.ts';
import type { Outcome } from '../../actors/channels/port/outcome.ts';
import type { CampaignsEntry } from '../../actors/programs/campaigns/entries.ts';
import type { OutboxEntry } from '../../actors/sending/outbox/protocol.ts';
import { hourMs, type Millis, secondMs } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import type { Findings } from './invariants.ts';
import type { SendFact } from './log-facts.ts';

/** The first of the pauses, which grow; a provider that names one of its own is obeyed instead. */
const shortestMs: Millis = 30 * secondMs;

/** Of them are those that calls begin and end with. */
type CallEntry = CampaignsEntry | OutboxEntry;

/** The answer of the newest call for a device of a send; `undefined` if none is known. */
export type AnswerOf = (sendId: string, deviceId: string) => Outcome | undefined;

export class PauseAudit {
  readonly #findings: Findings;
  readonly #sends: ReadonlyMap<string, SendFact>;
  readonly #answerOf: AnswerOf;
  /** A channel whose relays are paused one by one. */
  readonly #ignored: string | undefined;
  /** By app and channel: until when nothing begins. */
  readonly #untilMs = new Map<string, Millis>();

  constructor(
    findings: Findings,
    sends: ReadonlyMap<string, SendFact>,
    answerOf: AnswerOf = () => undefined,
    ignored?: string,
  ) {
    this.#ignored = ignored;
    this.#findings = findings;
    this.#sends = sends;
    this.#answerOf = answerOf;
  }

  /** Before the entry changes what is known of its sends. */
  take(entry: CallEntry): void {
    switch (entry.kind) {
      case 'attempts.started':
        if (entry.items.length > 0) this.#begins(entry.owner, entry.channel, entry.atMs);
        break;
      case 'attempts.settled':
        for (const { sendId, deviceId, isLate } of entry.items)
          if (isLate !== true)
            this.#ends(entry.owner, entry.channel, entry.atMs, this.#answerOf(sendId, deviceId));
        break;
      case 'campaign.decided': {
        const { turns, codes } = entry;
        const isCalled = (i: number) => turns[codes === undefined ? 0 : (codes[i] ?? 0)];
        const people = unpackOrdinals(entry.people);
        if (people.some((_, i) => isCalled(i)?.turn === 'wave'))
          this.#begins(entry.owner, channelIds[entry.channel] ?? '', entry.atMs);
        break;
      }
      case 'wave.settled':
        for (const { person, deviceId } of entry.spilled) {
          const sendId = formatId('ntf', { ...entry.sendParts, low32: person });
          this.#ends(
            entry.owner,
            channelIds[entry.channel] ?? '',
            entry.atMs,
            this.#answerOf(sendId, deviceId),
          );
        }
        for (const person of unpackOrdinals(entry.people)) {
          const sendId = formatId('ntf', { ...entry.sendParts, low32: person });
          const deviceId = this.#sends.get(sendId)?.targets.at(-1)?.deviceId ?? '';
          const answer = this.#answerOf(sendId, deviceId);
          this.#ends(entry.owner, channelIds[entry.channel] ?? '', entry.atMs, answer);
        }
        break;
      case 'channel.resumed': // another credential, which the limit may not be about
        if (entry.now === true) this.#untilMs.delete(`${entry.owner}|${entry.channel}`);
        break;
      default:
        break;
    }
  }

  /** The instants of the log changed. */
  forget(): void {
    this.#untilMs.clear();
  }

  #begins(app: number, channel: string, atMs: Millis): void {
    if (channel === this.#ignored) return;
    const untilMs = this.#untilMs.get(`${app}|${channel}`) ?? 0;
    this.#findings.expect(
      atMs >= untilMs,
      'pause_obeyed',
      () => `app ${app} calls on ${channel} at ${atMs}, and was to wait until ${untilMs}`,
    );
  }

  /** A refusal within a pause lengthens it only if it says so. */
  #ends(app: number, channel: string, atMs: Millis, answer: Outcome | undefined): void {
    if (answer?.outcome !== 'rate') return;
    const key = `${app}|${channel}`;
    const untilMs = this.#untilMs.get(key) ?? 0;
    const { retryAfterMs: askedMs } = answer;
    if (askedMs === undefined && untilMs > atMs) return;
    const pauseMs = askedMs === undefined ? shortestMs : Math.min(askedMs, hourMs);
    this.#untilMs.set(key, Math.max(untilMs, atMs + pauseMs));
  }
}
