// Decides about files of sends.

import { accepted, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { assert } from '../../../engine/base/assert.ts';
import { parseId } from '../../../engine/base/id.ts';
import { assetBytes, assets } from '../../../storage/tables/asset.ts';
import { notFound } from '../../faults.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { keptFile } from './keep.ts';
import type { FilesMemory } from './memory.ts';
import type { FilesProtocol } from './protocol.ts';

type KeptAsset = FilesProtocol['file.keep_asset']['reply'];

export const filesDecisions: Decisions<FilesProtocol, FilesMemory> = {
  'file.keep': (state, { hash }, context) =>
    withApp(state, context, (): Decision<null> => {
      const { bytes } = context;
      assert(bytes !== undefined, 'a file comes with its bytes');
      // The message's bytes are another's buffer, which is used again.
      const read = () => Uint8Array.from(bytes);
      return accepted(null, keptFile(hash, bytes.byteLength, read, context));
    }),

  'file.keep_asset': (state, { assetId }, context) =>
    withApp(state, context, (): Decision<KeptAsset> => {
      const { documents } = context;
      const asset = parseId('ast', assetId) && documents.get(assets, [assetId]);
      if (asset === undefined) return refused(notFound('asset'));
      const { hash, bytes, type, name } = asset;
      const stored = documents.get(assetBytes, [hash]);
      if (stored === undefined) return refused(notFound('asset'));
      const reply = { hash, bytes, type, ...(name === undefined ? {} : { name }) };
      const writes = keptFile(hash, bytes, () => Uint8Array.from(stored.bytes), context);
      return accepted(reply, { ...writes, work: writes.entries.length * bytes });
    }),
};
