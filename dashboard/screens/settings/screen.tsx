// App settings: one form over all of them, saved together; only what changed is sent.

import { useEffect, useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import type { App, AppSettings } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal, useSession } from '../../api/session-context.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useDraft } from '../../ui/draft.ts';
import { useFocusError } from '../../ui/focus-error.ts';
import { keptKey } from '../../ui/kept-store.ts';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { Answer } from '../../ui/note.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { Caps } from './caps.tsx';
import { DeleteApp } from './delete-app.tsx';
import { Sender, Tracking, Unsubscribe } from './email.tsx';
import { bodiesOf, errorPath, type Form, formOf } from './form.ts';
import { General } from './general.tsx';
import { Guard } from './guard.tsx';
import { Identity } from './identity.tsx';
import { Keyless } from './keyless.tsx';
import { Keywords } from './keywords.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { isShorter, Retention } from './retention.tsx';
import { Undo } from './undo.tsx';
import { Webhook } from './webhook.tsx';
import { Wording } from './wording.tsx';
import { words } from './words.ts';

export default function Settings() {
  const { id } = useApp();
  const path = { appId: id };
  const app = useRead('readApp', { path });
  const settings = useRead('readSettings', { path });
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-body">
        <Answer result={app} rows={10}>
          {(one) => (
            <Answer result={settings} rows={10}>
              {(all) => <SettingsForm key={id} app={one} settings={all} />}
            </Answer>
          )}
        </Answer>
      </div>
    </>
  );
}

function SettingsForm({ app, settings }: { readonly app: App; readonly settings: AppSettings }) {
  const draft = useDraft<Form, Versions>(
    formOf(app, settings),
    { app, settings },
    keptKey('settings', app.id, 'form'),
    secrets,
  );
  const save = useSave(app.id);
  const refused = useRefusal('write');
  const [isAsking, setAsking] = useState(false);
  useHash();
  useFocusError(save.error);
  const part = { draft, errorOf: (name: keyof Form) => save.error?.of(errorPath(name)) };
  const run = () => save.run(draft.changes, draft.version, draft.discard);
  const shorter = draft.changes.eventsRetentionDays;
  const isDangerous = isShorter(settings.eventsRetentionDays, shorter);
  return (
    <>
      <Jump />
      <General {...part} app={app} />
      <Caps {...part} />
      <QuietHours {...part} />
      <Undo {...part} />
      <Guard {...part} guardErrorOf={(name) => save.error?.of(`campaignGuard.${name}`)} />
      <Sender {...part} platform={settings.email.platformAddress} />
      <Unsubscribe {...part} />
      <Tracking {...part} />
      <Keywords {...part} />
      <Wording {...part} />
      <Retention {...part} deletesBefore={settings.deletesBefore} />
      <Identity {...part} />
      <Keyless {...part} />
      <Webhook {...part} isSecretSet={settings.secretSet} />
      <DeleteApp app={app} />
      <SaveBar
        isDirty={draft.isDirty}
        isRestored={draft.isRestored}
        isBusy={save.isPending}
        refused={refused}
        error={save.error}
        onDiscard={() => {
          draft.discard();
          save.reset();
        }}
        onSave={() => (isDangerous ? setAsking(true) : run())}
      />
      <LeaveQuestion
        isDirtyNow={draft.isDirtyNow}
        isKept={draft.isKept}
        onDiscard={draft.discard}
      />
      <Confirm
        isOpen={isAsking}
        title={words.retention.shorterTitle}
        action={words.retention.shorterAct}
        typed={app.name}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          run();
        }}
      >
        {words.retention.shorter(shorter ?? 0)}
      </Confirm>
    </>
  );
}

const secrets = ['secret'] as const;

interface Versions {
  readonly app: App;
  readonly settings: AppSettings;
}

/** Saves the app and its settings; the draft goes only when both are saved. */
function useSave(appId: string) {
  const { reload } = useSession();
  const path = { appId };
  const app = useSecretAct('updateApp');
  const settings = useSecretAct('updateSettings');
  const run = (changes: Partial<Form>, versions: Versions, onDone: () => void) => {
    const bodies = bodiesOf(changes);
    app.reset();
    settings.reset();
    const done = () => {
      tellDone(words.saved);
      onDone();
      if (bodies.app !== undefined) void reload();
    };
    const second = () =>
      bodies.settings === undefined
        ? done()
        : settings.run({ path, body: bodies.settings, base: versions.settings }, done, onDone);
    if (bodies.app === undefined) second();
    else app.run({ path, body: bodies.app, base: versions.app }, second, second);
  };
  const error: ApiError | undefined = app.error ?? settings.error;
  const reset = () => {
    app.reset();
    settings.reset();
  };
  return { run, reset, error, isPending: app.isPending || settings.isPending };
}

const parts = [
  ['general', words.general.title],
  ['caps', words.caps.title],
  ['quiet-hours', words.quiet.title],
  ['undo', words.undo.title],
  ['guard', words.guard.title],
  ['sender', words.sender.title],
  ['unsubscribe', words.unsubscribe.title],
  ['tracking', words.tracking.title],
  ['keywords', words.keywords.title],
  ['wording', words.wording.title],
  ['retention', words.retention.title],
  ['identity', words.identity.title],
  ['keyless', words.keyless.title],
  ['webhook', words.webhook.title],
  ['delete', words.remove.title],
] as const;

function Jump() {
  return (
    <nav className="jump" aria-label={words.jump}>
      {parts.map(([id, title]) => (
        <a key={id} href={`#${id}`} className="chip">
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The part that the address names was not there yet when the browser looked for it. */
function useHash(): void {
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
}
