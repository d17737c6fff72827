// Asks for which channels the addresses of many people are opted out.

import { useState } from 'react';
import type { Channel } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ChannelChecks } from '../../ui/channel-checks.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Note } from '../../ui/note.tsx';
import type { BulkAction } from './bulk.ts';
import { words } from './words.ts';

/** Push tokens have no opt-outs. */
const push: readonly Channel[] = ['fcm', 'apns', 'webpush'];

export function OptOut({
  people,
  isBusy,
  error,
  onApply,
  onClose,
}: {
  readonly people: number;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onApply: (suppress: NonNullable<BulkAction['suppress']>) => void;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const [chosen, setChosen] = useState<readonly Channel[]>([]);
  const [reason, setReason] = useState('');
  const channels = (fields.data?.channels ?? [])
    .map(({ channel }) => channel)
    .filter((channel) => !push.includes(channel));
  return (
    <Dialog
      title={words.optOutTitle(people)}
      isOpen
      onClose={onClose}
      foot={
        <Button
          kind="danger-primary"
          isBusy={isBusy}
          isDisabled={chosen.length === 0}
          onClick={() =>
            onApply({
              channels: chosen,
              ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
            })
          }
        >
          {words.optOut}
        </Button>
      }
    >
      {error !== undefined && <Note tone="bad">{error}</Note>}
      <p className="soft">{words.optOutText}</p>
      <fieldset className="person-channels">
        <legend className="field-label">{words.optOutChannels}</legend>
        <ChannelChecks channels={channels} chosen={chosen} onChange={setChosen} />
      </fieldset>
      <Field label={words.optOutReason} isOptional>
        <TextInput value={reason} onChange={setReason} />
      </Field>
    </Dialog>
  );
}
