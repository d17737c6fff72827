// The guard of campaigns: when they pause themselves because of what becomes of their emails.

import { Check } from '../../ui/choices.tsx';
import { GuardFields } from '../../ui/guard-fields.tsx';
import { Section } from '../../ui/section.tsx';
import { guardDefaults } from '../../words/campaign-guard.ts';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.guard;

export function Guard({
  draft,
  change,
  guardErrorOf,
}: PartProps & { readonly guardErrorOf: (name: string) => string | undefined }) {
  const guard = draft.campaignGuard;
  return (
    <Section id="guard" title={text.title} intro={text.intro}>
      <Check
        isChecked={guard !== null}
        onChange={(isOn) => change({ campaignGuard: isOn ? guardDefaults : null })}
      >
        {text.on}
      </Check>
      {guard !== null && (
        <GuardFields
          value={guard}
          set={(part) => change({ campaignGuard: { ...guard, ...part } })}
          errorOf={guardErrorOf}
        />
      )}
    </Section>
  );
}
