// When the campaign is sent: the schedule, the hour of each person, and the rate.

import { exactTime } from '../../../time/relative.ts';
import { instantOfWall } from '../../../time/wall-clock.ts';
import { isZone } from '../../../time/zones.ts';
import { Check, Segmented, SelectBox } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput, TextInput } from '../../../ui/input.tsx';
import { useNow } from '../../../ui/time.tsx';
import { ZoneBox } from '../../../ui/zone-box.tsx';
import type { Draft } from './draft.ts';
import { GuardChoice } from './guard.tsx';
import type { PartProps } from './part.ts';
import { RecurringFields } from './recurring.tsx';
import { words } from './words.ts';

export function When(props: PartProps) {
  const { draft, change, errorOf } = props;
  return (
    <>
      <div className="stack-tight">
        <Segmented
          label={words.when}
          choices={[
            { value: 'now', label: words.now },
            { value: 'at', label: words.at },
            { value: 'recurring', label: words.recurring },
          ]}
          value={draft.when}
          onChange={(when) => change({ when })}
        />
        {draft.when === 'at' && <AtFields {...props} />}
        {draft.when === 'recurring' && <RecurringFields {...props} />}
      </div>
      <DeliveryFields {...props} />
      <div className="stack-tight">
        <Check isChecked={draft.hasThrottle} onChange={(hasThrottle) => change({ hasThrottle })}>
          {words.throttle}
        </Check>
        {draft.hasThrottle && (
          <div className="fold-inset">
            <Field label={words.perMinute} error={errorOf('throttle')}>
              <NumberInput
                value={draft.perMinute}
                min={1}
                onChange={(perMinute) => change({ perMinute })}
              />
            </Field>
          </div>
        )}
      </div>
      {draft.when !== 'now' && (
        <Field label={words.ifLate} error={errorOf('ifLate')}>
          <SelectBox<Draft['ifLate']>
            value={draft.ifLate}
            choices={(['hold', 'send', 'skip'] as const).map((value) => ({
              value,
              label: words.late[value],
            }))}
            onChange={(ifLate) => change({ ifLate })}
          />
        </Field>
      )}
      <GuardChoice {...props} />
    </>
  );
}

function AtFields({ draft, change, errorOf }: PartProps) {
  return (
    <div className="fold-inset field-row">
      <Field label={words.date} hint={<WallHint draft={draft} />} error={errorOf('schedule.at')}>
        <TextInput
          type="datetime-local"
          value={draft.at}
          onChange={(at) => change({ at: at.slice(0, 16) })}
        />
      </Field>
      <Field label={words.zone}>
        <ZoneBox value={draft.atZone} onChange={(atZone) => change({ atZone })} />
      </Field>
    </div>
  );
}

/** Says what a clock change or a past time makes of the choice. */
function WallHint({ draft: { at, atZone } }: { readonly draft: Draft }) {
  const nowMs = useNow();
  const found = isZone(atZone) ? instantOfWall(at, atZone) : undefined;
  if (found === undefined) return null;
  const exact = exactTime(found.atMs, atZone);
  if (found.kind === 'skipped') return words.skipped(exact);
  if (found.kind === 'twice') return words.twice(exact);
  return found.atMs < nowMs ? words.past : exactTime(found.atMs, 'UTC');
}

function DeliveryFields({ draft, change, errorOf }: PartProps) {
  const error = errorOf('timezoneDelivery') ?? errorOf('optimalTime');
  return (
    <div className="stack-tight">
      <Field label={words.delivery} error={draft.delivery === 'local' ? undefined : error}>
        <SelectBox<Draft['delivery']>
          value={draft.delivery}
          choices={[
            { value: 'together', label: words.together },
            { value: 'local', label: words.local },
            { value: 'optimal', label: words.optimal },
          ]}
          onChange={(delivery) => change({ delivery })}
        />
      </Field>
      {draft.delivery === 'local' && (
        <div className="fold-inset">
          <Field label={words.localAt} hint={words.localHint} error={error}>
            <TextInput
              type="time"
              isNarrow
              value={draft.localAt}
              onChange={(localAt) => change({ localAt: localAt.slice(0, 5) })}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
