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
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { OptInWish } from '../../../storage/tables/opt-in.ts';
import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { notFound } from '../../faults.ts';
import { holderOf } from '../../people/audience/address-holder.ts';
import {
  newAddressPolicy,
  normalizeEndpoint,
  takesMarketing,
  unwantedAddress,
} from '../../people/audience/identity.ts';
import type { ReadToken } from '../../people/audience/read-token.ts';
import { newTags } from '../../people/audience/tags.ts';
import { unconfirmedReason } from '../../people/audience/unconfirmed.ts';
import { upsert } from '../../people/audience/upsert.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import { openForm } from '../forms/reads.ts';
import { type AskingRules, asking } from './asking.ts';
import type { OptInMemory, OptInView } from './memory.ts';
import type { OptInEntry, OptInProtocol } from './protocol.ts';
import { devicesFault, formWish, quotaFault, wishFault } from './sign-up-checks.ts';
import { wantedTags, wishOf } from './wish.ts';

type Asked = MessageOf<OptInProtocol, 'opt_in.sign_up'>;
type Reply = OptInProtocol['opt_in.sign_up']['reply'];

export interface SignUpRules extends AskingRules {
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
  // By the domain alone, so that the answer does not tell whether somebody has the address.
  const unwanted = unwantedAddress('email', normal.endpoint, newAddressPolicy(app));
  if (unwanted !== undefined) return refused(fieldFault('endpoint', unwanted));
  const form = asked.form === undefined ? undefined : openForm(app, asked.form);
  if (asked.form !== undefined && form === undefined) return refused(notFound('form'));
  const wrong = wishFault(app, asked, form, names);
  if (wrong !== undefined) return refused(wrong);
  const token =
    clientToken === undefined ? undefined : rules.keyring.read(app, clientToken, context);
  if (token !== undefined && 'fault' in token) return refused(token.fault);
  const full = token === undefined ? quotaFault(app, room, context) : devicesFault(token.row);
  if (full !== undefined) return refused(full);
  const address = normal.endpoint as string;
  const identity = normal.identity as string;
  const wish = form === undefined ? wishOf(asked.wish) : formWish(asked.wish, form);
  const asks = needsConfirmation(app, wish);
  const reply = {
    asks,
    // The same for an address that is known: the count must not tell.
    keylessCreated: token === undefined ? 1 : 0,
    namesBrought: newTags(asked.wish.tags, app.traits.tags).length,
  };
  const at = { address, identity };
  if (!asks && isFree(app, at, token, context)) {
    const taken = takeAtOnce(app, at, wish, token, context);
    return 'fault' in taken ? refused(taken.fault) : accepted(reply, taken);
  }
  const parties = partiesOf(app, address, token, context);
  if ('fault' in parties) return refused(parties.fault);
  const { entries, documents } = asking(state, app, identity, wish, parties, rules, context);
  return accepted(reply, {
    entries: [...parties.entries, ...entries],
    documents: [...parties.documents, ...documents],
  });
}

interface Place {
  readonly address: string;
  readonly identity: string;
}

type Token = { readonly row: SubscriberRow; readonly isProven: boolean } | undefined;

/** By the topics, and without any by the app's setting. A form always asks. */
function needsConfirmation(
  { topics, settings }: TopicsReads & Pick<OptInView, 'settings'>,
  wish: OptInWish,
): boolean {
  if (wish.forms.length > 0) return true;
  if (wish.topics.length === 0) return settings.doubleOptIn ?? true;
  return wish.topics.some((key) => topics.get(key)?.doubleOptIn !== false);
}

/** Nobody else has the address, and nothing is against it. */
function isFree(app: OptInView, { address, identity }: Place, token: Token, context: Context) {
  if (!takesMarketing(app, identity)) return false;
  const held = holderOf({ channel: 'email', endpoint: address }, {}, context);
  if (held === undefined) return true;
  return held.holder.person === token?.row.person && held.device.enabled;
}

function takeAtOnce(
  app: OptInView,
  { address, identity }: Place,
  wish: OptInWish,
  token: Token,
  context: Context,
) {
  const { owner, nowMs: atMs } = context;
  const registeredBy = token?.isProven === true ? 'proven' : 'client';
  const has = token?.row.devices.some((one) => one.channel === 'email' && one.endpoint === address);
  const device = { channel: 'email', endpoint: address, enabled: true, registeredBy } as const;
  const { language } = wish;
  const tags = { ...(language === undefined ? {} : { language }), ...wantedTags(wish) };
  const input = { tags, ...(has === true ? {} : { devices: [device] }) };
  const options = { keyless: {}, asksToConfirm: false, vouched: token?.isProven === true } as const;
  const made = upsert(app, input, token?.row, context, options);
  if ('fault' in made) return made;
  const { person } = made.row;
  const note: OptInEntry = { kind: 'opt_in.asked', owner, person, identity, atMs, isMailed: false };
  return { entries: [...made.entries, note], documents: made.documents };
}

/** Nobody has the address: it goes, unconfirmed, to whoever asks, or to a new anonymous person. */
function partiesOf(
  app: OptInView,
  endpoint: string,
  token: Token,
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
