// What a file is by its first bytes, and what its name and its content type say that it is. A
// family is what mail programs open with one program. A table of beginnings is enough: what is none
// of these is neither confirmed nor refused.

import { listedNames } from './zip-archive.ts';

export type FileFamily =
  | 'PDF'
  | 'PNG'
  | 'JPEG'
  | 'GIF'
  | 'WebP'
  | 'ZIP'
  | 'Office document'
  | 'OpenDocument'
  | 'old Office document'
  | 'RTF'
  | 'HTML'
  | 'text'
  | 'an executable';

interface FamilyNames {
  readonly extensions: readonly string[];
  readonly types: readonly string[];
}

/** The first type of a family is that of its first extension, and so on. */
const families: Readonly<Partial<Record<FileFamily, FamilyNames>>> = {
  PDF: { extensions: ['pdf'], types: ['application/pdf', 'application/x-pdf'] },
  PNG: { extensions: ['png'], types: ['image/png'] },
  JPEG: {
    extensions: ['jpg', 'jpeg'],
    types: ['image/jpeg', 'image/jpeg', 'image/jpg', 'image/pjpeg'],
  },
  GIF: { extensions: ['gif'], types: ['image/gif'] },
  WebP: { extensions: ['webp'], types: ['image/webp'] },
  ZIP: {
    extensions: ['zip', 'pkpass', 'epub'],
    types: [
      'application/zip',
      'application/vnd.apple.pkpass',
      'application/epub+zip',
      'application/x-zip-compressed',
    ],
  },
  'Office document': {
    extensions: ['docx', 'xlsx', 'pptx'],
    types: [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
  },
  OpenDocument: {
    extensions: ['odt', 'ods', 'odp'],
    types: [
      'application/vnd.oasis.opendocument.text',
      'application/vnd.oasis.opendocument.spreadsheet',
      'application/vnd.oasis.opendocument.presentation',
    ],
  },
  'old Office document': {
    extensions: ['doc', 'xls', 'ppt', 'msg'],
    types: [
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.ms-outlook',
    ],
  },
  RTF: { extensions: ['rtf'], types: ['application/rtf', 'text/rtf'] },
  HTML: { extensions: ['html', 'htm'], types: ['text/html', 'text/html', 'application/xhtml+xml'] },
  text: {
    extensions: ['txt', 'csv', 'ics', 'vcf', 'json', 'xml', 'md', 'log', 'tsv', 'svg'],
    types: [
      'text/plain',
      'text/csv',
      'text/calendar',
      'text/vcard',
      'application/json',
      'application/xml',
      'text/markdown',
      'text/plain',
      'text/tab-separated-values',
      'image/svg+xml',
      'text/xml',
      'application/ics',
    ],
  },
};

const byExtension = new Map<string, { readonly family: FileFamily; readonly type: string }>();
const byType = new Map<string, FileFamily>();
for (const [family, { extensions, types }] of Object.entries(families)) {
  for (const [i, extension] of extensions.entries())
    byExtension.set(extension, {
      family: family as FileFamily,
      type: types[i] ?? (types[0] as string),
    });
  for (const type of types) byType.set(type, family as FileFamily);
}

/** By an extension in lower case without its dot. */
export function familyOfExtension(
  extension: string,
): { readonly family: FileFamily; readonly type: string } | undefined {
  return byExtension.get(extension);
}

/** By a content type in lower case without parameters. */
export function familyOfType(type: string): FileFamily | undefined {
  return byType.get(type);
}

/** The type to say for a family that only the bytes tell. */
export function typeOfFamily(family: FileFamily | undefined): string {
  return (family && families[family]?.types[0]) ?? 'application/octet-stream';
}

const beginnings: readonly (readonly [family: FileFamily, hex: string])[] = [
  ['PDF', '255044462d'],
  ['PNG', '89504e470d0a1a0a'],
  ['JPEG', 'ffd8ff'],
  ['GIF', '474946383761'],
  ['GIF', '474946383961'],
  ['RTF', '7b5c727466'],
  ['old Office document', 'd0cf11e0a1b11ae1'],
  // ELF, Mach-O and Java, Android, a shortcut of Windows, a cabinet, compiled help.
  ['an executable', '7f454c46'],
  ['an executable', 'feedface'],
  ['an executable', 'feedfacf'],
  ['an executable', 'cefaedfe'],
  ['an executable', 'cffaedfe'],
  ['an executable', 'cafebabe'],
  ['an executable', '6465780a'],
  ['an executable', '4c0000000114020000000000c0000000'],
  ['an executable', '4d534346'],
  ['an executable', '49545346'],
];

/** `undefined`: none that this table knows. */
export function familyOfBytes(bytes: Uint8Array): FileFamily | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.toString('hex', 0, 16);
  const known = beginnings.find(([, hex]) => head.startsWith(hex))?.[0];
  if (known !== undefined) return known;
  if (head.startsWith('52494646') && view.toString('latin1', 8, 12) === 'WEBP') return 'WebP';
  if (head.startsWith('504b0304') || head.startsWith('504b0506')) return familyOfZip(view);
  const isText = isTextual(view);
  if (head.startsWith('4d5a') && !isText) return 'an executable';
  if (!isText) return undefined;
  const start = view
    .toString('utf8', 0, 1_024)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^#!\s*\//.test(start)) return 'an executable';
  // Comments and a declaration may come first.
  return /<(?:!doctype\s+html|html|head|body)\b/i.test(start) && start.startsWith('<')
    ? 'HTML'
    : 'text';
}

function familyOfZip(view: Buffer): FileFamily {
  const names = listedNames(view) ?? [];
  if (names.includes('[Content_Types].xml')) return 'Office document';
  const isOpenDocument =
    names[0] === 'mimetype' && view.includes('application/vnd.oasis.opendocument', 30);
  return isOpenDocument ? 'OpenDocument' : 'ZIP';
}

/** No NUL in its beginning, unless it says that it is UTF-16. */
function isTextual(view: Buffer): boolean {
  const mark = view.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') return true;
  return !view.subarray(0, 4_096).includes(0);
}
