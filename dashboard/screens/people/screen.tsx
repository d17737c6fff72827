// People: the table, and one person.

import { lazy, Suspense } from 'react';
import { Grey } from '../../ui/note.tsx';
import type { ScreenProps } from '../index.ts';
import { PeopleTable } from './table.tsx';

const Person = lazy(() => import('./person/person.tsx').then((file) => ({ default: file.Person })));

export default function People({ rest }: ScreenProps) {
  const [id] = rest;
  if (id === undefined) return <PeopleTable />;
  return (
    <Suspense fallback={<Grey rows={8} />}>
      <Person key={id} id={id} />
    </Suspense>
  );
}
