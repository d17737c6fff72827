// Pages of opt-outs: all, those of one channel, one address, or addresses that begin in some way.
// An address names no channel, so it is looked for in every class of addresses.

import {
  accepted,
  type Decision,
  type DocumentReader,
  refused,
} from '../../../engine/actor/message.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import type { EndpointPolicy } from '../../channels/addresses/endpoint.ts';
import { numberBeginnings } from '../../channels/addresses/phone-number.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { endpointPolicy, identityKey, normalizeEndpoint } from './identity.ts';
import type { AudienceView } from './memory.ts';
import type { AudienceProtocol, CountedPage } from './protocol.ts';

type Asked = Omit<AudienceProtocol['suppression.list']['body'], 'caller'>;
type Listed = Decision<CountedPage<SuppressionRow>>;

/** With more opt-outs than this, a search has no total: counting would hold up a turn. */
const countedMax = 50_000;

export function pageOfSuppressions(
  app: AudienceView,
  asked: Asked,
  documents: DocumentReader,
): Listed {
  const { channel, address, q, limit, cursor = '' } = asked;
  const policy = endpointPolicy(app.settings);
  const problem = channel === undefined ? undefined : channelProblem(channel, address, policy);
  if (problem !== undefined) return refused(problem);
  const channels = channel === undefined ? channelIds : [channel];
  if (address !== undefined && q !== undefined)
    return refused(fieldFault('q', 'cannot be combined with address'));
  if (address !== undefined) {
    const keys = distinct(channels.flatMap((one) => identityKey(one, address, policy) ?? []));
    const items = keys.flatMap((key) => documents.get(suppressions, [key]) ?? []);
    return accepted({ items, nextCursor: null, total: items.length });
  }
  const beginnings = outermost(channels.flatMap((one) => beginningsOn(one, q ?? '', policy)));
  const rows = rowsFrom(beginnings, cursor, limit + 1, documents);
  const next = rows[limit];
  return accepted({
    items: rows.slice(0, limit).map(({ value }) => value),
    nextCursor: next === undefined ? null : String(next.key[0]),
    total: totalOf(app, channel === undefined && q === undefined ? undefined : beginnings),
  });
}

/** The key of an opt-out. */
export function suppressible(
  channel: ChannelId,
  address: string,
  policy: EndpointPolicy,
): string | { readonly fault: Fault } {
  const normal = normalizeEndpoint(channel, address, policy);
  if (catalog[channel].identity === undefined) return { fault: noSuppressions(channel) };
  if ('problem' in normal) return { fault: fieldFault('address', normal.problem) };
  return normal.identity ?? { fault: noSuppressions(channel) };
}

function channelProblem(
  channel: ChannelId,
  address: string | undefined,
  policy: EndpointPolicy,
): Fault | undefined {
  if (catalog[channel].identity === undefined) return noSuppressions(channel);
  const key = address === undefined ? '' : suppressible(channel, address, policy);
  return typeof key === 'string' ? undefined : key.fault;
}

function noSuppressions(channel: ChannelId): Fault {
  return fieldFault('channel', `${channel} has no suppressions; disable its devices instead`);
}

/** How the keys begin that a text may mean: as it is, and as the channel writes addresses. */
function beginningsOn(channel: ChannelId, q: string, policy: EndpointPolicy): readonly string[] {
  const { identity, ignoresCase } = catalog[channel];
  if (identity === undefined) return [];
  if (q === '') return [`${identity}:`];
  const texts =
    identity === 'phone'
      ? numberBeginnings(q, policy.country)
      : [ignoresCase === true ? q.toLowerCase() : q];
  return [
    ...texts.map((text) => `${identity}:${text}`),
    ...[identityKey(channel, q, policy) ?? []].flat(),
  ];
}

/** In order, without those that another one includes. */
function outermost(beginnings: readonly string[]): readonly string[] {
  const sorted = distinct(beginnings).sort();
  return sorted.filter((one) => !sorted.some((other) => one !== other && one.startsWith(other)));
}

function rowsFrom(
  beginnings: readonly string[],
  cursor: string,
  rowsMax: number,
  documents: DocumentReader,
) {
  const found = [];
  for (const beginning of beginnings) {
    if (beginning < cursor && !cursor.startsWith(beginning)) continue;
    const from = [cursor > beginning ? cursor : beginning];
    for (const row of documents.range(suppressions, { from, limit: rowsMax - found.length })) {
      if (!String(row.key[0]).startsWith(beginning)) break;
      found.push(row);
    }
    if (found.length === rowsMax) break;
  }
  return found;
}

/** `null` where too many would have to be looked at. */
function totalOf(app: AudienceView, beginnings: readonly string[] | undefined): number | null {
  const { suppressions: all, marketingOptOuts } = app;
  const known = all.size + marketingOptOuts.size;
  if (beginnings === undefined) return known;
  if (known > countedMax) return null;
  let total = 0;
  for (const keys of [all, marketingOptOuts])
    for (const key of keys) if (beginnings.some((one) => key.startsWith(one))) total++;
  return total;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
