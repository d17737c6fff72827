// Sends one message to this person now.

import { useState } from 'react';
import type { Channel, Message, Subscriber } from '../../../api/generated.ts';
import { useAct, useList } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { personName } from '../../../person/person-ref.ts';
import { Button } from '../../../ui/button.tsx';
import { ChannelChecks } from '../../../ui/channel-checks.tsx';
import { SelectBox } from '../../../ui/choices.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { ErrorNote, Note } from '../../../ui/note.tsx';
import { tellDone } from '../../../ui/toast.tsx';
import { words } from './words.ts';

export function SendTest({
  person,
  onClose,
}: {
  readonly person: Subscriber;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const list = useList('listMessages', { path: { appId: app.id }, query: { order: 'newest' } });
  const [messageId, setMessage] = useState<string>();
  const [chosen, setChosen] = useState<readonly Channel[]>([]);
  const test = useAct('testMessage');
  const id = messageId ?? list.items?.[0]?.id;
  const own = [...new Set(person.devices.map(({ channel }) => channel))];
  const submit = () => {
    if (id === undefined) return;
    const body = {
      subscriberId: person.id,
      ...(chosen.length === 0 ? {} : { channels: chosen }),
    };
    test.mutate(
      { path: { appId: app.id, id }, body },
      {
        onSuccess: () => {
          tellDone(words.testSent);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={words.sendTestTitle(personName(person))}
      isOpen
      onClose={onClose}
      foot={
        <Button
          kind="primary"
          icon="send"
          isBusy={test.isPending}
          isDisabled={id === undefined}
          onClick={submit}
        >
          {words.sendTest}
        </Button>
      }
    >
      <p className="soft">{words.sendTestText}</p>
      {list.error !== undefined && <ErrorNote error={list.error} onAgain={list.again} />}
      {test.error !== undefined && <ErrorNote error={test.error} />}
      <MessageSelect items={list.items} value={id} onChange={setMessage} />
      {own.length > 1 && (
        <fieldset className="person-channels">
          <legend className="field-label">{words.channels}</legend>
          <ChannelChecks channels={own} chosen={chosen} onChange={setChosen} />
          <p className="field-hint">{words.channelsHint}</p>
        </fieldset>
      )}
    </Dialog>
  );
}

function MessageSelect({
  items,
  value,
  onChange,
}: {
  readonly items: readonly Message[] | undefined;
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}) {
  if (items?.length === 0) return <Note>{words.noMessages}</Note>;
  return (
    <Field label={words.message}>
      <SelectBox
        value={value}
        choices={(items ?? []).map((one) => ({
          value: one.id,
          label: one.name ?? one.title ?? one.id,
        }))}
        onChange={onChange}
      />
    </Field>
  );
}
