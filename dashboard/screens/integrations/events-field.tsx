// Which event kinds a webhook gets: each is ticked, nothing is on by itself.

import { Check } from '../../ui/choices.tsx';
import { groups, isChosen, type Selector, withKind, withStar } from './kinds.ts';
import { words } from './words.ts';

const text = words.webhook;

export function EventsField({
  chosen,
  onChange,
  error,
}: {
  readonly chosen: readonly Selector[];
  readonly onChange: (chosen: readonly Selector[]) => void;
  readonly error: string | undefined;
}) {
  return (
    <fieldset className="stack-tight" aria-invalid={error !== undefined || undefined} tabIndex={-1}>
      <legend className="field-label">{text.events}</legend>
      <p className="field-hint">{text.eventsHint}</p>
      {groups.map(({ id, star, kinds }) => (
        <fieldset key={id} className="kind-group">
          <legend>{text.groups[id]}</legend>
          {star !== undefined && id !== 'other' && (
            <Check
              isChecked={chosen.includes(star) || chosen.includes('*')}
              onChange={(isOn) => onChange(withStar(chosen, star, isOn))}
            >
              <strong>{text.star[id]}</strong> <span className="soft">{text.starHint}</span>
            </Check>
          )}
          {kinds.map((kind) => (
            <Check
              key={kind}
              isChecked={isChosen(chosen, kind)}
              onChange={(isOn) => onChange(withKind(chosen, kind, isOn))}
            >
              <code>{kind}</code> <span className="soft">{words.kinds[kind]}</span>
            </Check>
          ))}
        </fieldset>
      ))}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
