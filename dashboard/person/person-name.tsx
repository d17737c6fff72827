// A person's name as lists and pages show it, with the id in gray; the id alone without a name.

import type { Subscriber } from '../api/generated.ts';
import { usePersonName } from '../api/person-names.ts';
import { useApp } from '../api/session-context.tsx';
import { personId } from './person-ref.ts';

export function PersonName({
  person,
}: {
  readonly person: Pick<Subscriber, 'displayName' | 'externalUserId' | 'id'>;
}) {
  return <Named name={person.displayName} id={personId(person)} />;
}

/** For an answer that has the person's id but no name. */
export function NameOf({
  subscriberId,
  externalUserId,
}: {
  readonly subscriberId: string;
  readonly externalUserId?: string | null | undefined;
}) {
  const app = useApp();
  const name = usePersonName(app.id, subscriberId);
  const id = externalUserId ?? subscriberId;
  if (name === undefined) return <span aria-busy="true">{id}</span>;
  return <Named name={name} id={id} />;
}

function Named({ name, id }: { readonly name: string | null; readonly id: string }) {
  if (name === null) return id;
  return (
    <>
      {name} <span className="soft">{id}</span>
    </>
  );
}
