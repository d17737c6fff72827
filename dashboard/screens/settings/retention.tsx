// How long events are kept, and what a shorter time breaks.

import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.retention;

export function Retention({
  draft,
  change,
  errorOf,
  deletesBefore,
}: PartProps & { readonly deletesBefore: string | null }) {
  return (
    <Section id="retention" title={text.title} intro={text.intro}>
      <Field label={text.days} hint={text.hint} error={errorOf('eventsRetentionDays')} isOptional>
        <NumberInput
          min={1}
          value={draft.eventsRetentionDays ?? undefined}
          onChange={(days) => change({ eventsRetentionDays: days ?? null })}
        />
      </Field>
      <p>{text.breaks}</p>
      <ul className="bullets soft">
        {text.list.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {deletesBefore !== null && (
        <p className="soft">
          {text.before} <Time at={deletesBefore} />
        </p>
      )}
    </Section>
  );
}

/** A change that hides events. From the default, any number may. */
export function isShorter(before: number | null, after: number | null | undefined): boolean {
  if (after === undefined || after === null) return false;
  return before === null || after < before;
}
