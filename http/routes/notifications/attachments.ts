// Makes the files of a call's email what its send may refer to: decoded or fetched, checked, and
// kept by the app's actor before the send is accepted. Each fault names the file and its member.

import { createHash } from 'node:crypto';
import type { AttachedFile, MailParts } from '../../../actors/channels/port/attempt.ts';
import {
  acceptMailParts,
  cidProblem,
  filenameProblem,
} from '../../../actors/content/accept/mail-parts.ts';
import { checkFile, checkFileNames } from '../../../actors/content/files/check-file.ts';
import { familyOfType } from '../../../actors/content/files/file-family.ts';
import type { FilesProtocol } from '../../../actors/content/files/protocol.ts';
import { mailLimits } from '../../../actors/content/shape/mail-limits.ts';
import { unknownId } from '../../../actors/faults.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import type { AttachmentInput, MailInput } from './mail-shape.ts';

const { attachmentBytesMax } = mailLimits;

/** A file whose members are checked, and whose bytes are still to come. */
interface NamedFile {
  /** `attachments[2]` */
  readonly field: string;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly cid: string | undefined;
  readonly source:
    | { readonly kind: 'content'; readonly bytes: Buffer }
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'assetId'; readonly assetId: string };
}

/** What of a call's email is checked so far; `undefined` if it has nothing but its text. */
export interface GivenMail {
  readonly parts: Omit<MailParts, 'attachments'>;
  readonly files: readonly NamedFile[];
}

/** Throws the first fault that can be found without the files of others. */
export function givenMail(input: MailInput): GivenMail | undefined {
  const accepted = acceptMailParts(input);
  if ('fault' in accepted) throw new FaultError(accepted.fault);
  const files = (input.attachments ?? []).map(namedFile);
  const cids = files.flatMap(({ cid }) => (cid === undefined ? [] : [cid]));
  const twice = cids.findIndex((cid, i) => cids.indexOf(cid) !== i);
  if (twice >= 0)
    refuse(
      files.filter(({ cid }) => cid !== undefined)[twice]?.field ?? 'attachments',
      'inline.cid',
      'another file has the same',
    );
  let bytes = 0;
  for (const { source } of files) if (source.kind === 'content') bytes += source.bytes.length;
  if (bytes > attachmentBytesMax) throw tooLarge();
  if (files.length === 0 && accepted.parts === undefined) return undefined;
  return { parts: accepted.parts ?? {}, files };
}

/** Whether its files take more than the call itself: a retry looks first whether it is needed. */
export function isFetched({ files }: GivenMail): boolean {
  return files.some(({ source }) => source.kind !== 'content');
}

/** With all files kept. Throws the first fault. */
export async function keptMail(
  call: Call<unknown, unknown>,
  app: Ordinal,
  { parts, files }: GivenMail,
): Promise<MailParts> {
  const attachments: AttachedFile[] = [];
  let left = attachmentBytesMax;
  // One after the other: ten files of ten megabytes at once would be a hundred.
  for (const file of files) {
    const kept =
      file.source.kind === 'assetId'
        ? await keptAsset(call, app, file, file.source.assetId)
        : await keptBytes(call, app, file, left);
    left -= kept.bytes;
    if (left < 0) throw tooLarge();
    attachments.push(kept);
  }
  return attachments.length === 0 ? parts : { ...parts, attachments };
}

function namedFile(given: AttachmentInput, i: number): NamedFile {
  const field = `attachments[${i}]`;
  const { content, url, assetId, inline } = given;
  const sources = [content, url, assetId].filter((source) => source != null);
  if (sources.length !== 1)
    throw new FaultError(fieldFault(field, 'expected one of content, url and assetId'));
  const { filename } = given;
  if (filename === undefined && assetId == null) refuse(field, 'filename', 'is missing');
  const wrong = filename === undefined ? undefined : filenameProblem(filename);
  if (wrong !== undefined) refuse(field, 'filename', wrong);
  const cid = inline?.cid;
  const wrongCid = cid === undefined ? undefined : cidProblem(cid);
  if (wrongCid !== undefined) refuse(field, 'inline.cid', wrongCid);
  const contentType = typeOf(given.contentType ?? undefined, field);
  const names = { field, filename, contentType, cid };
  if (content != null)
    return { ...names, source: { kind: 'content', bytes: decoded(content, field) } };
  if (url != null) return { ...names, source: { kind: 'url', url } };
  return { ...names, source: { kind: 'assetId', assetId: assetId as string } };
}

/** In lower case, without parameters. A message or a part with parts cannot be in base64. */
function typeOf(given: string | undefined, field: string): string | undefined {
  if (given === undefined) return undefined;
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!/^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type))
    refuse(field, 'contentType', 'expected a content type, such as application/pdf');
  if (/^(?:multipart|message)\//.test(type))
    refuse(field, 'contentType', 'is not the type of a file; use application/octet-stream');
  return type;
}

/**
 * Of base64 with or without padding and line breaks, or of the form for addresses. Wrong padding is
 * a sign of a file that was cut off or put together.
 */
function decoded(content: string, field: string): Buffer {
  const text = content.replace(/^data:[^,]{0,200};base64,/, '').replace(/[\r\n\t ]+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1)
    refuse(field, 'content', 'expected base64');
  if (text.endsWith('=') && text.length % 4 !== 0)
    refuse(field, 'content', 'expected base64; its padding is wrong, or a part is missing');
  if (text === '') refuse(field, 'content', 'the file is empty');
  return Buffer.from(text, 'base64');
}

async function keptBytes(
  call: Call<unknown, unknown>,
  app: Ordinal,
  file: NamedFile,
  bytesMax: number,
): Promise<AttachedFile> {
  const { field, filename = '', source } = file;
  const bytes =
    source.kind === 'content' ? source.bytes : await fetched(call, file, source, bytesMax);
  const checked = checkFile({ filename, contentType: file.contentType, bytes });
  if ('problem' in checked)
    refuse(field, checked.member === 'content' ? source.kind : checked.member, checked.problem);
  const { contentType } = checked;
  refuseNoPicture(file, contentType);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  // The buffer goes to another thread.
  const { byteLength } = bytes;
  await call.to<FilesProtocol>(app).ask('file.keep', { hash }, { bytes, weight: 0 });
  return attached(file, { filename, contentType, bytes: byteLength, hash });
}

async function fetched(
  call: Call<unknown, unknown>,
  { field }: NamedFile,
  source: NamedFile['source'],
  bytesMax: number,
): Promise<Uint8Array> {
  const url = source.kind === 'url' ? source.url : '';
  const { edge, tenant } = call;
  const file = await edge.fetchFile?.(tenant, url, bytesMax);
  if (file === undefined) refuse(field, 'url', 'this server fetches no files');
  if ('problem' in file) refuse(field, 'url', file.problem);
  return file.bytes;
}

async function keptAsset(
  call: Call<unknown, unknown>,
  app: Ordinal,
  file: NamedFile,
  assetId: string,
): Promise<AttachedFile> {
  const { field } = file;
  const kept = await call
    .to<FilesProtocol>(app)
    .ask('file.keep_asset', { assetId })
    .catch((error: unknown) => {
      const isUnknown = error instanceof FaultError && error.fault.code === 'not_found';
      throw isUnknown
        ? new FaultError({ ...unknownId(`${field}.assetId`, 'asset', assetId), code: 'invalid' })
        : error;
    });
  const filename = file.filename ?? kept.name;
  if (filename === undefined) refuse(field, 'filename', 'is missing; the asset has no name');
  const wrong = filenameProblem(filename);
  if (wrong !== undefined) refuse(field, 'filename', wrong);
  const checked = checkFileNames(
    { filename, contentType: file.contentType },
    familyOfType(kept.type),
  );
  if ('problem' in checked) refuse(field, checked.member, checked.problem);
  const { contentType } = checked;
  refuseNoPicture(file, contentType);
  return attached(file, { filename, contentType, bytes: kept.bytes, hash: kept.hash });
}

function refuseNoPicture({ field, cid }: NamedFile, contentType: string): void {
  if (cid !== undefined && !/^image\/(?:png|jpeg|gif|webp)$/.test(contentType))
    refuse(field, 'inline', 'only a PNG, JPEG, GIF or WebP can stand within the text');
}

function attached({ cid }: NamedFile, file: Omit<AttachedFile, 'cid'>): AttachedFile {
  return cid === undefined ? file : { ...file, cid };
}

function tooLarge(): FaultError {
  return new FaultError(
    fieldFault('attachments', `at most ${attachmentBytesMax} bytes in all of an email`),
  );
}

function refuse(field: string, member: string, problem: string): never {
  throw new FaultError(fieldFault(`${field}.${member}`, problem));
}
