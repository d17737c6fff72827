// Adds a device; the server says what its address must look like.

import { useState } from 'react';
import type { Channel, Subscriber } from '../../../api/generated.ts';
import { useAct, useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectBox } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/input.tsx';
import { tellDone } from '../../../ui/toast.tsx';
import { channelName } from '../../../words/channels.ts';
import { words } from './words.ts';

/** A browser makes its own subscription: nobody can type one. */
const untyped = 'webpush';

export function AddDevice({
  person,
  onClose,
}: {
  readonly person: Subscriber;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const [channel, setChannel] = useState<Channel>('email');
  const [endpoint, setEndpoint] = useState('');
  const fields = useRead('listFields', { path: { appId: app.id } });
  const add = useAct('addDevice');
  const known = (fields.data?.channels ?? [{ channel }])
    .map((one) => one.channel)
    .filter((one) => one !== untyped);
  return (
    <form
      className="tag-form stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(
          { path: { appId: app.id, id: person.id }, body: { channel, endpoint: endpoint.trim() } },
          {
            onSuccess: () => {
              tellDone(words.deviceAdded);
              onClose();
            },
          },
        );
      }}
    >
      <Field label={words.channel} error={add.error?.of('channel')}>
        <SelectBox<Channel>
          value={channel}
          choices={known.map((one) => ({ value: one, label: channelName(one) }))}
          onChange={setChannel}
        />
      </Field>
      <Field
        label={words.endpoint}
        hint={words.endpointHint}
        error={add.error?.of('channel') === undefined ? add.error?.message : undefined}
      >
        <TextInput value={endpoint} onChange={setEndpoint} autoFocus />
      </Field>
      <div className="row">
        <Button type="submit" size="small" isBusy={add.isPending}>
          {words.addDevice}
        </Button>
        <Button kind="quiet" size="small" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
