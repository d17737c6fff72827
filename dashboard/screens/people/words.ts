// The words of people: the table, and what is done to many of them.

import { type PluralForms, plural } from '../../words/plural.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };
const conditions: PluralForms = { one: 'Filter: {n} condition', other: 'Filter: {n} conditions' };
const tagged: PluralForms = { one: '{n} person changed.', other: '{n} people changed.' };
const erased: PluralForms = { one: '{n} person erased.', other: '{n} people erased.' };
const select: PluralForms = { one: 'Select all {n}', other: 'Select all {n}' };

export const words = {
  title: 'People',
  search: 'Name, external ID, email or phone',
  who: 'Who',
  address: 'Address',
  channels: 'Reachable on',
  lastActive: 'Last active',
  created: 'Created',
  never: 'never',
  none: 'nothing',
  more: (n: number) => `+${n}`,
  filter: 'Filter',
  filtered: (n: number) => plural(n, conditions),
  hideFilter: 'Hide filter',
  clear: 'Clear filter',
  saveSegment: 'Save as segment',
  order: 'Order',
  orders: { newest: 'Newest first', oldest: 'Oldest first', lastActive: 'Last active first' },
  inSegment: (name: string) => `In segment: ${name}`,
  leaveSegment: 'Show everyone',
  columns: 'Columns',
  columnsTitle: 'Tags as columns',
  columnsNone: 'No tags yet.',
  columnsFull: 'Up to six tags.',
  import: 'Import people',
  exportAll: 'Export',
  exportCsv: 'Everyone as CSV',
  exportJson: 'Everyone as JSON Lines',
  exportSegmentCsv: 'This segment as CSV',
  exportSegmentJson: 'This segment as JSON Lines',
  exportFiltered: 'To export a filter, save it as a segment first.',
  total: (n: number) => plural(n, people),
  took: (ms: number) => `found in ${ms < 1 ? 'under 1' : Math.round(ms)} ms`,
  empty: 'No people yet',
  emptyText: 'Import a file, or create people through the API when they sign up.',
  emptyFound: 'No matches',
  emptyFoundText: 'No one in this app matches both the search and the filter.',
  selectAll: (n: number) => plural(n, select),
  unselect: 'Clear selection',
  setTag: 'Set a tag',
  setTagTitle: (n: number) => `Set a tag on ${plural(n, people)}`,
  tagKey: 'Tag',
  tagValue: 'Value',
  tagValueHint: 'Leave empty to remove the tag.',
  apply: 'Apply',
  changed: (n: number) => plural(n, tagged),
  partly: (n: number) => `${plural(n, people)} could not be changed.`,
  optOut: 'Opt out',
  optOutTitle: (n: number) => `Record that ${plural(n, people)} opted out?`,
  optOutText:
    'Nothing more is sent to the addresses of these people on the chosen channels. A phone number is opted out of SMS, voice, WhatsApp, RCS and KakaoTalk together.',
  optOutChannels: 'Channels',
  optOutReason: 'Reason',
  erase: 'Erase',
  eraseTitle: (n: number) => `Erase ${plural(n, people)}?`,
  eraseText:
    'All their data is deleted, including events. This cannot be undone. Opt-outs of their addresses are kept.',
  eraseTyped: (n: number) => `erase ${n}`,
  erased: (n: number) => plural(n, erased),
  progress: (done: number, all: number) => (all === 0 ? 'Working…' : `${done} of ${all}`),
} as const;
