// Whether an update of a Live Activity also alerts, and what the alert says.

import type { ApiError } from '../../api/errors.ts';
import { Check } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { words } from './words.ts';

export interface Alert {
  readonly isOn: boolean;
  readonly title: string;
  readonly body: string;
}

export function AlertFields({
  alert,
  onChange,
  error,
}: {
  readonly alert: Alert;
  readonly onChange: (alert: Alert) => void;
  readonly error: ApiError | undefined;
}) {
  return (
    <>
      <Check isChecked={alert.isOn} onChange={(isOn) => onChange({ ...alert, isOn })}>
        {words.alert}
      </Check>
      {alert.isOn && (
        <div className="columns">
          <Field label={words.alertTitle} error={error?.of('alert.title')}>
            <TextInput value={alert.title} onChange={(title) => onChange({ ...alert, title })} />
          </Field>
          <Field label={words.alertBody} error={error?.of('alert.body')}>
            <TextInput value={alert.body} onChange={(body) => onChange({ ...alert, body })} />
          </Field>
        </div>
      )}
    </>
  );
}
