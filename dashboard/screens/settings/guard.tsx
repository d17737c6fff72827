// The guard of campaigns: when they pause themselves because of what becomes of their emails.

import { Check } from '../../ui/choices.tsx';
import { GuardFields } from '../../ui/guard-fields.tsx';
import { Section } from '../../ui/section.tsx';
import type { GuardBounds } from '../../words/campaign-guard.ts';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.guard;

export function Guard({
  draft,
  change,
  defaults,
  guardErrorOf,
}: PartProps & {
  readonly defaults: GuardBounds;
  readonly guardErrorOf: (name: string) => string | undefined;
}) {
  const guard = draft.campaignGuard;
  return (
    <Section id="guard" title={text.title} intro={text.intro}>
      <Check
        isChecked={guard !== null}
        onChange={(isOn) => change({ campaignGuard: isOn ? defaults : null })}
      >
        {text.on}
      </Check>
      {guard !== null && (
        <GuardFields
          value={guard}
          defaults={defaults}
          set={(part) => change({ campaignGuard: { ...guard, ...part } })}
          errorOf={guardErrorOf}
        />
      )}
    </Section>
  );
}
