// What waits for a confirmation, and the mail that asks for it: in one decision, so that no crash
// leaves the one without the other.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import { type PersonOrdinal, secondMs } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import type { OptInRow, OptInWish } from '../../../storage/tables/opt-in.ts';
import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { isOwnOptOut } from '../../people/audience/opt-out.ts';
import { isUnconfirmed } from '../../people/audience/unconfirmed.ts';
import type { Sealer } from '../../sealer.ts';
import type { CredentialRules } from '../outbox/open-credentials.ts';
import { checkRoom, queuedSend } from '../transactional/queue-send.ts';
import { confirmUrl } from './confirm-link.ts';
import { optInMail } from './mail.ts';
import type { OptInMemory, OptInView } from './memory.ts';
import { mailingBy } from './owe-mails.ts';
import type { OptInEntry } from './protocol.ts';
import {
  isFresh,
  isOwedElsewhere,
  mailed,
  mayMail,
  mayMailMs,
  readOptIn,
  withoutRow,
  withRow,
} from './rows.ts';
import { optInSweepTimer } from './timers.ts';
import { bothWishes, noted, topicNames } from './wish.ts';

export interface AskingRules {
  readonly sealer: Sealer;
  readonly plan: CredentialRules & { readonly publicUrl: string };
}

/** Who asks, and who has the address. */
interface Asked {
  readonly asker: Pick<SubscriberRow, 'person'>;
  readonly holder: SubscriberRow;
  readonly device: DeviceRow;
  readonly asksAgain?: boolean;
}

/**
 * What waits for the confirmation, and the mail that asks for it, if one may be sent. `asksAgain`:
 * nobody has asked anew.
 */
export function asking(
  state: OptInMemory,
  app: OptInView,
  identity: string,
  wanted: OptInWish,
  { asker, holder, device, asksAgain = false }: Asked,
  rules: AskingRules,
  context: Context,
): { readonly entries: readonly Entry[]; readonly documents: readonly DocumentWrite[] } {
  const { owner, nowMs, rng } = context;
  const { person } = asker;
  const stored = readOptIn(identity, person, context);
  const earlier = stored?.state === 'asked' && isOpen(stored, context) ? stored : undefined;
  const wish = earlier === undefined ? wanted : bothWishes(earlier.wish, wanted);
  // The mail is made for those who get none as well, so that they do not answer sooner.
  const number = rng.uint32();
  const link = { app: owner, person, number, identity };
  const url = confirmUrl(rules.plan.publicUrl, rules.sealer, link, rng, wish.language);
  const { language } = wish;
  const shown = { url, topics: topicNames(wish.topics, app), language };
  const mail = optInMail(app, holder, shown, context);
  const targets = [{ deviceId: device.id, channel: 'email' as const }];
  const send = queuedSend({ person: holder, targets, ...mail, claim: null, optIn: true }, context);
  const byTenant = asksAgain && earlier?.byTenant === true;
  const takes = takesMail(device, identity, byTenant, context);
  const full = checkRoom(state, app, null, context);
  const isMailed = takes && full === undefined && mayMail(identity, stored, context);
  const note: OptInEntry = { kind: 'opt_in.asked', owner, person, identity, atMs: nowMs, isMailed };
  const timers = app.optIns.isSwept ? [] : [optInSweepTimer(owner, nowMs)];
  const owed =
    takes && !isMailed ? owedOf(app, identity, person, stored, full, context) : undefined;
  const mailing = owed === undefined ? [] : mailingBy(app, owed.dueMs, context);
  const entries: Entry[] = [note, ...timers, ...mailing];
  if (!isMailed && owed === undefined && earlier?.mailedMs === undefined) {
    const documents = earlier === undefined ? [] : withoutRow(identity, earlier);
    return { entries, documents };
  }
  const hasLink = stored !== undefined && isFresh(stored, context);
  const row: OptInRow = {
    person,
    address: device.endpoint as string,
    state: 'asked',
    number: !isMailed && hasLink ? stored.number : number,
    wish,
    before: noted(wish, holder.tags, earlier?.before),
    askedMs: earlier?.askedMs ?? nowMs,
    ...(isMailed ? { mailedMs: nowMs } : mailedOf(stored)),
    ...(owed === undefined ? {} : { owed }),
    ...(byTenant ? { byTenant } : {}),
  };
  const documents = withRow(identity, row, stored);
  if (!isMailed) return { entries, documents };
  return {
    entries: [...entries, send.entry],
    documents: [...documents, mailed(identity, context), send.document],
  };
}

function isOpen(row: OptInRow, context: Context): boolean {
  return row.owed !== undefined || isFresh(row, context);
}

/**
 * The mail is sent when it may be. Not to somebody who has a link already, and one for all who
 * ask: a stranger who asks for many people would fill the days to come.
 */
function owedOf(
  { optIns: { life } }: OptInView,
  identity: string,
  person: PersonOrdinal,
  stored: OptInRow | undefined,
  full: Fault | undefined,
  context: Context,
): OptInRow['owed'] {
  const hasLink =
    stored?.state === 'asked' && stored.mailedMs !== undefined && isFresh(stored, context);
  if (hasLink) return undefined;
  if (stored?.owed === undefined && isOwedElsewhere(identity, person, context)) return undefined;
  const roomMs = full === undefined ? 0 : context.nowMs + (full.retryAfterSeconds ?? 60) * secondMs;
  const capMs = mayMail(identity, stored, context) ? 0 : mayMailMs(identity, stored, context);
  return { dueMs: Math.max(roomMs, capMs), life };
}

function mailedOf(row: OptInRow | undefined): Pick<OptInRow, 'mailedMs'> {
  return row?.mailedMs === undefined ? {} : { mailedMs: row.mailedMs };
}

/**
 * Not where the tenant, a bounce or a complaint has ended it. A person's own opt-out may end by
 * their own sign-up, and is a no to what the tenant asks.
 */
function takesMail(
  device: DeviceRow,
  identity: string,
  byTenant: boolean,
  { documents }: Context,
): boolean {
  if (!device.enabled && !isUnconfirmed(device)) return false;
  const optOut = documents.get(suppressions, [identity]);
  return optOut === undefined || (!byTenant && isOwnOptOut(optOut));
}
