// The words of the import.

import type { NoText } from '../../../files/file-kind.ts';
import { type PluralForms, plural } from '../../words/plural.ts';
import type { Encoding } from './readings.ts';

const addresses: PluralForms = { one: '{n} address', other: '{n} addresses' };
const lines: PluralForms = { one: '{n} line', other: '{n} lines' };
const problems: PluralForms = { one: '{n} problem', other: '{n} problems' };
const values: PluralForms = { one: '{n} value is', other: '{n} values are' };

const noText: Readonly<Record<NoText, string>> = {
  workbook: 'It is a workbook or an archive. In Excel, choose “Save as” and “CSV UTF-8”.',
  oldWorkbook: 'It is an Excel workbook. In Excel, choose “Save as” and “CSV UTF-8”.',
  packed: 'It is compressed with gzip. Unpack it first.',
  pdf: 'It is a PDF. Choose a CSV or JSON Lines file.',
  binary: 'It is not a text file. Choose a CSV or JSON Lines file.',
};

const encodings: Readonly<Record<Encoding | 'utf-8' | 'utf-16le' | 'utf-16be', string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16LE)',
  'utf-16be': 'Unicode (UTF-16BE)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-874': 'Thai (Windows-874)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  shift_jis: 'Japanese (Shift_JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  gb18030: 'Simplified Chinese (GB18030)',
  big5: 'Traditional Chinese (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
  'koi8-r': 'Russian (KOI8-R)',
  'koi8-u': 'Ukrainian (KOI8-U)',
  'iso-8859-2': 'Central European (ISO-8859-2)',
  macintosh: 'Western European (Macintosh)',
  'x-mac-cyrillic': 'Cyrillic (Macintosh)',
  ibm866: 'Cyrillic (DOS)',
};

const separators: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

export const words = {
  title: 'Import people',
  people: 'People',
  drop: 'Drop a CSV or JSON Lines file here',
  dropText:
    'The first line of a CSV file must name its columns. Files can have a million lines: this page reads them in pieces and sends only the rows to the API.',
  choose: 'Choose a file',
  file: 'File',
  sample: 'No file yet?',
  sampleText:
    'Add 130 sample people with names, languages, plans and devices. Their external IDs are sample-001 to sample-130, and you can erase them like anyone else.',
  addSample: 'Add 130 sample people',
  asApi: 'API request',
  opening: 'Reading the file…',
  unreadable: (problem: string) => `The file cannot be read: ${problem}`,
  noText: (kind: NoText) => `The file cannot be read. ${noText[kind]}`,
  empty: 'The file contains no rows.',
  encodingTitle: 'Which encoding is this file in?',
  encodingText: (file: string) =>
    `${file} is not in UTF-8. Choose the encoding that shows names and places correctly.`,
  mixed: (utf8: number, other: number, first: number) =>
    `The file mixes encodings: ${plural(utf8, lines)} with non-ASCII letters can be read as UTF-8, ${plural(other, lines)} cannot (the first is line ${first}). Some letters may be wrong with any encoding. It is safer to fix the file.`,
  encodings: 'Encoding',
  otherEncoding: 'Another encoding',
  otherEncodings: 'Choose from all encodings',
  encodingOf: (id: string) => (encodings as Readonly<Record<string, string>>)[id] ?? id,
  readSo: 'Use this encoding',
  readAs: (encoding: string) =>
    `read as ${(encodings as Readonly<Record<string, string>>)[encoding] ?? encoding}`,
  separatedBy: (separator: string) => `separated by ${separators[separator] ?? `“${separator}”`}`,
  other: 'Choose another file',
  mapTitle: 'Map columns',
  mapText: 'Suggested from the column names and values. Correct what is wrong.',
  noMap: 'Each line of this file is already in the format of the API. No mapping is needed.',
  column: 'Column',
  values: 'First values',
  becomes: 'Import as',
  details: 'Details',
  targetOf: (column: string) => `Import ${column} as`,
  keyOf: (column: string) => `Tag of ${column}`,
  typeOf: (column: string) => `Type of ${column}`,
  noId: 'No column is mapped to the external ID. Each line creates a new person, even if you import the file again.',
  nothing: 'No column is imported. Map at least one.',
  nameless: 'A tag has no name. Name it, or skip its column.',
  clash: (what: string, columns: readonly string[]) =>
    `${columns.map((one) => `“${one}”`).join(' and ')} ${columns.length === 2 ? 'both' : 'all'} become ${what}, so one would overwrite the other. Choose a different tag for one of them, or skip it.`,
  parted: 'Two columns are mapped to the same target. Change one of them first.',
  theTag: (key: string) => `the tag ${key}`,
  leftOut: (names: readonly string[]) =>
    `The API does not accept these fields, so they are not imported: ${names.join(', ')}.`,
  keptAsText: (value: string, line: number) =>
    `“${value}” in line ${line} would change if it were a number, so the column is text.`,
  notOfType: (n: number, value: string, line: number) =>
    `${plural(n, values)} not of this type, such as “${value}” in line ${line}. Such lines are not imported.`,
  targets: {
    skip: 'Skip',
    externalId: 'External ID',
    tag: 'Tag',
    timezone: 'Time zone',
    preferences: 'Preferred channels',
    tagsJson: 'All tags, as JSON',
    devicesJson: 'All devices, as JSON',
    device: (channel: string) => `Device: ${channel}`,
  },
  types: { string: 'Text', number: 'Number', boolean: 'Yes or no', list: 'List' },
  check: 'Check the file',
  startNow: 'Import without checking',
  checking: 'Checking…',
  checkingText: 'Nothing is stored yet.',
  checked: 'Checked',
  checkedText: 'This is what the import will do. Nothing is stored yet.',
  back: 'Change the columns',
  start: 'Import',
  goOn: 'Continue',
  again: 'Start from the first line',
  resume: (n: number) => `${plural(n, lines)} of this file are already imported.`,
  resumeText: 'Continue from there, or start again. Importing a line again changes nothing.',
  running: 'Importing',
  runningText: 'Stay on this page. Imported lines are stored, so you can stop and continue later.',
  stop: 'Stop',
  leave: {
    title: 'Stop the import?',
    text: 'It stops when you leave this page. Everything so far is stored.',
    action: 'Stop and leave',
  },
  stopped: 'Stopped. Everything so far is stored.',
  stoppedText: 'You can continue at any time. After a reload, choose the same file again.',
  broke: 'The import was interrupted. Everything so far is stored.',
  done: 'Imported',
  wouldCreate: 'Would be new',
  wouldUpdate: 'Would change',
  created: 'New',
  updated: 'Changed',
  failed: 'Failed',
  rate: 'Lines per second',
  ofFile: 'of the file',
  inPart: 'Without a device',
  without: (error: string) => `Imported without this device. ${error}`,
  failures: 'Lines that were skipped or imported without a device',
  line: 'Line',
  reason: 'Reason',
  moreFailures: (n: number) =>
    `and ${plural(n, problems)} more. Download the file to see all of them.`,
  cutFailures: (n: number) => `The downloaded file contains the first ${plural(n, problems)}.`,
  flagged: 'Email addresses to look at',
  flags: {
    typo: (n: number) => `${plural(n, addresses)} with a domain that may be misspelled:`,
    disposable: (n: number) => `${plural(n, addresses)} of a disposable mailbox:`,
    role: (n: number) => `${plural(n, addresses)} of a role, such as info@ or noreply@:`,
  },
  flaggedLine: (line: string, domain: string, meant: string | undefined) =>
    meant === undefined ? `line ${line} ${domain}` : `line ${line} ${domain} (${meant}?)`,
  download: 'Download failed lines',
  seePeople: 'View these people',
  another: 'Import another file',
  errorColumn: 'error',
} as const;
