// Creates an API key by what it is for, and shows it once with the lines that a backend needs.

import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import type { Scope } from '../../api/session-context.tsx';
import { useSession } from '../../api/session-context.tsx';
import { appPath, base } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Check, SelectBox } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { words as common } from '../../words/en.ts';
import { purposeOf, purposes } from './purposes.ts';
import { words } from './words.ts';

const text = words.key;
const all: readonly Scope[] = ['read', 'write', 'send', 'admin'];
const form = 'create-key';

export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const { session } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['send']);
  const [appId, setApp] = useState(session.apps[0]?.id ?? '');
  const [made, setMade] = useState<AnswerOf<'createKey'>>();
  const create = useSecretAct('createKey');
  const { error } = create;
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { name: name.trim(), scopes, appId: appId === '' ? null : appId };
    create.run({ body }, setMade);
  };
  const isAtField = ['name', 'scopes', 'appId'].some((field) => error?.of(field) !== undefined);
  return (
    <Dialog
      title={text.createTitle}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{common.dialog.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={create.isPending}>
            {text.create}
          </Button>
        </>
      }
    >
      <form id={form} className="stack" onSubmit={submit}>
        <Field label={text.name} hint={text.nameHint} error={error?.of('name')}>
          <TextInput required value={name} onChange={setName} />
        </Field>
        <Field label={text.where} error={error?.of('appId')}>
          <SelectBox
            value={appId === '' ? 'org' : appId}
            choices={[
              ...session.apps.map(({ id, name: label }) => ({ value: id, label })),
              { value: 'org', label: text.whole },
            ]}
            onChange={(value) => setApp(value === 'org' ? '' : value)}
          />
        </Field>
        <Field label={text.purpose}>
          <SelectBox
            value={purposeOf(scopes)}
            placeholder={text.exactly}
            choices={purposes.map(({ id, label }) => ({ value: id, label }))}
            onChange={(id) => setScopes(purposes.find((one) => one.id === id)?.scopes ?? scopes)}
          />
        </Field>
        <Scopes scopes={scopes} onChange={setScopes} error={error?.of('scopes')} />
        {error !== undefined && !isAtField && <ErrorNote error={error} />}
      </form>
    </Dialog>
  );
}

function Scopes({
  scopes,
  onChange,
  error,
}: {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
  readonly error: string | undefined;
}) {
  const { session } = useSession();
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">{text.exactly}</legend>
      {all.map((scope) => {
        const isOurs = session.scopes.includes(scope);
        return (
          <Check
            key={scope}
            isChecked={scopes.includes(scope)}
            isDisabled={!isOurs}
            onChange={(isOn) =>
              onChange(all.filter((one) => (one === scope ? isOn : scopes.includes(one))))
            }
          >
            <strong>{words.scopes[scope].label}</strong>{' '}
            <span className="soft">
              {isOurs ? words.scopes[scope].hint : text.lacks(words.scopes[scope].label)}
            </span>
          </Check>
        );
      })}
      <p className="field-hint">{text.leastHint}</p>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function MadeKey({
  made,
  onClose,
}: {
  readonly made: AnswerOf<'createKey'>;
  readonly onClose: () => void;
}) {
  const { session } = useSession();
  const app = made.appId ?? session.apps[0]?.id;
  const maySend = made.scopes.includes('send') && app !== undefined;
  const env = [`ENGAGE_URL=${location.origin}`, `ENGAGE_KEY=${made.key}`];
  if (app !== undefined) env.push(`ENGAGE_APP=${app}`);
  const lines = [
    { label: text.shown, text: made.key },
    { label: text.env, text: env.join('\n') },
    ...(maySend ? [{ label: text.tryIt, text: tryLine(app) }] : []),
  ];
  return (
    <SecretDialog title={text.shownTitle(made.name)} lines={lines} onClose={onClose}>
      {maySend && (
        <p>
          {/* Not a link of the router, which would leave this page and the key. */}
          <a href={`${base}${appPath(app, 'activity')}`} target="_blank" rel="noreferrer">
            {text.watch} <Icon name="external" />
          </a>
        </p>
      )}
    </SecretDialog>
  );
}

/** One transactional message, as the command line sends it with the lines above. */
function tryLine(app: string): string {
  const body = '{"externalUserId":"customer-1","title":"Hello","body":"It works."}';
  return `curl ${location.origin}/v1/apps/${app}/notifications -H "authorization: Bearer $ENGAGE_KEY" --json '${body}'`;
}
