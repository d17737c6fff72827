// What each event of a mail service means for its send: one table. A complaint or an unsubscribe
// covers marketing alone, and nothing that was refused because of the sender or the content ends an
// address. Opens and clicks are reports only where Engage does not track them itself. Pure.

import { lateOutcome } from '../../channels/email/relay-outcome.ts';
import { senderRefusals } from '../../channels/email/sender-refusals.ts';
import type { DeliveryReport } from '../../channels/port/delivery-report.ts';
import type { RelayEvent, RelayEventKind } from '../../channels/port/relay-events.ts';

type Meaning = (event: RelayEvent) => DeliveryReport;

type Failed = Extract<DeliveryReport, { kind: 'failed' }>;

const meanings: Readonly<Record<Exclude<RelayEventKind, 'clicked'>, Meaning>> = {
  accepted: () => ({ kind: 'taken', reports: true }),
  deferred: (event) => {
    const detail = saidOf(event);
    return { kind: 'deferred', atMs: event.atMs, ...(detail === undefined ? {} : { detail }) };
  },
  delivered: () => ({ kind: 'arrived' }),
  soft_bounce: (event) => ({ ...alive(judged(event) ?? soft), isSoft: true }),
  hard_bounce: (event) => judged(event) ?? { ...soft, reason: 'mailbox_not_found', effect: 'dead' },
  complained: () => ({ kind: 'complained', scope: 'marketing' }),
  unsubscribed: () => ({ kind: 'unsubscribed' }),
  dropped: ({ list = 'other' }) => ({ kind: 'failed', ...ofList[list] }),
  refused: (event) => {
    const { reason = senderRefusals[2] } = judged(event) ?? {};
    return { kind: 'failed', reason, effect: 'none' };
  },
  opened: ({ atMs }) => ({ kind: 'read', atMs }),
};

/** Why a service did not try. Its own list of bounces holds addresses that do not exist. */
const ofList: Readonly<Record<NonNullable<RelayEvent['list']>, Omit<Failed, 'kind'>>> = {
  bounces: { reason: 'bounced_earlier', effect: 'dead' },
  complaints: { reason: 'complained_earlier', effect: 'opted_out' },
  unsubscribes: { reason: 'unsubscribed_earlier', effect: 'opted_out' },
  other: { reason: 'dropped', effect: 'none' },
};

const soft: Failed = { kind: 'failed', reason: 'mailbox_unavailable', effect: 'none' };

/** `undefined` for what says nothing here: an open or a click that Engage tracks itself. */
export function meaningOf(event: RelayEvent, isTracked: boolean): DeliveryReport | undefined {
  if (event.kind === 'clicked' || (event.kind === 'opened' && isTracked)) return undefined;
  return meanings[event.kind](event);
}

/** What the recipient's server said, by the table for mail servers' replies. */
function judged({ reply }: RelayEvent): Failed | undefined {
  if (reply === undefined) return undefined;
  const { outcome, reason } = lateOutcome(reply);
  return { kind: 'failed', reason, effect: outcome === 'dead' ? 'dead' : 'none' };
}

/** A service that means to try the address again knows better than one reply. */
function alive(failed: Failed): Failed {
  return { ...failed, effect: 'none' };
}

const saidCharsMax = 200;

function saidOf({ reply, detail }: RelayEvent): string | undefined {
  const said = reply === undefined ? detail : `${reply.code} ${reply.text}`;
  return said === undefined || said === '' ? undefined : said.slice(0, saidCharsMax);
}
