// Names one person: by external id, by our id, or found by an address.

import { useDeferredValue } from 'react';
import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { personWords } from '../words/person.ts';
import { bestAddress, personId, personName } from './person-ref.ts';

/** The value is what was typed; `personRef` makes what the API takes of it. */
export function PersonBox({
  value,
  onChange,
  onChoose,
  label = personWords.person,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A suggestion was taken. */
  readonly onChoose?: (value: string) => void;
  readonly label?: string;
}) {
  const app = useApp();
  const q = useDeferredValue(value.trim());
  const found = useRead(
    'searchSubscribers',
    { path: { appId: app.id }, body: { ...(q === '' ? {} : { q }), limit: 8, tags: [] } },
    { keepPrevious: true },
  );
  return (
    <Combobox
      label={label}
      placeholder={personWords.placeholder}
      value={value}
      isFiltered={false}
      onChange={onChange}
      {...(onChoose === undefined ? {} : { onChoose })}
      suggestions={(found.data?.items ?? []).map((one) => {
        const value = personId(one);
        const hint = one.displayName === null ? bestAddress(one) : value;
        return { value, label: personName(one), ...(hint === undefined ? {} : { hint }) };
      })}
    />
  );
}
