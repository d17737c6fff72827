// Confirms a sign-up: the owner of an address has opened the mail's link and pressed the button.
// Whoever asked for something else with an API key since the sign-up wins. Once for each mail.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
} from '../../../engine/actor/message.ts';
import type { OptInRow, OptInWish } from '../../../storage/tables/opt-in.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { holderOf } from '../../people/audience/address-holder.ts';
import { isOwnOptOut } from '../../people/audience/opt-out.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import { isUnconfirmed } from '../../people/audience/unconfirmed.ts';
import { type UpsertResult, upsert } from '../../people/audience/upsert.ts';
import { isChoiceTag } from '../../people/topics/choice-tag.ts';
import type { OptInView } from './memory.ts';
import type { ConfirmPage, LinkNamed, OptInEntry } from './protocol.ts';
import { isFresh, readOptIn, withRow } from './rows.ts';
import { markOf, tagsToSet, topicNames } from './wish.ts';

/** The event that proves what was agreed to. */
const optInConfirmed = 'opt_in_confirmed';

/** A link that still asks something. */
interface Open {
  readonly row: OptInRow;
  readonly holder: SubscriberRow;
  readonly device: DeviceRow;
}

const over: ConfirmPage = { state: 'over' };

export function confirmPageOf(app: OptInView, link: LinkNamed, context: Context): ConfirmPage {
  const found = find(app, link, context);
  return 'state' in found ? found : asks(app, found.row);
}

export function confirm(
  app: OptInView,
  { seen, ...link }: LinkNamed & { readonly seen?: string },
  context: Context,
): Decision<ConfirmPage> {
  const found = find(app, link, context);
  if ('state' in found) return accepted(found);
  const { row } = found;
  // Something was added since the page was shown: the person has to see it first.
  if (seen !== markOf(row.wish)) return accepted(asks(app, row));
  const applied = apply(app, found, context);
  const { owner, nowMs } = context;
  const { identity } = link;
  const { person } = row;
  const { owed: _sent, ...rest } = row;
  const confirmed: OptInRow = { ...rest, state: 'confirmed', confirmedMs: nowMs };
  const note: OptInEntry = { kind: 'opt_in.confirmed', owner, person, identity, atMs: nowMs };
  const page: ConfirmPage = { state: 'confirmed', address: row.address };
  return accepted(page, {
    entries: [...applied.entries, ...lifted(identity, context).entries, note],
    documents: [
      ...applied.documents,
      ...lifted(identity, context).documents,
      ...withRow(identity, confirmed, row),
    ],
  });
}

function asks(app: OptInView, { address, wish }: OptInRow): ConfirmPage {
  const topics = topicNames(wish.topics, app);
  return { state: 'asked', address, topics, sentences: wish.sentences, seen: markOf(wish) };
}

/** What the link still asks, or what its page says instead. */
function find(app: OptInView, link: LinkNamed, context: Context): Open | ConfirmPage {
  const { identity, number } = link;
  const row = readOptIn(identity, app.people.canonical(link.person), context);
  if (row === undefined || row.number !== number || !isFresh(row, context)) return over;
  if (row.state === 'confirmed') return { state: 'already', address: row.address };
  const held = holderOf({ channel: 'email', endpoint: row.address }, {}, context);
  if (held === undefined) return over;
  const { device } = held;
  if (!device.enabled && !isUnconfirmed(device)) return over;
  const optOut = context.documents.get(suppressions, [identity]);
  if (optOut !== undefined && !isOwnOptOut(optOut)) return over;
  return { row, ...held };
}

interface Applied {
  readonly entries: readonly Entry[];
  readonly documents: readonly DocumentWrite[];
}

/** The address takes messages, and the person has what they asked for. */
function apply(app: OptInView, { row, holder, device }: Open, context: Context): Applied {
  // An address that nobody had confirmed goes to whoever asked last, if they are somebody else.
  const asker =
    isUnconfirmed(device) && row.person !== holder.person
      ? context.documents.get(subscribers, [row.person])
      : undefined;
  const into = asker ?? holder;
  const confirmed = {
    channel: 'email',
    endpoint: row.address,
    enabled: true,
    registeredBy: device.registeredBy ?? 'client',
  } as const;
  const devices = device.enabled ? {} : { devices: [confirmed] };
  const all = tagsToSet(row, into.tags, app.topics);
  const choices = Object.fromEntries(Object.entries(all).filter(([tag]) => isChoiceTag(tag)));
  // Neither a full record nor too many names of tags may cost the confirmation itself.
  const tries: readonly Readonly<Record<string, TagValue>>[] = [all, choices, {}];
  const isForms = row.wish.forms.length > 0;
  let made: UpsertResult | undefined;
  for (const tags of tries) {
    made = upsert(app, { tags, ...devices }, into, context, isForms ? asForm : asOwner);
    if (!('fault' in made)) break;
  }
  const done = made === undefined || 'fault' in made ? { entries: [], documents: [] } : made;
  const event = proof(into, row, context);
  return { entries: [...done.entries, event], documents: done.documents };
}

/** Names of tags that a sign-up brings are those of a stranger; the tenant chose a form's. */
const asOwner = { keyless: {}, asksToConfirm: false, vouched: true } as const;
const asForm = { vouched: true } as const;

function proof(
  { person }: SubscriberRow,
  { address, wish }: OptInRow,
  { owner, nowMs: atMs }: Context,
): EventsEntry {
  const propsJson = JSON.stringify({ address, ...said(wish) });
  const batch = encodeDrafts([{ name: optInConfirmed, person, atMs, propsJson }], atMs);
  return { kind: 'events.tracked', owner, atMs, keyless: false, batch };
}

function said({ topics, forms, sentences }: OptInWish): object {
  return {
    ...(topics.length === 0 ? {} : { topics }),
    ...(forms.length === 0 ? {} : { forms }),
    ...(sentences.length === 0 ? {} : { sentences }),
  };
}

/** Ends the person's own opt-out. */
function lifted(identity: string, { owner, documents }: Context): Applied {
  if (documents.get(suppressions, [identity]) === undefined) return { entries: [], documents: [] };
  const entry: AudienceEntry = { kind: 'suppression.removed', owner, identityKey: identity };
  return {
    entries: [entry],
    documents: [{ table: suppressions, key: [identity], value: undefined }],
  };
}
