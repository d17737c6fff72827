// Connects a webhook, or replaces its configuration. A secret that the server made is shown once.

import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Destination } from '../../api/generated.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { useFocusError } from '../../ui/field.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { EventsField } from './events-field.tsx';
import { HeadersField, headersOf } from './headers-field.tsx';
import type { Selector } from './kinds.ts';
import { AddressFields, CallFields, type WebhookDraft } from './webhook-fields.tsx';
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
  const [draft, setDraft] = useState(() => draftOf(present));
  const change = (part: Partial<WebhookDraft>) => setDraft((now) => ({ ...now, ...part }));
  const { events } = draft;
  const [isEmpty, setEmpty] = useState(false);
  const [made, setMade] = useState<{ readonly type: string; readonly secret: string }>();
  const [base] = useState(present ?? null);
  const put = useSecretAct('putWebhook');
  useFocusError(put.error);
  const { error } = put;
  const type = typeOf(present, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refused !== undefined) return;
    setEmpty(events.length === 0);
    if (events.length === 0) return;
    put.run(
      { path: { appId: app.id, type }, body: bodyOf(draft), base },
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
      <AddressFields isNew={present === undefined} draft={draft} change={change} error={error} />
      <EventsField
        chosen={events}
        onChange={(chosen) => change({ events: chosen })}
        error={isEmpty && events.length === 0 ? text.none : error?.of('events')}
      />
      <HeadersField
        headers={draft.headers}
        onChange={(headers) => change({ headers })}
        hint={present === undefined ? text.headersHint : `${text.headersHint} ${text.headersAgain}`}
        error={error?.of('headers')}
      />
      <CallFields draft={draft} change={change} error={error} />
      <Check isChecked={draft.isOn} onChange={(isOn) => change({ isOn })}>
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

/** Secrets and headers are never read back. */
function draftOf(present: Destination | undefined): WebhookDraft {
  return {
    name: '',
    url: '',
    secret: '',
    events: (present?.events ?? []) as Selector[],
    headers: [],
    concurrency: present?.concurrency ?? 16,
    isOn: present?.enabled ?? true,
  };
}

function bodyOf({ url, events, headers, concurrency, isOn, secret }: WebhookDraft) {
  const own = secret === '' ? {} : { secret };
  return { url, events, headers: headersOf(headers), concurrency, enabled: isOn, ...own };
}

function typeOf(present: Destination | undefined, { name }: WebhookDraft): string {
  return present?.type ?? (name.trim() === '' ? 'webhook' : `webhook-${name.trim()}`);
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
