// People: the table, and one person.

import { late } from '../../ui/late.tsx';
import { Grey } from '../../ui/note.tsx';
import type { ScreenProps } from '../screen-props.ts';
import { PeopleTable } from './table.tsx';

const Person = late(
  () => import('./person/person.tsx').then((file) => file.Person),
  () => <Grey rows={8} />,
);

export default function People({ rest }: ScreenProps) {
  const [id] = rest;
  return id === undefined ? <PeopleTable /> : <Person key={id} id={id} />;
}
