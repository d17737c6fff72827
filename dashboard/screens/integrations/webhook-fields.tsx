// Fields of a webhook: where it is and what it is called; how it is called, and signed.

import type { ApiError } from '../../api/errors.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { words } from './words.ts';

const text = words.webhook;

export function AddressFields({
  isNew,
  name,
  onName,
  url,
  onUrl,
  error,
}: {
  /** Only a new one gets a name. */
  readonly isNew: boolean;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly url: string;
  readonly onUrl: (url: string) => void;
  readonly error: ApiError | undefined;
}) {
  return (
    <>
      {isNew && (
        <Field label={text.name} hint={text.nameHint} error={error?.of('type')} isOptional>
          <TextInput
            spellCheck={false}
            placeholder={text.nameExample}
            value={name}
            onChange={onName}
          />
        </Field>
      )}
      <Field label={text.url} hint={isNew ? text.urlHint : text.urlAgain} error={error?.of('url')}>
        <TextInput
          required
          spellCheck={false}
          inputMode="url"
          placeholder={text.urlExample}
          value={url}
          onChange={onUrl}
        />
      </Field>
    </>
  );
}

export function CallFields({
  concurrency,
  onConcurrency,
  secret,
  onSecret,
  error,
}: {
  readonly concurrency: number;
  readonly onConcurrency: (concurrency: number) => void;
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
  readonly error: ApiError | undefined;
}) {
  return (
    <>
      <Field label={text.concurrency} hint={text.concurrencyHint} error={error?.of('concurrency')}>
        <NumberInput
          min={1}
          max={64}
          value={concurrency}
          onChange={(value) => onConcurrency(value ?? 16)}
        />
      </Field>
      <Field label={text.secret} hint={text.secretHint} error={error?.of('secret')} isOptional>
        <TextInput
          type="password"
          autoComplete="new-password"
          placeholder={text.secretExample}
          value={secret}
          onChange={onSecret}
        />
      </Field>
    </>
  );
}
