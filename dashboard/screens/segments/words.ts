// The words of segments: the list, the editor, the explanation.

import { type PluralForms, plural } from '../../words/plural.ts';

const users: PluralForms = { one: '{n} use', other: '{n} uses' };

export const words = {
  title: 'Segments',
  search: 'Search segments',
  create: 'New segment',
  name: 'Name',
  filter: 'Who',
  people: 'People',
  updated: 'Changed',
  empty: 'No segments yet',
  emptyText: 'A segment is a saved filter. Its members are always up to date.',
  emptyFound: 'No segment has this name.',
  examples: 'Suggestions based on your people',
  newTitle: 'New segment',
  nameHint: 'A name for these people, such as “Active customers”.',
  save: 'Save segment',
  saved: 'Saved. The change applies immediately wherever the segment is used.',
  created: 'Segment created.',
  noFilter: 'Add a condition. You can send to everyone without a segment.',
  who: 'Members',
  matching: 'People who match',
  now: 'Match now',
  seeAll: 'View all',
  more: 'More actions',
  duplicated: (name: string) => `“${name}” created.`,
  exportCsv: 'Export its people as CSV',
  remove: 'Delete segment',
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeText: 'Only the filter is deleted. The people stay. This cannot be undone.',
  removeBreaks: 'It cannot be deleted while these use it. End them or change their audience first:',
  removed: (name: string) => `“${name}” deleted.`,
  usedBy: 'Used by',
  uses: (n: number) => plural(n, users),
  use: (kind: 'campaign' | 'journey', state: string) =>
    `${kind === 'campaign' ? 'Campaign' : 'Journey'}, ${state}`,
  usesTitle: 'Used by',
  usesNone: 'Not used yet.',
  explain: 'Explain a person',
  explainText: 'See why a person matches or does not match.',
  explainUnsaved: 'This explains the saved filter. Save first to explain your changes.',
  explainGo: 'Explain',
} as const;
