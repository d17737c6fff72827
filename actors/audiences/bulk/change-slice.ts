// Changes the next people of a bulk change, some a turn, as the calls for one person would. Tags
// are written here; opt-outs and erasures are told to the areas that own them, in the same turn.

import type {
  Context,
  DocumentWrite,
  Entry,
  Message,
  Tell,
} from '../../../engine/actor/message.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { storedIdentity, takesMarketing } from '../../people/audience/identity.ts';
import { mergeTags } from '../../people/audience/tags.ts';
import { upsert } from '../../people/audience/upsert.ts';
import type { BulkView } from './memory.ts';
import type { BulkAction, BulkCounts } from './protocol.ts';

/** People of a turn: some milliseconds' work each. An erasure removes all of a person. */
const erasedPerTurn = 50;
const optedOutPerTurn = 200;
const taggedPerTurn = 500;
const countedPerTurn = 1_000;
/** Bytes of records after which a slice ends. */
const sliceBytesMax = 2 * 1024 * 1024;

interface Slice extends BulkCounts {
  /** The first person who is left; −1 at the end. */
  readonly next: PersonOrdinal;
  readonly entries: readonly Entry[];
  readonly documents: readonly DocumentWrite[];
  readonly tells: readonly Tell[];
}

/** What changing one person comes to. */
interface Changed {
  readonly outcome: 'changed' | 'same' | 'failed';
  readonly bytes?: number;
  readonly entries?: readonly Entry[];
  readonly documents?: readonly DocumentWrite[];
  readonly messages?: readonly Message[];
}

const same: Changed = { outcome: 'same' };
const failed: Changed = { outcome: 'failed' };

export function changeSlice(
  app: BulkView,
  members: Bitset,
  from: PersonOrdinal,
  { action, isDry }: { readonly action: BulkAction; readonly isDry: boolean },
  context: Context,
): Slice {
  const most = isDry ? countedPerTurn : peoplePerTurn(action);
  const entries: Entry[] = [];
  const documents: DocumentWrite[] = [];
  const tells: Tell[] = [];
  const counts = { looked: 0, changed: 0, failed: 0 };
  let bytes = 0;
  let next = members.nextFrom(from);
  for (; next >= 0 && counts.looked < most && bytes < sliceBytesMax; next = following(next)) {
    counts.looked++;
    const one = changePerson(app, next, action, context);
    if (one.outcome === 'changed') counts.changed++;
    if (one.outcome === 'failed') counts.failed++;
    if (isDry) continue;
    bytes += one.bytes ?? 0;
    entries.push(...(one.entries ?? []));
    documents.push(...(one.documents ?? []));
    for (const message of one.messages ?? []) tells.push({ to: context.owner, message });
  }
  return { ...counts, next, entries, documents, tells };

  function following(person: PersonOrdinal): PersonOrdinal {
    return members.nextFrom(person + 1);
  }
}

function peoplePerTurn(action: BulkAction): number {
  if (action.delete) return erasedPerTurn;
  return action.suppress === undefined ? taggedPerTurn : optedOutPerTurn;
}

function changePerson(
  app: BulkView,
  person: PersonOrdinal,
  action: BulkAction,
  context: Context,
): Changed {
  let row: SubscriberRow | undefined;
  try {
    row = context.documents.get(subscribers, [person]);
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    return failed;
  }
  if (row === undefined) return same; // erased or merged meanwhile
  if (action.delete) return { outcome: 'changed', messages: [eraseMessage(row)] };
  const tagged = action.tags === undefined ? same : changeTags(app, row, action.tags, context);
  if (tagged.outcome === 'failed') return failed;
  const messages = action.suppress === undefined ? [] : optOuts(app, row, action.suppress);
  return messages.length === 0 ? tagged : { ...tagged, outcome: 'changed', messages };
}

function changeTags(
  app: BulkView,
  row: SubscriberRow,
  tags: NonNullable<BulkAction['tags']>,
  context: Context,
): Changed {
  const after = mergeTags(row.tags, tags);
  const isSame = Object.keys(tags).every(
    (key) => JSON.stringify(after[key]) === JSON.stringify(row.tags[key]),
  );
  if (isSame) return same;
  const result = upsert(app, { tags }, row, context);
  if ('fault' in result) return failed;
  const { bytesMax: bytes, entries, documents } = result;
  return { outcome: 'changed', bytes, entries, documents };
}

function eraseMessage({ id }: SubscriberRow): Message {
  const body = { by: -1, ref: { id } };
  return { kind: 'subscriber.erase', ...body };
}

/** One for each of the person's identities on the channels that takes such messages now. */
function optOuts(
  app: Pick<BulkView, 'suppressions' | 'marketingOptOuts'>,
  { devices }: SubscriberRow,
  { channels, reason, scope }: NonNullable<BulkAction['suppress']>,
): readonly Message[] {
  const found = new Map<string, Message>();
  for (const { channel, endpoint } of devices) {
    if (!channels.includes(channel as ChannelId) || typeof endpoint !== 'string') continue;
    const identity = storedIdentity(channel as ChannelId, endpoint);
    if (identity === undefined) continue;
    const takes =
      scope === undefined ? !app.suppressions.has(identity) : takesMarketing(app, identity);
    if (!takes) continue;
    const why = reason === undefined ? {} : { reason };
    const narrow = scope === undefined ? {} : { scope };
    const body = { by: -1, channel, address: endpoint, source: 'api', ...why, ...narrow };
    found.set(identity, { kind: 'suppression.add', ...body });
  }
  return [...found.values()];
}
