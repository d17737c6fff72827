// What stops a campaign: its author, for some seconds after a send, and the campaign itself because
// of what becomes of its emails.

import { Check } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { GuardFields } from '../../ui/guard-fields.tsx';
import { NumberInput } from '../../ui/input.tsx';
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

const undo = words.undo;
const secondsMax = 60;

export function Undo({ draft, change, errorOf }: PartProps) {
  return (
    <Section id="undo" title={undo.title} intro={undo.intro}>
      <Field label={undo.seconds} hint={undo.hint} error={errorOf('undoSendSeconds')}>
        <NumberInput
          value={draft.undoSendSeconds}
          min={0}
          max={secondsMax}
          onChange={(n) => change({ undoSendSeconds: n ?? 0 })}
        />
      </Field>
    </Section>
  );
}
