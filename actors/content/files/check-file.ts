// Whether a file may be attached: its bytes must be what its name and content type say, and nothing
// that a mail program may run. Mail services refuse the same names, so such a mail would bounce.
// Source of the names: Gmail's list of blocked file types.

import {
  type FileFamily,
  familyOfBytes,
  familyOfExtension,
  familyOfType,
  typeOfFamily,
} from './file-family.ts';
import { hiddenNames, packedArchives, type UnpackBudget, zipNames } from './zip-archive.ts';

const refusedExtensions: ReadonlySet<string> = new Set(
  (
    'ade adp apk app appx appxbundle appref-ms application bat cab chm cmd com command cpl dex diagcab ' +
    'diagcfg diagpkg dll dmg docm dotm ex ex_ exe gadget hlp hta img inf ins iso isp jar jnlp js ' +
    'jse ksh lib lnk mde mjs msc msh msi msix msixbundle msp mst nsh ocx pif pkg potm ppam ppsm ' +
    'pptm ps1 ps1xml psc1 psd1 psm1 reg scf scpt scr sct settingcontent-ms shb shs sh sldm sys url ' +
    'vb vbe vbs vhd vhdx vxd ws wsc wsf wsh xbap xlam xll xlsm xltm'
  ).split(' '),
);

interface NamedFile {
  readonly filename: string;
  /** As the caller gave it, in lower case without parameters. */
  readonly contentType?: string | undefined;
  readonly bytes: Uint8Array;
}

/** The content type to send, or what is wrong with which member. */
type CheckedFile =
  | { readonly contentType: string; readonly family: FileFamily | undefined }
  | { readonly member: 'filename' | 'contentType' | 'content'; readonly problem: string };

export function checkFile({ bytes, ...names }: NamedFile): CheckedFile {
  const refused = refusedFile(names.filename);
  if (refused !== undefined) return refused;
  if (bytes.byteLength === 0) return { member: 'content', problem: 'the file is empty' };
  const family = familyOfBytes(bytes);
  if (family === 'an executable')
    return { member: 'content', problem: 'executable files are not delivered' };
  const inside = problemInside(bytes, family, budgetOf(bytes));
  return inside === undefined
    ? checkFileNames(names, family)
    : { member: 'content', problem: inside };
}

/** The same for a file that was checked before under another name. */
export function checkFileNames(
  { filename, contentType }: Omit<NamedFile, 'bytes'>,
  family: FileFamily | undefined,
): CheckedFile {
  const refused = refusedFile(filename);
  if (refused !== undefined) return refused;
  const named = familyOfExtension(extensionOf(filename));
  if (named !== undefined && !fits(named.family, family))
    return {
      member: 'filename',
      problem: `ends in .${extensionOf(filename)}, but the file is ${what(family)}`,
    };
  const said = contentType === undefined ? undefined : familyOfType(contentType);
  if (said !== undefined && !fits(said, family))
    return { member: 'contentType', problem: `${contentType}, but the file is ${what(family)}` };
  return { contentType: contentType ?? named?.type ?? typeOfFamily(family), family };
}

function refusedFile(filename: string): CheckedFile | undefined {
  const refused = refusedName(filename);
  if (refused === undefined) return undefined;
  return { member: 'filename', problem: `files that end in .${refused} are not delivered` };
}

/** The extension that makes a name refused; programs drop dots and blanks at its end. */
function refusedName(filename: string): string | undefined {
  // `report.exe:x` is `report.exe` on Windows; names in archives may end at a NUL.
  const shown = [filename, filename.split(/[:\0]/, 1)[0] ?? ''].map(extensionOf);
  return shown.find((extension) => refusedExtensions.has(extension));
}

function extensionOf(filename: string): string {
  const name = filename.replace(/[.\s\p{Default_Ignorable_Code_Point}]+$/u, '');
  return /\.([^./\\]+)$/.exec(name)?.[1]?.normalize('NFKC').toLowerCase() ?? '';
}

/** Text is a family of many: a script of one of them is refused by its name. */
function fits(said: FileFamily, family: FileFamily | undefined): boolean {
  if (said === family) return true;
  // An archive may be called a document, and an old document may be a text or a page.
  if (said === 'ZIP') return family === 'Office document' || family === 'OpenDocument';
  return said === 'old Office document' && (family === 'HTML' || family === 'text');
}

const archivesDeepMax = 3;
const unpackedBytesMin = 1024 * 1024;

/** Archives hardly shrink once more, so twice the file is room for all within it. */
function budgetOf({ byteLength }: Uint8Array): UnpackBudget {
  return { bytesLeft: Math.max(unpackedBytesMin, 2 * byteLength) };
}

function problemInside(
  bytes: Uint8Array,
  family: FileFamily | undefined,
  budget: UnpackBudget,
  deep = 1,
): string | undefined {
  const isArchive = family === 'ZIP' || family === 'Office document' || family === 'OpenDocument';
  const names = isArchive ? zipNames(bytes) : hiddenNames(bytes);
  if (names === undefined) return 'the archive cannot be read';
  for (const name of names) {
    if (/(?:^|\/)vbaProject\.bin$/i.test(name)) return 'documents with macros are not delivered';
    if (refusedName(name) !== undefined)
      return `archives with files such as ${name.slice(0, 100)} are not delivered`;
  }
  const packed = packedArchives(bytes, budget);
  if ('problem' in packed) return packed.problem;
  if (packed.length > 0 && deep === archivesDeepMax)
    return `archives more than ${archivesDeepMax} deep are not delivered`;
  for (const inner of packed) {
    const problem = problemInside(inner, familyOfBytes(inner), budget, deep + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function what(family: FileFamily | undefined): string {
  if (family === undefined) return 'something else';
  return family === 'text' ? 'text' : `${/^[AEIO]/.test(family) ? 'an' : 'a'} ${family}`;
}
