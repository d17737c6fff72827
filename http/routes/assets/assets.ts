// The pictures of an app, and files for its emails.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { filenameProblem } from '../../../actors/content/accept/mail-parts.ts';
import { readPictureHead } from '../../../actors/content/assets/picture-head.ts';
import type { AssetsProtocol } from '../../../actors/content/assets/protocol.ts';
import { checkFile } from '../../../actors/content/files/check-file.ts';
import { mailLimits } from '../../../actors/content/shape/mail-limits.ts';
import { fault, notFound } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { anybody, key, route } from '../../call/route.ts';
import { countedPage, exampleOf, nameSchema, orderedQuery } from '../../call/schemas/schemas.ts';
import { assetNamed, assetSchema, assetView } from './asset-shape.ts';

/** More exhausts the memory of readers' programs: 40 bytes can name 2^64 pixels. */
const pixelsMax = 40_000_000;
const mebibytes = mailLimits.attachmentBytesMax / 1_048_576;

export const uploadAsset = route({
  method: 'POST',
  path: '/v1/apps/:appId/assets',
  summary: 'Upload an image or a file',
  description: `The body is the file itself: a PNG, JPEG, GIF or WebP of at most 1 MiB and 40 million pixels, recognized by its content; the declared content type is ignored. SVG is not accepted. With \`use=attachment\` it may be any file of at most ${mebibytes} MiB that an email may carry (\`attachments\` of a send); only images of at most 1 MiB then have a public address. An app has at most 200 MiB. Uploading the same file again returns 200 with the existing asset.`,
  tag: 'Assets',
  access: key('write'),
  changes: ['asset'],
  query: z.object({
    name: nameSchema
      .optional()
      .describe(
        'Such as the name of the file, for your own use; of an attachment, the name that recipients see, unless the send has another.',
      ),
    use: z
      .enum(['attachment'])
      .optional()
      .describe('For a file that emails carry, instead of an image that messages show.'),
  }),
  fileTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  bodyBytesMax: mailLimits.attachmentBytesMax,
  responses: {
    200: { description: 'The app already has this file.', schema: assetSchema },
    201: { description: 'Stored.', schema: assetSchema },
  },
  refusals: [400, 409, 413],
  async handle(call) {
    const app = call.app();
    const { bytes } = call;
    const { name, use } = call.query;
    const head = bytes.length <= limits.bodyBytesMax ? readPictureHead(bytes) : undefined;
    const kind = head === undefined ? fileKind(bytes, name, use) : pictureKind(head, bytes);
    const hash = createHash('sha256').update(bytes).digest('base64url');
    const asset = { hash, ...kind, ...present({ name }) };
    const { asset: row, created } = await call
      .to<AssetsProtocol>(app)
      .ask('asset.add', { asset }, { bytes, weight: 0 });
    return { status: created ? 201 : 200, body: assetView(row, call.edge.config.publicUrl) };
  },
});

type PictureHead = NonNullable<ReturnType<typeof readPictureHead>>;

function pictureKind(head: PictureHead, bytes: Uint8Array): PictureHead {
  if (head.width * head.height > pixelsMax)
    throw new FaultError(
      fieldFault('body', `expected a picture of at most ${pixelsMax / 1_000_000} million pixels`),
    );
  // Emails may carry a picture, too, and it may be an archive.
  const checked = checkFile({ filename: 'picture', bytes });
  if ('problem' in checked) throw new FaultError(fieldFault('body', checked.problem));
  return head;
}

function fileKind(
  bytes: Uint8Array,
  name: string | undefined,
  use: 'attachment' | undefined,
): { readonly type: string } {
  if (use === undefined && bytes.length > limits.bodyBytesMax)
    throw new FaultError(
      fault('body_too_large', `the body is larger than ${limits.bodyBytesMax} bytes`),
    );
  if (use === undefined)
    throw new FaultError(
      fieldFault(
        'body',
        'expected the bytes of a PNG, JPEG, GIF or WebP; other files need use=attachment',
      ),
    );
  if (name === undefined)
    throw new FaultError(fieldFault('name', 'is missing; the extension says what the file is'));
  const wrong = filenameProblem(name);
  if (wrong !== undefined) throw new FaultError(fieldFault('name', wrong));
  const checked = checkFile({ filename: name, bytes });
  if ('problem' in checked) {
    const field = checked.member === 'content' ? 'body' : 'name';
    throw new FaultError(fieldFault(field, checked.problem));
  }
  return { type: checked.contentType };
}

const page = countedPage(assetSchema);

export const listAssets = route({
  method: 'GET',
  path: '/v1/apps/:appId/assets',
  summary: 'List images and files',
  tag: 'Assets',
  access: key('read'),
  reads: ['asset'],
  query: z.object(orderedQuery),
  responses: {
    200: {
      description: 'Assets, and the total size of all assets.',
      schema: page
        .extend({ bytes: z.int().describe('Total size of all assets of the app.') })
        .meta({ examples: [{ ...exampleOf(page), bytes: 48_213 }] }),
    },
  },
  async handle(call) {
    const { items, ...rest } = await call
      .to<AssetsProtocol>(call.app())
      .ask('asset.list', present(call.query));
    const { publicUrl } = call.edge.config;
    return { status: 200, body: { ...rest, items: items.map((row) => assetView(row, publicUrl)) } };
  },
});

/** Messages that show a picture keep their link, which is a 404 from now on. */
export const deleteAsset = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/assets/:id',
  summary: 'Delete an image or a file',
  description:
    'Its public address returns a 404 from then on, also in messages that were sent. Email clients and proxies may keep copies. Accepted sends keep the files that they carry.',
  tag: 'Assets',
  access: key('write'),
  changes: ['asset'],
  edits: 'asset.delete',
  params: { id: 'Asset id.' },
  responses: { 204: { description: 'Deleted.' } },
  async handle(call) {
    await call.to<AssetsProtocol>(call.app()).ask('asset.delete', { id: call.param('id') });
    return { status: 204 };
  },
});

const fixed = [
  ['cache-control', 'public, max-age=31536000, immutable'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; sandbox"],
  ['cross-origin-resource-policy', 'cross-origin'],
] as const;

/**
 * A picture for anyone who has its address. What an address shows never changes, so everyone may
 * keep it for good.
 */
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
