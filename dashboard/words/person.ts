// The words for naming a person.

import { plural } from './plural.ts';

export const words = {
  person: 'Person',
  placeholder: 'Name, external ID or address',
  since: 'Since',
  sampleDone: (n: number) => plural(n, { one: '{n} person added.', other: '{n} people added.' }),
} as const;
