// Creates an app; what an org without any shows first.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../api/queries.ts';
import { useRefusal, useSession } from '../api/session-context.tsx';
import { appPath } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { Empty, ErrorNote } from '../ui/note.tsx';
import { words } from '../words/en.ts';

const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

export function NewApp() {
  return (
    <div className="screen-body">
      <Empty icon="phone" title={words.frame.noApp}>
        <p>{words.frame.noAppText}</p>
      </Empty>
      <div className="card card-body readable">
        <NewAppForm />
      </div>
    </div>
  );
}

export function NewAppForm({ onMade }: { readonly onMade?: () => void }) {
  const { reload } = useSession();
  const [, go] = useLocation();
  const refused = useRefusal('admin');
  const [name, setName] = useState('');
  const [timezone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const create = useAct('createApp');
  const { error } = create;
  const submit = () =>
    create.mutate(
      { body: { name, timezone } },
      {
        onSuccess: async ({ id }) => {
          await reload();
          go(appPath(id, 'home'));
          onMade?.();
        },
      },
    );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={words.frame.appName} error={error?.of('name')}>
        <TextInput required value={name} onChange={setName} />
      </Field>
      <Field
        label={words.frame.appZone}
        hint={words.frame.appZoneHint}
        error={error?.of('timezone')}
      >
        <Combobox value={timezone} onChange={setZone} suggestions={zones} />
      </Field>
      {error !== undefined && error.issues.length === 0 && <ErrorNote error={error} />}
      <div className="row">
        <Button kind="primary" type="submit" refused={refused} isBusy={create.isPending}>
          {words.frame.createApp}
        </Button>
      </div>
    </form>
  );
}
