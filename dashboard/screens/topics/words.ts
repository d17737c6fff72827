// The words of topics.

import { type PluralForms, plural } from '../../words/plural.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };

export const words = {
  title: 'Topics',
  create: 'New topic',
  search: 'Name or key',
  columns: {
    name: 'Name',
    key: 'Key',
    default: 'Without a choice',
    optIn: 'Confirmation',
    in: 'In',
    out: 'Out',
    pending: 'Pending',
    changed: 'Changed',
  },
  defaults: { in: 'In', out: 'Out' },
  double: 'Double opt-in',
  empty: 'No topics yet',
  emptyText:
    'A topic is what people may want messages about, such as news or offers. A campaign that names a topic reaches only people who are in it, and people choose their topics themselves.',
  emptySearch: 'No topic has this text in its name or key',
  name: 'Name',
  nameHint: 'People see it on the page where they choose.',
  key: 'Key',
  keyHint:
    'Letters, digits, - and _. The API names the topic by it, and it cannot be changed later.',
  description: 'Description',
  descriptionHint: 'People see it below the name.',
  default: 'For people who have made no choice',
  defaultChoices: {
    out: { label: 'Out', hint: 'They get nothing about it until they choose it.' },
    in: { label: 'In', hint: 'They get messages about it until they leave it.' },
  },
  willGet:
    'When you save this, everyone who has made no choice gets messages about this topic. A campaign that is being sent reaches them too.',
  doubleHint:
    'A choice that comes from an app or a form waits until the person confirms it by email. Nothing about the topic is sent before.',
  doubleNeeds: 'A double opt-in needs “Out” above, because no one has confirmed a default.',
  people: {
    title: 'People',
    in: 'In, by their choice',
    out: 'Out, by their choice',
    pending: 'Pending: not confirmed yet',
    rest: { in: 'No choice, so they are in', out: 'No choice, so they are out' },
    all: (n: number) => `A campaign about this topic reaches ${plural(n, people)} at most.`,
  },
  snippet: {
    title: 'From your server',
    text: 'Sets the choice of one person. A choice that comes with an API key counts as confirmed.',
  },
  saved: 'Saved.',
  created: 'Created.',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete the topic ${name}?`,
  removeText:
    'People no longer see it. Their choices stay stored: they hold again if you create a topic with the same key.',
  removed: 'Deleted.',
} as const;
