// The wire shape of a picture or file, and a picture's public address.

import { z } from 'zod';
import { assetEtag } from '../../../actors/content/assets/asset-etag.ts';
import type { AssetsProtocol } from '../../../actors/content/assets/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

export const assetSchema = z
  .object({
    id: z.string(),
    url: z
      .string()
      .optional()
      .describe(
        'Public address of an image; the same as long as the asset exists. Absent for a file that can only be attached.',
      ),
    name: z.string().optional(),
    type: z.string().describe('Content type, such as `image/png` or `application/pdf`.'),
    bytes: z.int(),
    width: z.int().optional().describe('Of an image, in pixels.'),
    height: z.int().optional(),
    etag: etagSchema,
    createdAt: instantSchema,
  })
  .meta({
    id: 'Asset',
    examples: [
      {
        id: exampleIds.asset,
        url: 'https://engage.example/a/6dp-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
        name: 'header.png',
        type: 'image/png' as const,
        bytes: 48_213,
        width: 1200,
        height: 480,
        etag: exampleEtag,
        createdAt: exampleInstant(),
      },
    ],
  });

type Asset = AssetsProtocol['asset.add']['reply']['asset'];

export function assetView(asset: Asset, publicUrl: string) {
  const { id, hash, name, type, bytes, width, height, createdMs } = asset;
  const app = parseId('ast', id)?.ordinal ?? 0;
  return {
    id,
    ...(width === undefined ? {} : { url: `${publicUrl}/a/${app.toString(36)}-${hash}` }),
    ...present({ name }),
    type,
    bytes,
    ...present({ width, height }),
    etag: assetEtag(asset),
    createdAt: instant(createdMs),
  };
}

/** The app and the hash in an address; `undefined` for what is none. */
export function assetNamed(
  token: string,
): { readonly app: Ordinal; readonly hash: string } | undefined {
  const [, digits = '', hash = ''] = /^([1-9a-z][0-9a-z]{0,6})-([\w-]{43})$/.exec(token) ?? [];
  const app = Number.parseInt(digits, 36);
  return Number.isNaN(app) || app > 0xffff_ffff ? undefined : { app: app as Ordinal, hash };
}
