// When a campaign pauses itself: three limits, each of which can be off. App settings and the
// editor of a campaign show them.

import { type GuardBounds, guardWords as text } from '../words/campaign-guard.ts';
import { Check } from './choices.tsx';
import { Field } from './field.tsx';
import { NumberInput } from './input.tsx';
import { percentOf, shareOf } from './percents.ts';

interface GuardProps {
  readonly value: GuardBounds;
  /** What a limit is when it is turned on. */
  readonly defaults: GuardBounds;
  readonly set: (change: Partial<GuardBounds>) => void;
  readonly errorOf: (name: keyof GuardBounds) => string | undefined;
}

export function GuardFields(props: GuardProps) {
  const { value, defaults, set, errorOf } = props;
  const refusals = value.senderRefusalsInARow;
  return (
    <>
      <ShareFields
        {...props}
        labels={[text.bounces, text.bounceShare, text.bouncesAfter]}
        share="bounceShare"
        after="bouncesAfterCalls"
      />
      <ShareFields
        {...props}
        labels={[text.complaints, text.complaintShare, text.complaintsAfter]}
        share="complaintShare"
        after="complaintsAfterDeliveries"
      />
      <div className="stack-tight">
        <Check
          isChecked={refusals !== null}
          onChange={(isOn) =>
            set({ senderRefusalsInARow: isOn ? defaults.senderRefusalsInARow : null })
          }
        >
          {text.refusals}
        </Check>
        {refusals !== null && (
          <Field label={text.refusalsInARow} error={errorOf('senderRefusalsInARow')}>
            <NumberInput
              min={1}
              value={refusals}
              onChange={(count) => set({ senderRefusalsInARow: count ?? 0 })}
            />
          </Field>
        )}
      </div>
    </>
  );
}

/** An emptied box is 0, which the API refuses in its words. */
function ShareFields({
  value,
  defaults,
  set,
  errorOf,
  labels: [on, above, from],
  share,
  after,
}: GuardProps & {
  readonly labels: readonly [on: string, above: string, from: string];
  readonly share: 'bounceShare' | 'complaintShare';
  readonly after: 'bouncesAfterCalls' | 'complaintsAfterDeliveries';
}) {
  const now = value[share];
  return (
    <div className="stack-tight">
      <Check
        isChecked={now !== null}
        onChange={(isOn) => set({ [share]: isOn ? defaults[share] : null })}
      >
        {on}
      </Check>
      {now !== null && (
        <div className="row top">
          <Field label={above} error={errorOf(share)}>
            <NumberInput
              min={0.01}
              max={100}
              step="any"
              value={percentOf(now)}
              onChange={(percents) => set({ [share]: shareOf(percents ?? 0) })}
            />
          </Field>
          <Field label={from} error={errorOf(after)}>
            <NumberInput
              min={1}
              value={value[after]}
              onChange={(count) => set({ [after]: count ?? 0 })}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
