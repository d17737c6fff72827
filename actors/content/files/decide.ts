// Decides about files of sends.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { assert } from '../../../engine/base/assert.ts';
import { parseId } from '../../../engine/base/id.ts';
import { type AssetRow, assetBytes, assetPieces, assets } from '../../../storage/tables/asset.ts';
import { notFound } from '../../faults.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { hasFile, keptFile } from './keep.ts';
import type { FilesMemory } from './memory.ts';
import { readPieces } from './pieces.ts';
import type { FilesProtocol } from './protocol.ts';

const nothing = new Uint8Array(0);

/** `undefined`: a part is missing. */
function bytesOf(
  { hash, bytes, width }: AssetRow,
  documents: Context['documents'],
): Uint8Array | undefined {
  if (width !== undefined) return documents.get(assetBytes, [hash])?.bytes;
  const whole = new Uint8Array(bytes);
  return readPieces(assetPieces, hash, whole, documents) ? whole : undefined;
}

type KeptAsset = FilesProtocol['file.keep_asset']['reply'];

export const filesDecisions: Decisions<FilesProtocol, FilesMemory> = {
  'file.keep': (state, { hash }, context) =>
    withApp(state, context, (): Decision<null> => {
      const { bytes } = context;
      assert(bytes !== undefined, 'a file comes with its bytes');
      return accepted(
        null,
        keptFile(hash, bytes.byteLength, () => bytes, context),
      );
    }),

  'file.keep_asset': (state, { assetId }, context) =>
    withApp(state, context, (): Decision<KeptAsset> => {
      const { documents } = context;
      const asset = parseId('ast', assetId) && documents.get(assets, [assetId]);
      if (asset === undefined) return refused(notFound('asset'));
      const { hash, bytes, type, name } = asset;
      const whole = hasFile(hash, context) ? nothing : bytesOf(asset, documents);
      if (whole === undefined) return refused(notFound('asset'));
      const reply = { hash, bytes, type, ...(name === undefined ? {} : { name }) };
      const writes = keptFile(hash, bytes, () => whole, context);
      return accepted(reply, { ...writes, work: writes.entries.length * bytes });
    }),
};
