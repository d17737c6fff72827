// The name of a thing, and the key by which the API names it: typed once, and then only shown.

import { Copyable } from './code.tsx';
import { Field } from './field.tsx';
import { Facts } from './figure.tsx';
import { TextInput } from './input.tsx';
import { nameWithKey } from './thing-key.ts';

interface Named {
  readonly name: string;
  readonly key: string;
}

export function NameAndKey({
  draft,
  change,
  errorOf,
  isNew,
  words,
}: {
  readonly draft: Named;
  readonly change: (part: Partial<Named>, what: string) => void;
  readonly errorOf: (field: string) => string | undefined;
  readonly isNew: boolean;
  readonly words: Readonly<Record<'name' | 'nameHint' | 'key' | 'keyHint', string>>;
}) {
  return (
    <>
      <Field label={words.name} hint={words.nameHint} error={errorOf('name')}>
        <TextInput
          value={draft.name}
          onChange={(name) => change(isNew ? nameWithKey(draft, name) : { name }, 'name')}
        />
      </Field>
      {isNew ? (
        <Field label={words.key} hint={words.keyHint} error={errorOf('key')}>
          <TextInput
            value={draft.key}
            spellCheck={false}
            onChange={(key) => change({ key }, 'key')}
          />
        </Field>
      ) : (
        <Facts items={[[words.key, <Copyable key="key" text={draft.key} />]]} />
      )}
    </>
  );
}
