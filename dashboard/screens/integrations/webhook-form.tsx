// Connects a webhook, or replaces its configuration. A secret that the server made is shown once.

import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Destination } from '../../api/generated.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { useFocusError } from '../../ui/focus-error.ts';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { EventsField } from './events-field.tsx';
import { type Header, HeadersField, headersOf } from './headers-field.tsx';
import type { Selector } from './kinds.ts';
import { AddressFields, CallFields } from './webhook-fields.tsx';
import { words } from './words.ts';

const text = words.webhook;

export function NewWebhook() {
  const app = useApp();
  const [, go] = useLocation();
  return (
    <>
      <ScreenHead
        crumb={{ to: appPath(app.id, 'integrations'), label: words.title }}
        title={text.newTitle}
      />
      <div className="screen-body">
        <div className="card card-body readable stack">
          <Note>{words.list.fromNow}</Note>
          <WebhookForm onSaved={(type) => go(appPath(app.id, 'integrations', type))} />
        </div>
      </div>
    </>
  );
}

/** With `present` it replaces that one. */
export function WebhookForm({
  present,
  onSaved,
}: {
  readonly present?: Destination;
  readonly onSaved: (type: string) => void;
}) {
  const app = useApp();
  const refused = useRefusal('admin');
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [events, setEvents] = useState<readonly Selector[]>((present?.events ?? []) as Selector[]);
  const [headers, setHeaders] = useState<readonly Header[]>([]);
  const [concurrency, setConcurrency] = useState(present?.concurrency ?? 16);
  const [isOn, setOn] = useState(present?.enabled ?? true);
  const [isEmpty, setEmpty] = useState(false);
  const [made, setMade] = useState<{ readonly type: string; readonly secret: string }>();
  const [base] = useState(present ?? null);
  const put = useSecretAct('putWebhook');
  useFocusError(put.error);
  const { error } = put;
  const type = present?.type ?? (name.trim() === '' ? 'webhook' : `webhook-${name.trim()}`);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refused !== undefined) return;
    setEmpty(events.length === 0);
    if (events.length === 0) return;
    const own = secret === '' ? {} : { secret };
    const body = { url, events, headers: headersOf(headers), concurrency, enabled: isOn, ...own };
    put.run(
      { path: { appId: app.id, type }, body, base },
      (saved) => {
        tellDone(text.saved);
        if (saved.secret === undefined) onSaved(type);
        else setMade({ type, secret: saved.secret });
      },
      () => onSaved(type),
    );
  };
  const fields = ['url', 'events', 'headers', 'concurrency', 'secret', 'type'];
  const isAtField = fields.some((field) => error?.of(field) !== undefined);
  return (
    <form className="stack" onSubmit={submit}>
      <AddressFields
        isNew={present === undefined}
        name={name}
        onName={setName}
        url={url}
        onUrl={setUrl}
        error={error}
      />
      <EventsField
        chosen={events}
        onChange={setEvents}
        error={isEmpty && events.length === 0 ? text.none : error?.of('events')}
      />
      <HeadersField
        headers={headers}
        onChange={setHeaders}
        hint={present === undefined ? text.headersHint : `${text.headersHint} ${text.headersAgain}`}
        error={error?.of('headers')}
      />
      <CallFields
        concurrency={concurrency}
        onConcurrency={setConcurrency}
        secret={secret}
        onSecret={setSecret}
        error={error}
      />
      <Check isChecked={isOn} onChange={setOn}>
        {text.enabled}
      </Check>
      {error !== undefined && !isAtField && <ErrorNote error={error} />}
      <div className="row">
        <Button kind="primary" type="submit" refused={refused} isBusy={put.isPending}>
          {present === undefined ? text.connect : text.save}
        </Button>
      </div>
      {made !== undefined && (
        <WebhookSecret secret={made.secret} onClose={() => onSaved(made.type)} />
      )}
    </form>
  );
}

export function WebhookSecret({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <SecretDialog
      title={text.secretTitle}
      lines={[
        { label: text.secretLabel, text: secret },
        { label: text.envLabel, text: `WEBHOOK_SECRET=${secret}` },
      ]}
      onClose={onClose}
    />
  );
}
