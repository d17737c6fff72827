// How and when the SDK shows the message by itself.

import type { ApiError } from '../../api/errors.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Check, Segmented, SelectBox } from '../../ui/choices.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { type DisplayDraft, inAppKinds } from './display-draft.ts';
import { displayWords as text } from './display-words.ts';

interface PartProps {
  readonly draft: DisplayDraft;
  readonly error: ApiError | undefined;
  readonly change: (part: Partial<DisplayDraft>) => void;
}

export function DisplayFields({ draft, error, change }: PartProps) {
  const { kind } = draft;
  return (
    <section className="stack">
      <h2>{text.title}</h2>
      <Field label={text.kind} hint={text.kindHints[kind]} error={error?.of('display.kind')}>
        <SelectBox<DisplayDraft['kind']>
          value={kind}
          choices={inAppKinds.map((value) => ({ value, label: text.kinds[value] }))}
          onChange={(next) => change({ kind: next })}
        />
      </Field>
      {kind !== 'modal' && kind !== 'none' && (
        <Segmented
          label={text.position}
          value={draft.position}
          choices={[
            { value: 'bottom', label: text.positions.bottom },
            { value: 'top', label: text.positions.top },
          ]}
          onChange={(position) => change({ position })}
        />
      )}
      <Trigger draft={draft} error={error} change={change} />
      <div className="columns">
        <Field label={text.maxShows} hint={text.maxShowsHint} error={error?.of('display.maxShows')}>
          <NumberInput
            value={draft.maxShows}
            min={1}
            placeholder={text.noBound}
            onChange={(maxShows) => change({ maxShows })}
          />
        </Field>
        <Field
          label={text.everyHours}
          hint={text.everyHoursHint}
          error={error?.of('display.everyHours')}
        >
          <NumberInput
            value={draft.everyHours}
            min={0}
            placeholder={text.noBound}
            onChange={(everyHours) => change({ everyHours })}
          />
        </Field>
      </div>
      <Check
        isChecked={draft.isDismissible}
        onChange={(isDismissible) => change({ isDismissible })}
      >
        {text.dismissible}
      </Check>
      {!draft.isDismissible && <p className="field-hint">{text.notDismissible}</p>}
    </section>
  );
}

function Trigger({ draft, error, change }: PartProps) {
  return (
    <>
      <Field label={text.trigger}>
        <SelectBox<DisplayDraft['trigger']>
          value={draft.trigger}
          choices={(['now', 'seconds', 'event'] as const).map((value) => ({
            value,
            label: text.triggers[value],
          }))}
          onChange={(trigger) => change({ trigger })}
        />
      </Field>
      {draft.trigger === 'seconds' && (
        <Field label={text.seconds} error={error?.of('display.trigger')}>
          <NumberInput
            value={draft.afterSeconds}
            min={0}
            onChange={(afterSeconds) => change({ afterSeconds })}
          />
        </Field>
      )}
      {draft.trigger === 'event' && (
        <>
          <Field label={text.event} hint={text.eventHint} error={error?.of('display.trigger')}>
            <EventBox value={draft.event} onChange={(event) => change({ event })} />
          </Field>
          <Where draft={draft} error={error} change={change} />
        </>
      )}
    </>
  );
}

const valuesMax = 10;

function Where({ draft: { where }, error, change }: PartProps) {
  const set = (at: number, part: Partial<DisplayDraft['where'][number]>) =>
    change({ where: where.map((one, nth) => (nth === at ? { ...one, ...part } : one)) });
  return (
    <div className="stack-tight">
      {where.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may be half typed
        <div key={at} className="inapp-where">
          <Field label={text.prop}>
            <TextInput
              value={name}
              spellCheck={false}
              onChange={(next) => set(at, { name: next })}
            />
          </Field>
          <Field
            label={text.value}
            hint={text.valueHint}
            error={error?.of(`display.trigger.where.${name}`)}
          >
            <TextInput
              value={value}
              spellCheck={false}
              onChange={(next) => set(at, { value: next })}
            />
          </Field>
          <IconButton
            label={text.removeProp(name)}
            icon="close"
            onClick={() => change({ where: where.filter((_, nth) => nth !== at) })}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          refused={where.length >= valuesMax ? text.propsMax : undefined}
          onClick={() => change({ where: [...where, { name: '', value: '' }] })}
        >
          {text.addProp}
        </Button>
      </div>
    </div>
  );
}
