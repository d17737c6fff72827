// Adds an address that shall get no messages.

import { useState } from 'react';
import type { Channel, Suppression } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { RadioCards, SelectBox } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { channelNames } from '../../words/channels.ts';
import { optOutChoices } from '../../words/opt-outs.ts';
import { words } from './words.ts';

const choices = Object.entries(channelNames).map(([value, label]) => ({
  value: value as Channel,
  label,
}));

export function AddSuppression({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const [channel, setChannel] = useState<Channel>('email');
  const [address, setAddress] = useState('');
  const [reason, setReason] = useState('');
  const [scope, setScope] = useState<Suppression['scope']>('all');
  const add = useAct('addSuppression');
  const { error } = add;
  const submit = () =>
    add.mutate(
      {
        path: { appId: app.id },
        body: { channel, address, scope, ...(reason === '' ? {} : { reason }) },
      },
      {
        onSuccess: () => {
          tellDone(words.added);
          setAddress('');
          setReason('');
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={words.add}
      isOpen={isOpen}
      onClose={onClose}
      foot={
        <Button kind="primary" type="submit" form="add-suppression" isBusy={add.isPending}>
          {words.add}
        </Button>
      }
    >
      <form
        id="add-suppression"
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="soft">{words.about}</p>
        <Field label={words.channel} error={error?.of('channel')}>
          <SelectBox choices={choices} value={channel} onChange={setChannel} />
        </Field>
        <Field label={words.address} error={error?.of('address')}>
          <TextInput required value={address} onChange={setAddress} />
        </Field>
        <RadioCards label={words.scope} choices={optOutChoices} value={scope} onChange={setScope} />
        <Field label={words.reason} hint={words.reasonHint} isOptional error={error?.of('reason')}>
          <TextInput value={reason} onChange={setReason} />
        </Field>
        {error !== undefined && error.issues.length === 0 && <ErrorNote error={error} />}
      </form>
    </Dialog>
  );
}
