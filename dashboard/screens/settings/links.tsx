// The campaign parameters that links get, for reports of web analytics.

import type { AppSettings } from '../../api/generated.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.utm;
const members = ['source', 'medium', 'campaign', 'term', 'content'] as const;
type Utm = NonNullable<AppSettings['utm']>;
const none: Utm = { source: null, medium: null, campaign: null, term: null, content: null };

export function CampaignParameters({
  draft,
  change,
  utmErrorOf,
}: PartProps & { readonly utmErrorOf: (member: string) => string | undefined }) {
  const utm = draft.utm ?? none;
  const set = (member: (typeof members)[number], value: string) => {
    const next = { ...utm, [member]: value === '' ? null : value };
    change({ utm: members.some((one) => next[one] !== null) ? next : null });
  };
  return (
    <Section id="utm" title={text.title} intro={text.intro}>
      {members.map((member) => (
        <Field
          key={member}
          label={`utm_${member}`}
          {...(member === 'campaign' ? { hint: text.hint } : {})}
          error={utmErrorOf(member)}
          isOptional
        >
          <TextInput
            value={utm[member] ?? ''}
            placeholder={text.examples[member]}
            onChange={(value) => set(member, value)}
          />
        </Field>
      ))}
    </Section>
  );
}
