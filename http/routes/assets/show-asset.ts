// A picture for anyone who has its address. What an address shows never changes, so everyone may
// keep it for good.

import type { AssetsProtocol } from '../../../actors/content/assets/protocol.ts';
import { notFound } from '../../../actors/faults.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { anybody, route } from '../../call/route.ts';
import { assetNamed } from './asset-shape.ts';

const fixed = [
  ['cache-control', 'public, max-age=31536000, immutable'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; sandbox"],
  ['cross-origin-resource-policy', 'cross-origin'],
] as const;

export const showAsset = route({
  method: 'GET',
  path: '/a/:token',
  params: { token: "The last part of an asset's `url`." },
  summary: 'Image of an asset',
  description: 'The file, unchanged. It may be cached forever.',
  tag: 'Assets',
  access: anybody,
  reads: ['asset'],
  lane: 'none',
  requestHeaders: { 'if-none-match': 'The `etag` of the copy that you have.' },
  responses: {
    200: {
      description: 'The file.',
      contentType: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
      headers: { etag: 'The same as long as the asset exists.' },
    },
    304: { description: 'Unchanged.' },
  },
  refusals: [404],
  async handle(call) {
    const named = assetNamed(call.param('token'));
    if (named === undefined) throw new FaultError(notFound('picture'));
    const { app, hash } = named;
    const etag = ['etag', `"${hash}"`] as const;
    if (call.header('if-none-match') === etag[1]) return { status: 304, headers: [etag, ...fixed] };
    const { type, bytes } = await call
      .to<AssetsProtocol>(app)
      .ask('asset.show', { hash })
      .catch(hidden);
    return { status: 200, bytes, headers: [['content-type', type], etag, ...fixed] };
  },
});

/** An app that does not exist has no picture either. */
function hidden(error: unknown): never {
  const isUnknown = error instanceof FaultError && error.fault.code === 'not_found';
  throw isUnknown ? new FaultError(notFound('picture')) : error;
}
