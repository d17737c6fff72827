// A schedule that recurs: how often, at what time of which zone, between which dates.

import { useMemo } from 'react';
import { exactTime } from '../../../time/relative.ts';
import { nightsThatSkip } from '../../../time/wall-clock.ts';
import { isZone } from '../../../time/zones.ts';
import { SelectBox } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput, TextInput } from '../../../ui/input.tsx';
import { useNow } from '../../../ui/time.tsx';
import { ZoneBox } from '../../../ui/zone-box.tsx';
import type { Draft } from './draft.ts';
import type { PartProps } from './part.ts';
import { words } from './words.ts';

const dayMs = 86_400_000;

type Day = Draft['weekdays'][number];
const days = Object.keys(words.shortDays) as readonly Day[];

export function RecurringFields({ draft, change, errorOf }: PartProps) {
  const { every, weekdays } = draft;
  return (
    <div className="fold-inset stack-tight">
      <div className="field-row">
        <Field label={words.interval} error={errorOf('schedule.interval')}>
          <NumberInput
            value={draft.interval}
            min={1}
            onChange={(interval) => change({ interval })}
          />
        </Field>
        <Field label={words.every} error={errorOf('schedule.every')}>
          <SelectBox<Draft['every']>
            value={every}
            choices={(['hour', 'day', 'week', 'month'] as const).map((value) => ({
              value,
              label: words.units[value],
            }))}
            onChange={(next) => change({ every: next })}
          />
        </Field>
        <Field
          label={every === 'hour' ? words.timeHour : words.timeOfDay}
          error={errorOf('schedule.at')}
        >
          <TextInput
            type="time"
            value={draft.recurringAt}
            onChange={(recurringAt) => change({ recurringAt: recurringAt.slice(0, 5) })}
          />
        </Field>
        <Field label={words.zone} error={errorOf('schedule.timezone')}>
          <ZoneBox
            value={draft.recurringZone}
            onChange={(recurringZone) => change({ recurringZone })}
          />
        </Field>
      </div>
      {every !== 'hour' && <SkippedNights draft={draft} />}
      {every === 'week' && <Weekdays chosen={weekdays} onChange={change} />}
      {every === 'month' && (
        <Field
          label={words.dayOfMonth}
          hint={words.dayOfMonthHint}
          error={errorOf('schedule.dayOfMonth')}
        >
          <NumberInput
            value={draft.dayOfMonth}
            min={1}
            max={31}
            onChange={(dayOfMonth) => change({ dayOfMonth })}
          />
        </Field>
      )}
      <Bounds draft={draft} change={change} errorOf={errorOf} />
    </div>
  );
}

function Weekdays({
  chosen,
  onChange,
}: {
  readonly chosen: readonly Day[];
  readonly onChange: (part: Pick<Draft, 'weekdays'>) => void;
}) {
  return (
    <fieldset className="weekdays">
      <legend className="field-label">{words.weekdays}</legend>
      <div className="row">
        {days.map((day) => (
          <label key={day} className="weekday">
            <input
              type="checkbox"
              checked={chosen.includes(day)}
              onChange={() => onChange({ weekdays: toggled(chosen, day) })}
            />
            {words.shortDays[day]}
          </label>
        ))}
      </div>
      <p className="field-hint">{words.weekdaysHint}</p>
    </fieldset>
  );
}

function Bounds({ draft, change, errorOf }: PartProps) {
  return (
    <div className="field-row">
      <Field label={words.startAt} isOptional error={errorOf('schedule.startAt')}>
        <TextInput
          type="datetime-local"
          value={draft.startAt}
          onChange={(startAt) => change({ startAt: startAt.slice(0, 16) })}
        />
      </Field>
      <Field label={words.endAt} isOptional error={errorOf('schedule.endAt')}>
        <TextInput
          type="datetime-local"
          value={draft.endAt}
          onChange={(endAt) => change({ endAt: endAt.slice(0, 16) })}
        />
      </Field>
    </div>
  );
}

/** In the order of the week. */
function toggled(chosen: readonly Day[], day: Day): readonly Day[] {
  return days.filter((one) => (one === day ? !chosen.includes(day) : chosen.includes(one)));
}

/** A clock that is put forward may skip the time of day: says when it is sent on that night. */
function SkippedNights({ draft: { recurringAt, recurringZone } }: { readonly draft: Draft }) {
  const today = Math.floor(useNow() / dayMs) * dayMs;
  const nights = useMemo(
    () => (isZone(recurringZone) ? nightsThatSkip(recurringAt, recurringZone, today) : []),
    [recurringAt, recurringZone, today],
  );
  const [next] = nights;
  if (next === undefined) return null;
  return (
    <p className="field-hint" role="status">
      {words.skippedNight(recurringAt, exactTime(next, recurringZone))}
    </p>
  );
}
