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
  emptyText: 'A segment is a filter with a name. Who is in it is always up to date.',
  emptyFound: 'No segment has this name.',
  examples: 'Start from what your people have now',
  newTitle: 'New segment',
  nameHint: 'What you call these people, such as “Active customers”.',
  save: 'Save segment',
  saved: 'Saved. Whatever uses this segment follows at once.',
  created: 'Segment created.',
  noFilter: 'Add a condition: a segment of everybody needs no segment.',
  who: 'Who is in it',
  matching: 'People who match',
  now: 'Match now',
  seeAll: 'See all of them',
  unsaved: 'Not saved yet',
  more: 'More actions',
  duplicate: 'Duplicate',
  duplicated: (name: string) => `“${name}” created.`,
  exportCsv: 'Export its people as CSV',
  remove: 'Delete segment',
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeText: 'Its people stay. The filter is gone and cannot be taken back.',
  removeBreaks:
    'It cannot be deleted while these use it. End them or give them other people first:',
  removed: (name: string) => `“${name}” deleted.`,
  usedBy: 'Used by',
  uses: (n: number) => plural(n, users),
  use: (kind: 'campaign' | 'journey', state: string) =>
    `${kind === 'campaign' ? 'Campaign' : 'Journey'}, ${state}`,
  usesTitle: 'Used by',
  usesNone: 'Nothing uses it yet.',
  explain: 'Explain a person',
  explainText: 'Why somebody is in this segment, or why not.',
  explainUnsaved: 'This explains the saved filter. Save first to explain your changes.',
  explainGo: 'Explain',
} as const;
