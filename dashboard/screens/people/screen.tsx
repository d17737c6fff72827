// People: the table, and one person.

import type { ScreenProps } from '../index.ts';
import { Person } from './person/person.tsx';
import { PeopleTable } from './table.tsx';

export default function People({ rest }: ScreenProps) {
  const [id] = rest;
  if (id === undefined) return <PeopleTable />;
  return <Person key={id} id={id} />;
}
