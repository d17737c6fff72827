// Writes the opt-out of an address, as somebody other than its provider asks for it.

import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { AboutSend } from '../about-send.ts';
import { peopleAt } from './endpoint-owner.ts';
import { parseIdentityKey } from './identity.ts';
import { reachOfOptOut, withOptOut } from './opt-out.ts';
import type { AudienceEntry, Unsubscribed } from './protocol.ts';

interface Asked extends Pick<SuppressionRow, 'source' | 'reason' | 'scope'> {
  readonly channel: ChannelId;
  readonly about?: AboutSend;
  /** Given if the people at the address asked for it: their events and campaigns show it. */
  readonly unsubscribedBy?: Unsubscribed['source'] | undefined;
}

interface Suppressed {
  /** As it is now. */
  readonly row: SuppressionRow;
  /** None if the record said as much already. */
  readonly entries: readonly AudienceEntry[];
  readonly documents: readonly DocumentWrite[];
}

export function addOptOut(key: string, asked: Asked, context: Context): Suppressed {
  const { channel, source, reason, scope: asksFor, about, unsubscribedBy } = asked;
  const known = context.documents.get(suppressions, [key]);
  const scope = asksFor === undefined ? {} : { scope: asksFor };
  const why = reason === undefined ? {} : { reason };
  const named = parseIdentityKey(key) ?? { identity: channel, address: key };
  const createdMs = context.nowMs;
  const row = withOptOut(known, { ...named, ...why, source, createdMs, ...scope });
  if (row === known) return { row, entries: [], documents: [] };
  const isWider = known === undefined || reachOfOptOut(known) !== reachOfOptOut(row);
  const unsubscribed = unsubscribedBy !== undefined &&
    isWider && {
      unsubscribed: {
        people: peopleAt(key, context),
        firstEvent: 0,
        atMs: createdMs,
        channel,
        source: unsubscribedBy,
        ...why,
        ...scope,
        ...(about === undefined ? {} : { about }),
      },
    };
  const entry: AudienceEntry = {
    kind: 'suppression.added',
    owner: context.owner,
    identityKey: key,
    ...(row.scope === undefined ? {} : { scope: row.scope }),
    row,
    ...unsubscribed,
  };
  return { row, entries: [entry], documents: [{ table: suppressions, key: [key], value: row }] };
}
