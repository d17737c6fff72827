// Who the person is: ids, time zone, when they came and were last here.

import { useState } from 'react';
import type { Subscriber } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/code.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Field } from '../../../ui/field.tsx';
import { Facts } from '../../../ui/figure.tsx';
import { Time } from '../../../ui/time.tsx';
import { words } from './words.ts';

export function Identity({ person }: { readonly person: Subscriber }) {
  const { externalUserId, id, createdAt, lastActiveAt } = person;
  return (
    <section className="card card-body stack-tight">
      <h2>{words.identity}</h2>
      <Facts
        items={[
          [
            words.externalId,
            externalUserId === null ? (
              <span key="none" className="soft">
                {words.noExternalId}
              </span>
            ) : (
              <Copyable key="external" text={externalUserId} />
            ),
          ],
          [words.id, <Copyable key="id" text={id} />],
          [words.timezone, <Zone key="zone" person={person} />],
          [words.created, <Time key="created" at={createdAt} />],
          [words.lastActive, <Time key="active" at={lastActiveAt} />],
        ]}
      />
    </section>
  );
}

function Zone({ person }: { readonly person: Subscriber }) {
  const app = useApp();
  const refused = useRefusal('write');
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: Subscriber }>();
  const update = useAct('updateSubscriber');
  if (draft === undefined)
    return (
      <span className="row">
        {person.timezone ?? <span className="soft">{words.noTimezone}</span>}
        <IconButton
          label={words.edit}
          icon="edit"
          size="small"
          refused={refused}
          onClick={() => setDraft({ text: person.timezone ?? '', base: person })}
        />
      </span>
    );
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate(
          {
            path: { appId: app.id, id: person.id },
            body: { timezone: draft.text.trim() || null },
            base: draft.base,
          },
          { onSuccess: () => setDraft(undefined), onTheirs: () => setDraft(undefined) },
        );
      }}
    >
      <Field label={words.zoneLabel} isLabelHidden error={update.error?.message}>
        <Combobox
          value={draft.text}
          onChange={(text) => setDraft({ ...draft, text })}
          suggestions={zones}
        />
      </Field>
      <div className="row">
        <Button type="submit" size="small" isBusy={update.isPending}>
          {words.save}
        </Button>
        <Button kind="quiet" size="small" onClick={() => setDraft(undefined)}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));
