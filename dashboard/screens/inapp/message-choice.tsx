// Chooses a saved message by its name.

import { useDeferredValue, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import { words } from './words.ts';

export function MessageChoice({
  id,
  error,
  onChange,
}: {
  readonly id: string;
  readonly error: string | undefined;
  readonly onChange: (id: string) => void;
}) {
  const app = useApp();
  const [typed, setTyped] = useState<string>();
  const chosen = useRead(
    'readMessage',
    { path: { appId: app.id, id } },
    { enabled: id !== '' },
  ).data;
  const q = useDeferredValue(typed ?? '');
  const found = useRead(
    'listMessages',
    { path: { appId: app.id }, query: { order: 'newest', limit: 20, ...(q === '' ? {} : { q }) } },
    { keepPrevious: true },
  );
  const name = id === '' ? '' : (chosen?.name ?? chosen?.title ?? id);
  return (
    <div className="stack-tight">
      <Field label={words.message} hint={words.messageHint} error={error}>
        <Combobox
          value={typed ?? name}
          isFiltered={false}
          placeholder={words.messagePlaceholder}
          onChange={setTyped}
          onChoose={(next) => {
            setTyped(undefined);
            onChange(next);
          }}
          suggestions={(found.data?.items ?? []).map((one) => ({
            value: one.id,
            label: one.name ?? one.title ?? one.id,
          }))}
        />
      </Field>
      <div className="row">
        {id !== '' && (
          <ButtonLink size="small" icon="edit" to={appPath(app.id, 'messages', id)}>
            {words.edit}
          </ButtonLink>
        )}
        <ButtonLink size="small" icon="plus" to={appPath(app.id, 'messages', 'new')}>
          {words.write}
        </ButtonLink>
      </div>
    </div>
  );
}
