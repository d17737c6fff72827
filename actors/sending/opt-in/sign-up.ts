// A sign-up. Whoever asks learns nothing: the answer is the same for an address that is known, not
// known, or opted out, and each call waits for a write. A stranger changes nothing of a person who
// is there: what was asked for waits in its own row until the owner of the address confirms.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
  refused,
} from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { OptInRow, OptInWish } from '../../../storage/tables/opt-in.ts';
import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { holderOf } from '../../people/audience/address-holder.ts';
import { normalizeEndpoint } from '../../people/audience/identity.ts';
import { isOwnOptOut } from '../../people/audience/opt-out.ts';
import type { ReadToken } from '../../people/audience/read-token.ts';
import { checkTags, newTags, tooManyNames } from '../../people/audience/tags.ts';
import { isUnconfirmed, unconfirmedReason } from '../../people/audience/unconfirmed.ts';
import { upsert } from '../../people/audience/upsert.ts';
import { addressLimitReached, appLimitReached, mayCreateKeyless } from '../../people/keyless.ts';
import { isChoiceTag } from '../../people/topics/choice-tag.ts';
import type { Sealer } from '../../sealer.ts';
import { checkRoom, queuedSend } from '../transactional/queue-send.ts';
import { confirmUrl } from './confirm-link.ts';
import { optInMail } from './mail.ts';
import type { OptInMemory, OptInView } from './memory.ts';
import type { OptInEntry, OptInProtocol } from './protocol.ts';
import { isFresh, mayMail, readOptIn, withRow } from './rows.ts';
import { optInSweepTimer } from './timers.ts';
import { bothWishes, noted, topicNames, wishOf } from './wish.ts';

type Asked = MessageOf<OptInProtocol, 'opt_in.sign_up'>;
type Reply = OptInProtocol['opt_in.sign_up']['reply'];

export interface SignUpRules {
  readonly sealer: Sealer;
  readonly plan: { readonly publicUrl: string };
  readonly keyring: { readonly read: ReadToken };
}

/** Who asks, and who has the address after this. */
interface Parties {
  readonly asker: SubscriberRow;
  readonly holder: SubscriberRow;
  readonly device: DeviceRow;
  readonly entries: readonly Entry[];
  readonly documents: readonly DocumentWrite[];
}

export function signUp(
  state: OptInMemory,
  app: OptInView,
  { signUp: asked, room, names }: Asked,
  rules: SignUpRules,
  context: Context,
): Decision<Reply> {
  const { endpoint, clientToken } = asked;
  const normal = normalizeEndpoint('email', endpoint);
  if ('problem' in normal) return refused(fieldFault('endpoint', normal.problem));
  const wrong = wishFault(app, asked, names);
  if (wrong !== undefined) return refused(wrong);
  const token =
    clientToken === undefined ? undefined : rules.keyring.read(app, clientToken, context);
  if (token !== undefined && 'fault' in token) return refused(token.fault);
  const full = token === undefined ? quotaFault(app, room, context) : devicesFault(token.row);
  if (full !== undefined) return refused(full);
  const parties = partiesOf(app, normal.endpoint as string, token, context);
  if ('fault' in parties) return refused(parties.fault);
  const identity = normal.identity as string;
  const wish = wishOf(asked.wish);
  const { entries, documents } = asking(state, app, identity, wish, parties, rules, context);
  const reply = {
    // The same for an address that is known: the count must not tell.
    keylessCreated: token === undefined ? 1 : 0,
    namesBrought: newTags(asked.wish.tags, app.traits.tags).length,
  };
  return accepted(reply, {
    entries: [...parties.entries, ...entries],
    documents: [...parties.documents, ...documents],
  });
}

function wishFault(
  { traits, unvouched, topics }: OptInView,
  { wish }: Asked['signUp'],
  names: Asked['names'],
): Fault | undefined {
  const { tags } = wish;
  const choice = Object.keys(tags).find(isChoiceTag);
  if (choice !== undefined)
    return fieldFault(`tags.${choice.slice(0, limits.tagKeyCharsMax)}`, 'ask for it in topics');
  const at = wish.topics.findIndex((key) => !topics.has(key));
  if (at >= 0)
    return fieldFault(`topics[${at}]`, `the app has no topic "${wish.topics[at]?.slice(0, 64)}"`);
  const known = { tags: traits.tags, unvouchedTags: unvouched.tags };
  const sender = names === undefined ? {} : { names };
  return checkTags(tags) ?? tooManyNames(tags, known, sender);
}

/** As for a login that makes a person, whether this one will or not. */
function quotaFault(app: OptInView, room: Asked['room'], { nowMs }: Context): Fault | undefined {
  if (room !== undefined && room.mayCreate < 1)
    return fault('rate_limited', addressLimitReached, {
      retryAfterSeconds: room.retryAfterSeconds,
    });
  if (mayCreateKeyless(app, room, 0, nowMs)) return undefined;
  const retryAfterSeconds = Math.ceil((minuteMs - (nowMs % minuteMs)) / secondMs);
  return fault('rate_limited', appLimitReached(app.settings), { retryAfterSeconds });
}

function devicesFault({ devices }: SubscriberRow): Fault | undefined {
  return devices.length < limits.devicesMax
    ? undefined
    : fieldFault('endpoint', `a subscriber has at most ${limits.devicesMax} devices`);
}

/** Nobody has the address: it goes, unconfirmed, to whoever asks, or to a new anonymous person. */
function partiesOf(
  app: OptInView,
  endpoint: string,
  token: { readonly row: SubscriberRow; readonly isProven: boolean } | undefined,
  context: Context,
): Parties | { readonly fault: Fault } {
  const held = holderOf({ channel: 'email', endpoint }, {}, context);
  if (held !== undefined) {
    const asker = token?.row ?? held.holder;
    return { asker, ...held, entries: [], documents: [] };
  }
  const device = {
    channel: 'email',
    endpoint,
    enabled: false,
    disabledReason: unconfirmedReason,
    registeredBy: token?.isProven === true ? 'proven' : 'client',
  } as const;
  const made = upsert(app, { devices: [device] }, token?.row, context, {
    keyless: {},
    vouched: token?.isProven === true,
  });
  if ('fault' in made) return made;
  const { row, entries, documents } = made;
  const added = row.devices.find((one) => one.channel === 'email' && one.endpoint === endpoint);
  return { asker: row, holder: row, device: added as DeviceRow, entries, documents };
}

/** What waits for the confirmation, and the mail that asks for it, if one may be sent. */
function asking(
  state: OptInMemory,
  app: OptInView,
  identity: string,
  asked: OptInWish,
  { asker, holder, device }: Parties,
  rules: SignUpRules,
  context: Context,
): { readonly entries: readonly Entry[]; readonly documents: readonly DocumentWrite[] } {
  const { owner, nowMs, rng } = context;
  const { person } = asker;
  const stored = readOptIn(identity, person, context);
  const earlier = stored?.state === 'asked' && isFresh(stored, context) ? stored : undefined;
  const wish = earlier === undefined ? asked : bothWishes(earlier.wish, asked);
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
    mayMail(identity, person, context) &&
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
  return { entries: [...entries, send.entry], documents: [...documents, send.document] };
}

function mailedOf(row: OptInRow | undefined): Pick<OptInRow, 'mailedMs'> {
  return row?.mailedMs === undefined ? {} : { mailedMs: row.mailedMs };
}

/** Not where the tenant, a bounce or a complaint has ended it; a person's own opt-out asks again. */
function takesMail(device: DeviceRow, identity: string, { documents }: Context): boolean {
  if (!device.enabled && !isUnconfirmed(device)) return false;
  const optOut = documents.get(suppressions, [identity]);
  return optOut === undefined || isOwnOptOut(optOut);
}
