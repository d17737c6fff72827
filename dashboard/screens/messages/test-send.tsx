// A test to oneself: sends the saved message to one person at once and says what became of it.

import { useState } from 'react';
import type { Channel } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { storyOfSend } from '../../api/send-story.ts';
import { useApp, useSession } from '../../api/session-context.tsx';
import { PreviewedPerson } from '../../preview/person.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ChannelChecks } from '../../ui/channel-checks.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { channelName } from '../../words/channels.ts';
import { outcomeTones, outcomeWords } from '../../words/outcomes.ts';
import { words } from './words.ts';

const text = words.test;
const lastKey = 'engage.test-person';
const unservedEveryMs = 1_000;

export function TestSend({
  onSave,
  needsSave,
  first,
  writtenFor,
  onClose,
}: {
  /** Saves what is not saved yet; the id of the message, or `undefined` if it was refused. */
  readonly onSave: () => Promise<string | undefined>;
  readonly needsSave: boolean;
  /** The person of the preview. */
  readonly first: string;
  /** Chosen to begin with. */
  readonly writtenFor: readonly Channel[];
  readonly onClose: () => void;
}) {
  const app = useApp();
  const [person, setPerson] = useState(() => localStorage.getItem(lastKey) ?? first);
  const [channels, setChannels] = useState(writtenFor);
  const [sendId, setSendId] = useState<string>();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const test = useAct('testMessage');
  const send = async () => {
    setSendId(undefined);
    const id = await onSave();
    if (id === undefined) return;
    localStorage.setItem(lastKey, person);
    const only = channels.length === 0 ? {} : { channels };
    test.mutate(
      { path: { appId: app.id, id }, body: { externalUserId: person, ...only } },
      { onSuccess: (answer) => setSendId(answer.id) },
    );
  };
  return (
    <Dialog
      title={text.title}
      isOpen
      onClose={onClose}
      foot={
        <Button
          kind="primary"
          icon="send"
          isBusy={test.isPending}
          isDisabled={person === ''}
          onClick={() => void send()}
        >
          {needsSave ? text.saveAndSend : sendId === undefined ? text.send : text.again}
        </Button>
      }
    >
      <p className="soft">{text.text}</p>
      <Field label={text.person} error={test.error?.of('externalUserId')}>
        <PreviewedPerson value={person} onChange={setPerson} />
      </Field>
      <fieldset className="stack-tight">
        <legend className="field-label">{text.channels}</legend>
        <div className="test-channels">
          <ChannelChecks
            channels={(fields.data?.channels ?? []).map(({ channel }) => channel)}
            chosen={channels}
            onChange={setChannels}
          />
        </div>
        {channels.length === 0 && <p className="field-hint">{text.allChannels}</p>}
      </fieldset>
      {test.error !== undefined && <ErrorNote error={test.error} />}
      {sendId !== undefined && <Outcome id={sendId} />}
    </Dialog>
  );
}

function Outcome({ id }: { readonly id: string }) {
  const app = useApp();
  const { session } = useSession();
  const read = useLiveRead(app.id, 'readNotification', storyOfSend(app.id, id), {
    topics: [`send:${id}`],
    isLive: (answer) => answer.status === 'pending',
    unservedEveryMs,
  });
  const status = read.data?.status ?? 'pending';
  return (
    <div className="stack-tight" role="status">
      <div className="row">
        <Badge tone={outcomeTones[status]}>{outcomeWords[status]}</Badge>
        {session.inboxUrl !== undefined && (
          <a href={session.inboxUrl} target="_blank" rel="noreferrer">
            {text.inbox}
          </a>
        )}
        <ButtonLink to={appPath(app.id, 'activity', id)} kind="quiet" size="small">
          {id}
        </ButtonLink>
      </div>
      <ul className="test-outcomes">
        {(read.data?.outcomes ?? []).map((one) => (
          <li key={`${one.channel} ${one.deviceId}`}>
            {one.channel === null ? '' : channelName(one.channel)} {outcomeWords[one.status]}{' '}
            <span className="soft">{one.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
