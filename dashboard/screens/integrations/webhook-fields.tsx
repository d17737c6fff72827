// Fields of a webhook: where it is and what it is called; how it is called, and signed.

import type { ApiError } from '../../api/errors.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import type { Header } from './headers-field.tsx';
import type { Selector } from './kinds.ts';
import { words } from './words.ts';

const text = words.webhook;

/** What is typed. */
export interface WebhookDraft {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly Selector[];
  readonly headers: readonly Header[];
  readonly concurrency: number;
  readonly isOn: boolean;
}

interface FieldsProps {
  readonly draft: WebhookDraft;
  readonly change: (part: Partial<WebhookDraft>) => void;
  readonly error: ApiError | undefined;
}

export function AddressFields({
  isNew,
  draft,
  change,
  error,
}: FieldsProps & {
  /** Only a new one gets a name. */
  readonly isNew: boolean;
}) {
  return (
    <>
      {isNew && (
        <Field label={text.name} hint={text.nameHint} error={error?.of('type')} isOptional>
          <TextInput
            spellCheck={false}
            placeholder={text.nameExample}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
        </Field>
      )}
      <Field label={text.url} hint={isNew ? text.urlHint : text.urlAgain} error={error?.of('url')}>
        <TextInput
          required
          spellCheck={false}
          inputMode="url"
          placeholder={text.urlExample}
          value={draft.url}
          onChange={(url) => change({ url })}
        />
      </Field>
    </>
  );
}

export function CallFields({ draft, change, error }: FieldsProps) {
  return (
    <>
      <Field label={text.concurrency} hint={text.concurrencyHint} error={error?.of('concurrency')}>
        <NumberInput
          min={1}
          max={64}
          value={draft.concurrency}
          onChange={(value) => change({ concurrency: value ?? 16 })}
        />
      </Field>
      <Field label={text.secret} hint={text.secretHint} error={error?.of('secret')} isOptional>
        <TextInput
          type="password"
          autoComplete="new-password"
          placeholder={text.secretExample}
          value={draft.secret}
          onChange={(secret) => change({ secret })}
        />
      </Field>
    </>
  );
}
