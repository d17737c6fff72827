// Decides about pictures and files. The same bytes are one asset of an app, however often they
// come; two apps share nothing, so deleting here removes nothing there.

import { accepted, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { assert } from '../../../engine/base/assert.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { newId, parseId } from '../../../engine/base/id.ts';
import { type AssetRow, assetBytes, assetPieces, assets } from '../../../storage/tables/asset.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { cursorIn, cursorOf } from '../../list-order.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { pieceRemovals, pieceWrites } from '../files/pieces.ts';
import type { AssetsMemory } from './memory.ts';
import type { AssetsEntry, AssetsProtocol } from './protocol.ts';

type Added = AssetsProtocol['asset.add']['reply'];
type Shown = AssetsProtocol['asset.show']['reply'];

export const assetsDecisions: Decisions<AssetsProtocol, AssetsMemory> = {
  'asset.add': (state, { asset }, context) =>
    withApp(state, context, (app): Decision<Added> => {
      const { owner, nowMs, bytes, documents } = context;
      assert(bytes !== undefined, 'an asset comes with its bytes');
      const known = documents.get(assetBytes, [asset.hash]);
      const before = known === undefined ? undefined : documents.get(assets, [known.id]);
      if (before !== undefined) return accepted({ asset: before, created: false });
      if (app.assetCount >= limits.assetsMax)
        return refused(fault('limit_reached', `an app has at most ${limits.assetsMax} assets`));
      if (app.assetBytes + bytes.byteLength > limits.assetBytesMax)
        return refused(
          fault(
            'limit_reached',
            `the assets of an app have at most ${limits.assetBytesMax} bytes together; these have ${app.assetBytes}, and this one ${bytes.byteLength}`,
          ),
        );
      const id = newId('ast', owner, nowMs, context.rng);
      const row: AssetRow = { id, ...asset, bytes: bytes.byteLength, createdMs: nowMs };
      const isPicture = asset.width !== undefined;
      // The message's bytes are another's buffer, which is used again.
      const whole = isPicture ? Uint8Array.from(bytes) : new Uint8Array(0);
      const stored = { id, type: asset.type, bytes: whole };
      const entry: AssetsEntry = { kind: 'asset.added', owner, id, bytes: row.bytes };
      return accepted(
        { asset: row, created: true },
        {
          entries: [entry],
          documents: [
            { table: assets, key: [id], value: row },
            { table: assetBytes, key: [asset.hash], value: stored },
            ...(isPicture ? [] : pieceWrites(assetPieces, asset.hash, bytes)),
          ],
        },
      );
    }),

  'asset.show': (state, { hash }, context) =>
    withApp(state, context, (): Decision<Shown> => {
      const found = context.documents.get(assetBytes, [hash]);
      // A file that is no picture has no public address.
      if (found === undefined || found.bytes.byteLength === 0) return refused(notFound('picture'));
      // A view of a record, whose whole buffer would cross to the front.
      const bytes = Uint8Array.from(found.bytes);
      return accepted({ type: found.type, bytes }, { work: bytes.byteLength });
    }),

  'asset.delete': (state, { id }, context) =>
    withApp(state, context, () => {
      const row = parseId('ast', id) && context.documents.get(assets, [id]);
      if (row === undefined) return refused(notFound('asset'));
      const { owner } = context;
      const entry: AssetsEntry = { kind: 'asset.deleted', owner, id, bytes: row.bytes };
      return accepted(null, {
        entries: [entry],
        documents: [
          { table: assets, key: [id], value: undefined },
          { table: assetBytes, key: [row.hash], value: undefined },
          ...(row.width === undefined ? pieceRemovals(assetPieces, row.hash, row.bytes) : []),
        ],
      });
    }),

  'asset.list': (state, { order = 'newest', limit, cursor }, context) =>
    withApp(state, context, ({ assetCount: total, assetBytes: bytes }) => {
      const after = cursor === undefined ? undefined : cursorOf(order, cursor);
      if (cursor !== undefined && (after === undefined || parseId('ast', after) === undefined))
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const rows = context.documents.range(assets, { ...beyond(order, after), limit: limit + 1 });
      const items = rows.slice(0, limit).map(({ value }) => value);
      const last = rows.length > limit ? items.at(-1) : undefined;
      const nextCursor = last === undefined ? null : cursorIn(order, last.id);
      return accepted({ items, nextCursor, total, bytes });
    }),
};

/** The least key after an id is itself with the least character behind it. */
function beyond(order: 'newest' | 'oldest', id: string | undefined) {
  if (order === 'newest') return { reverse: true, ...(id === undefined ? {} : { to: [id] }) };
  return id === undefined ? {} : { from: [`${id}\u0000`] };
}
