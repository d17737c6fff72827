// A credential's form. What was typed lives in this component alone and goes with it.

import { type FormEvent, useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import type { CredentialUpload, WebhookRegistration } from '../../api/generated.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Field, useFocusError } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { bodyOf, type Typed } from './forms/body.ts';
import type { CredentialForm, FormField } from './forms/form.ts';
import { words } from './words.ts';

const text = words.credential;

export function CredentialFormView({
  form,
  onStored,
  onCancel,
}: {
  readonly form: CredentialForm;
  readonly onStored: (registration: WebhookRegistration | undefined) => void;
  readonly onCancel?: () => void;
}) {
  const app = useApp();
  const [typed, setTyped] = useState<Typed>({});
  const [badFile, setBadFile] = useState<string>();
  const put = useSecretAct('putCredential');
  useFocusError(put.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const made = bodyOf(form, typed);
    setBadFile('badFile' in made ? made.badFile : undefined);
    if ('badFile' in made) return;
    put.run(
      {
        path: { appId: app.id, channel: form.name },
        body: made.body as unknown as CredentialUpload,
      },
      ({ webhook }) => {
        setTyped({});
        onStored(webhook);
      },
    );
  };
  const names = Object.keys(form.fields);
  const isAtField = names.some((name) => errorAt(form, name, put.error) !== undefined);
  return (
    <form className="stack" onSubmit={submit} autoComplete="off">
      {Object.entries(form.fields).map(([name, field]) => (
        <CredentialField
          key={name}
          field={field}
          value={typed[name] ?? ''}
          error={badFile === name ? text.badFile : errorAt(form, name, put.error)}
          onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
        />
      ))}
      {put.error !== undefined && !isAtField && <ErrorNote error={put.error} />}
      <div className="row">
        <Button kind="primary" type="submit" isBusy={put.isPending}>
          {text.save}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{text.keep}</Button>}
      </div>
    </form>
  );
}

/** An error within a file that is the whole body belongs to the file. */
function errorAt(form: CredentialForm, name: string, error: ApiError | undefined) {
  if (error === undefined) return undefined;
  return form.wholeBody === name ? error.issues[0]?.error : error.of(name);
}

function CredentialField({
  field,
  value,
  error,
  onChange,
}: {
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { label, hint, kind, choices = [], placeholder, isOptional = false } = field;
  const isFile = kind === 'pem' || kind === 'key-file';
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {kind === 'choice' && (
        <SelectBox
          value={value === '' ? undefined : value}
          choices={choices}
          placeholder={choices[0]?.label ?? ''}
          onChange={onChange}
        />
      )}
      {isFile && (
        <>
          <div className="row">
            <FileButton accept={kind === 'pem' ? '.p8,.pem' : '.json'} onText={onChange}>
              {text.file}
            </FileButton>
          </div>
          <TextArea
            required={!isOptional}
            spellCheck={false}
            placeholder={text.paste}
            value={value}
            onChange={onChange}
          />
        </>
      )}
      {(kind === 'text' || kind === 'secret') && (
        <TextInput
          type={kind === 'secret' ? 'password' : 'text'}
          autoComplete={kind === 'secret' ? 'new-password' : 'off'}
          required={!isOptional}
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
