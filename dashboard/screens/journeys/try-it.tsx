// Trying a journey out: a person, what they do on the way, and the walk with times and reasons.

import { useState } from 'react';
import { useAct } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { allSteps, asSent } from '../../canvas/model.ts';
import { words as canvasWords, type Unit } from '../../canvas/words.ts';
import { PersonBox } from '../../person/person-box.tsx';
import { personRef } from '../../person/person-ref.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segmented, SelectBox } from '../../ui/choices.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import type { Draft } from './draft.ts';
import { Walk } from './walk.tsx';
import { words } from './words.ts';

const text = words.try;
const unitMinutes = { minutes: 1, hours: 60, days: 1440 } as const satisfies Record<Unit, number>;
const units = Object.keys(unitMinutes) as Unit[];

interface Doing {
  readonly key: number;
  readonly name: string;
  readonly after: number | undefined;
  readonly unit: Unit;
}

interface Asked {
  readonly who: 'madeUp' | 'real';
  readonly person: string;
  readonly events: readonly Doing[];
  /** As in the control; empty for now. */
  readonly from: string;
}

export function TryIt({
  draft,
  onVisit,
  onStep,
}: {
  readonly draft: Draft;
  readonly onVisit: (ids: ReadonlySet<string>) => void;
  readonly onStep: (id: string) => void;
}) {
  const app = useApp();
  const [who, setWho] = useState<Asked['who']>('madeUp');
  const [person, setPerson] = useState('');
  const [events, setEvents] = useState<readonly Doing[]>([]);
  const [from, setFrom] = useState('');
  const [walked, setWalked] = useState<Draft['steps']>();
  const simulate = useAct('simulateUnsaved');
  const { error, data } = simulate;

  const go = () =>
    simulate.mutate(
      {
        path: { appId: app.id },
        body: { steps: asSent(draft.steps), ...askedOf({ who, person, events, from }) },
      },
      {
        onSuccess: ({ steps }) => {
          setWalked(draft.steps);
          onVisit(new Set(steps.flatMap(({ step }) => (step === undefined ? [] : [step]))));
        },
      },
    );
  return (
    <>
      <p className="soft">{text.text}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <Who {...{ who, setWho, person, setPerson }} error={error?.of('subscriberId')} />
        <Doings
          value={events}
          onChange={setEvents}
          suggested={goalOf(draft, events)}
          error={error?.of('events')}
        />
        <Field label={text.from} hint={text.fromHint} error={error?.of('fromTime')} isOptional>
          <TextInput type="datetime-local" value={from} onChange={setFrom} />
        </Field>
        <div>
          <Button type="submit" icon="play" isBusy={simulate.isPending}>
            {data === undefined ? text.go : text.again}
          </Button>
        </div>
      </form>
      {error !== undefined && <ErrorNote error={error} />}
      {data !== undefined && error === undefined && (
        <Walk walk={data} isOld={walked !== draft.steps} onStep={onStep} />
      )}
    </>
  );
}

function askedOf({ who, person, events, from }: Asked) {
  const named = events.filter(({ name }) => name !== '');
  return {
    ...(who === 'real' && person.trim() !== '' ? { subscriberId: personRef(person) } : {}),
    events: named.map(({ name, after, unit }) => ({
      name,
      afterMinutes: (after ?? 0) * unitMinutes[unit],
    })),
    ...(from === '' ? {} : { fromTime: new Date(from).toISOString() }),
  };
}

function Who({
  who,
  setWho,
  person,
  setPerson,
  error,
}: Pick<Asked, 'who' | 'person'> & {
  readonly setWho: (who: Asked['who']) => void;
  readonly setPerson: (person: string) => void;
  readonly error: string | undefined;
}) {
  return (
    <>
      <Field label={text.who} hint={who === 'madeUp' ? text.madeUpHint : text.realHint}>
        <Segmented
          label={text.who}
          value={who}
          choices={[
            { value: 'madeUp', label: text.madeUp },
            { value: 'real', label: text.real },
          ]}
          onChange={setWho}
        />
      </Field>
      {who === 'real' && (
        <Field label={text.person} error={error}>
          <PersonBox label={text.person} value={person} onChange={setPerson} />
        </Field>
      )}
    </>
  );
}

/** The first goal that the person does not reach yet. */
function goalOf({ steps }: Draft, events: readonly Doing[]): string {
  const goals = allSteps(steps).flatMap(({ step }) => (step.type === 'goal' ? [step.event] : []));
  return goals.find((goal) => !events.some(({ name }) => name === goal)) ?? '';
}

function Doings({
  value,
  onChange,
  suggested,
  error,
}: {
  readonly value: readonly Doing[];
  readonly onChange: (value: readonly Doing[]) => void;
  readonly suggested: string;
  readonly error: string | undefined;
}) {
  const put = (key: number, part: Partial<Doing>) =>
    onChange(value.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const next = Math.max(0, ...value.map(({ key }) => key)) + 1;
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">{text.events}</legend>
      {value.map(({ key, name, after, unit }) => (
        <div key={key} className="doing">
          <EventBox
            label={text.event}
            placeholder={canvasWords.goal.placeholder}
            value={name}
            onChange={(chosen) => put(key, { name: chosen })}
          />
          <div className="row">
            <span>{text.after}</span>
            <NumberInput
              aria-label={text.after}
              min={0}
              value={after}
              onChange={(length) => put(key, { after: length })}
            />
            <SelectBox
              isAuto
              label={text.unit}
              value={unit}
              choices={units.map((id) => ({ value: id, label: canvasWords.units[id] }))}
              onChange={(chosen) => put(key, { unit: chosen })}
            />
            <IconButton
              size="small"
              icon="close"
              label={text.removeEvent}
              onClick={() => onChange(value.filter((one) => one.key !== key))}
            />
          </div>
        </div>
      ))}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div>
        <Button
          size="small"
          icon="plus"
          onClick={() =>
            onChange([...value, { key: next, name: suggested, after: 1, unit: 'hours' }])
          }
        >
          {text.addEvent}
        </Button>
      </div>
    </fieldset>
  );
}
