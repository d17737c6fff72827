// What devices may do without proof, and how anonymous people come and go.

import type { AppSettings } from '../../api/generated.ts';
import { Check } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.keyless;
const names = [
  'startJourneys',
  'countEngagement',
  'registerPaidChannels',
] as const satisfies readonly (keyof AppSettings['keylessEvents'])[];

export function Keyless({ draft, change, errorOf }: PartProps) {
  return (
    <Section id="keyless" title={text.title} intro={text.intro}>
      {names.map((name) => (
        <Check
          key={name}
          isChecked={draft.keylessEvents[name]}
          onChange={(isOn) => change({ keylessEvents: { ...draft.keylessEvents, [name]: isOn } })}
        >
          {text[name]}
        </Check>
      ))}
      <Field
        label={text.perMinute}
        hint={text.perMinuteHint}
        error={errorOf('keylessPeoplePerMinute')}
        isOptional
      >
        <NumberInput
          min={1}
          value={draft.keylessPeoplePerMinute ?? undefined}
          onChange={(n) => change({ keylessPeoplePerMinute: n ?? null })}
        />
      </Field>
      <Field
        label={text.expiry}
        hint={text.expiryHint}
        error={errorOf('anonymousExpiryDays')}
        isOptional
      >
        <NumberInput
          min={1}
          value={draft.anonymousExpiryDays ?? undefined}
          onChange={(n) => change({ anonymousExpiryDays: n ?? null })}
        />
      </Field>
    </Section>
  );
}
