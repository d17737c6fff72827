// How long a send from the dashboard can be undone.

import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.undo;
const secondsMax = 60;

export function Undo({ draft, change, errorOf }: PartProps) {
  return (
    <Section id="undo" title={text.title} intro={text.intro}>
      <Field label={text.seconds} hint={text.hint} error={errorOf('undoSendSeconds')}>
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
