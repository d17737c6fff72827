// What waits for a confirmation, and the mail that asks for it: in one decision, so that no crash
// leaves the one without the other.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { OptInRow, OptInWish } from '../../../storage/tables/opt-in.ts';
import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { isOwnOptOut } from '../../people/audience/opt-out.ts';
import { isUnconfirmed } from '../../people/audience/unconfirmed.ts';
import type { Sealer } from '../../sealer.ts';
import { checkRoom, queuedSend } from '../transactional/queue-send.ts';
import { confirmUrl } from './confirm-link.ts';
import { optInMail } from './mail.ts';
import type { OptInMemory, OptInView } from './memory.ts';
import type { OptInEntry } from './protocol.ts';
import { isFresh, mailed, mayMail, readOptIn, withRow } from './rows.ts';
import { optInSweepTimer } from './timers.ts';
import { bothWishes, noted, topicNames } from './wish.ts';

export interface AskingRules {
  readonly sealer: Sealer;
  readonly plan: { readonly publicUrl: string };
}

/** Who asks, and who has the address. */
interface Asked {
  readonly asker: Pick<SubscriberRow, 'person'>;
  readonly holder: SubscriberRow;
  readonly device: DeviceRow;
}

/** What waits for the confirmation, and the mail that asks for it, if one may be sent. */
export function asking(
  state: OptInMemory,
  app: OptInView,
  identity: string,
  wanted: OptInWish,
  { asker, holder, device }: Asked,
  rules: AskingRules,
  context: Context,
): { readonly entries: readonly Entry[]; readonly documents: readonly DocumentWrite[] } {
  const { owner, nowMs, rng } = context;
  const { person } = asker;
  const stored = readOptIn(identity, person, context);
  const earlier = stored?.state === 'asked' && isFresh(stored, context) ? stored : undefined;
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
  const isMailed =
    takesMail(device, identity, context) &&
    mayMail(identity, stored, context) &&
    checkRoom(state, app, null, context) === undefined;
  const note: OptInEntry = { kind: 'opt_in.asked', owner, person, identity, atMs: nowMs, isMailed };
  const timers = app.optIns.isSwept ? [] : [optInSweepTimer(owner, nowMs)];
  const entries: Entry[] = [note, ...timers];
  if (!isMailed && earlier === undefined) return { entries, documents: [] };
  const row: OptInRow = {
    person,
    address: device.endpoint as string,
    state: 'asked',
    number: isMailed ? number : (earlier?.number ?? number),
    wish,
    before: noted(wish, holder.tags, earlier?.before),
    askedMs: earlier?.askedMs ?? nowMs,
    ...(isMailed ? { mailedMs: nowMs } : mailedOf(earlier)),
  };
  const documents = withRow(identity, row);
  if (!isMailed) return { entries, documents };
  return {
    entries: [...entries, send.entry],
    documents: [...documents, mailed(identity, context), send.document],
  };
}

function mailedOf(row: OptInRow | undefined): Pick<OptInRow, 'mailedMs'> {
  return row?.mailedMs === undefined ? {} : { mailedMs: row.mailedMs };
}

/** Not where the tenant, a bounce or a complaint has ended it; a person's own opt-out may end. */
function takesMail(device: DeviceRow, identity: string, { documents }: Context): boolean {
  if (!device.enabled && !isUnconfirmed(device)) return false;
  const optOut = documents.get(suppressions, [identity]);
  return optOut === undefined || isOwnOptOut(optOut);
}
