// The app's name and time zone.

import type { App } from '../../api/generated.ts';
import { CodeLine } from '../../ui/code.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './part.ts';
import { words } from './words.ts';

const text = words.general;
export const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

export function General({ draft, errorOf, app }: PartProps & { readonly app: App }) {
  const { value, set } = draft;
  return (
    <Section id="general" title={text.title} intro={text.intro}>
      <Field label={text.name} error={errorOf('name')}>
        <TextInput value={value.name} onChange={(name) => set('name', name)} />
      </Field>
      <Field label={text.timezone} hint={text.timezoneHint} error={errorOf('timezone')}>
        <Combobox
          value={value.timezone}
          onChange={(zone) => set('timezone', zone)}
          suggestions={zones}
        />
      </Field>
      <div className="stack-tight">
        <h3>{text.id}</h3>
        <CodeLine text={app.id} />
      </div>
    </Section>
  );
}
