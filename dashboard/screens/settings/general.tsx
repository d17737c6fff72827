// The app itself: its name, time zone and country, what its people are called, and its end.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { App } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { countries } from '../../words/countries.ts';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.general;
export const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

export function General({ draft, change, errorOf, app }: PartProps & { readonly app: App }) {
  return (
    <Section id="general" title={text.title} intro={text.intro}>
      <Field label={text.name} error={errorOf('name')}>
        <TextInput value={draft.name} onChange={(name) => change({ name })} />
      </Field>
      <Field label={text.timezone} hint={text.timezoneHint} error={errorOf('timezone')}>
        <Combobox
          value={draft.timezone}
          onChange={(zone) => change({ timezone: zone })}
          suggestions={zones}
        />
      </Field>
      <Field label={text.country} hint={text.countryHint} error={errorOf('defaultCountry')}>
        <SelectBox
          choices={[{ value: '', label: text.noCountry }, ...countries()]}
          value={draft.defaultCountry ?? ''}
          onChange={(code) => change({ defaultCountry: code === '' ? null : code })}
        />
      </Field>
      <Field label={text.names} hint={text.namesHint} error={errorOf('displayName')} isOptional>
        <NameTags
          tags={draft.displayName ?? []}
          onChange={(tags) => change({ displayName: tags.length === 0 ? null : tags })}
        />
      </Field>
      <div className="stack-tight">
        <h3>{text.id}</h3>
        <CodeLine text={app.id} />
      </div>
    </Section>
  );
}

/** Tags with commas between them. */
function NameTags({
  tags,
  onChange,
}: {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState(tags.join(', '));
  // What is typed may end in a comma; a discarded draft replaces it.
  const isOurs = tagsIn(typed).join() === tags.join();
  return (
    <TextInput
      spellCheck={false}
      value={isOurs ? typed : tags.join(', ')}
      onChange={(next) => {
        setTyped(next);
        onChange(tagsIn(next));
      }}
    />
  );
}

function tagsIn(typed: string): readonly string[] {
  return typed
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}

const ending = words.remove;

/** After its name was typed. */
export function DeleteApp({ app }: { readonly app: App }) {
  const { reload } = useSession();
  const [, go] = useLocation();
  const refused = useRefusal('admin');
  const [isAsking, setAsking] = useState(false);
  const remove = useAct('deleteApp');
  return (
    <Section id="delete" title={ending.title} intro={ending.intro}>
      <div className="row">
        <Button kind="danger" icon="trash" refused={refused} onClick={() => setAsking(true)}>
          {ending.act}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        title={ending.ask(app.name)}
        action={ending.act}
        typed={app.name}
        isBusy={remove.isPending}
        error={remove.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(
            { path: { appId: app.id }, base: app },
            {
              onSuccess: async () => {
                go('/');
                await reload();
                tellDone(ending.done(app.name));
              },
            },
          )
        }
      >
        {ending.text}
      </Confirm>
    </Section>
  );
}
