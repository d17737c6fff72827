// What starts a journey, how often, and what it is called.

import type { Journey } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { allSteps } from '../../canvas/model.ts';
import { words as canvasWords } from '../../canvas/words.ts';
import { appPath } from '../../ui/address.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Segmented, SelectBox } from '../../ui/choices.tsx';
import { Copyable } from '../../ui/code.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { Field } from '../../ui/field.tsx';
import { Facts } from '../../ui/figure.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Time } from '../../ui/time.tsx';
import { Difference } from './difference.tsx';
import { Trigger } from './trigger.tsx';
import type { JourneyTools } from './use-saved-draft.ts';
import { words } from './words.ts';

const text = words.settings;

interface SettingsProps {
  readonly journey: Journey | undefined;
  readonly tools: JourneyTools;
  readonly isFrozen: boolean;
  readonly rest: readonly { readonly field: string; readonly error: string }[];
}

export function Settings({ journey, tools, isFrozen, rest }: SettingsProps) {
  const { draft, change } = tools;
  const isArchived = journey !== undefined && journey.archivedAt !== null;
  const errorOf = (field: string) =>
    rest.find((issue) => issue.field === field)?.error.replace(`${field}: `, '');
  const goals = allSteps(draft.steps).flatMap(({ step }) =>
    step.type === 'goal' && step.event !== '' ? [step.event] : [],
  );
  return (
    <>
      {isArchived ? (
        <Facts items={[[text.name, draft.name]]} />
      ) : (
        <Field label={text.name} error={errorOf('name')}>
          <TextInput value={draft.name} onChange={(name) => change({ name }, 'name')} />
        </Field>
      )}
      {isFrozen ? (
        <Facts items={[[text.by, <Trigger key="trigger" {...draft} />]]} />
      ) : (
        <TriggerFields tools={tools} errorOf={errorOf} />
      )}
      {isArchived ? (
        <Facts items={[[text.reentry, text[draft.reentry]]]} />
      ) : (
        <Reentry tools={tools} error={errorOf('reentry')} />
      )}
      <section className="stack-tight">
        <h3>{text.goals}</h3>
        <p className="soft">{goals.length === 0 ? text.noGoals : text.goalsText}</p>
        {goals.length > 0 && (
          <ul className="row">
            {[...new Set(goals)].map((event) => (
              <li key={event} className="chip">
                {event}
              </li>
            ))}
          </ul>
        )}
      </section>
      {journey !== undefined && (
        <>
          <Difference journey={journey} draft={draft} />
          <Facts
            items={[
              [text.facts.id, <Copyable key="id" text={journey.id} />],
              [text.facts.steps, allSteps(draft.steps).length],
              [text.facts.created, <Time key="created" at={journey.createdAt} />],
            ]}
          />
        </>
      )}
    </>
  );
}

function Reentry({
  tools: { draft, change },
  error,
}: {
  readonly tools: JourneyTools;
  readonly error: string | undefined;
}) {
  return (
    <Field
      label={text.reentry}
      hint={draft.reentry === 'once' ? text.onceHint : text.alwaysHint}
      error={error}
    >
      <Segmented
        label={text.reentry}
        value={draft.reentry}
        choices={[
          { value: 'once', label: text.once },
          { value: 'always', label: text.always },
        ]}
        onChange={(reentry) => change({ reentry })}
      />
    </Field>
  );
}

function TriggerFields({
  tools,
  errorOf,
}: {
  readonly tools: JourneyTools;
  errorOf(field: string): string | undefined;
}) {
  const app = useApp();
  const { draft, change } = tools;
  const segments = useList('listSegments', { path: { appId: app.id }, query: { order: 'newest' } });
  const by = draft.triggerEvent === null ? 'segment' : 'event';
  const isNothing = draft.triggerEvent === null && draft.triggerSegmentId === null;
  const items = segments.items ?? [];
  return (
    <>
      <div className="field">
        <span className="field-label" aria-hidden="true">
          {text.by}
        </span>
        <Segmented
          label={text.by}
          value={isNothing ? 'event' : by}
          choices={[
            { value: 'event', label: text.event },
            { value: 'segment', label: text.segment },
          ]}
          onChange={(next) =>
            change(
              next === 'event'
                ? { triggerEvent: '', triggerSegmentId: null }
                : { triggerEvent: null, triggerSegmentId: '' },
            )
          }
        />
      </div>
      {by === 'event' || isNothing ? (
        <Field label={text.eventName} hint={text.eventHint} error={errorOf('triggerEvent')}>
          <EventBox
            placeholder={canvasWords.goal.placeholder}
            value={draft.triggerEvent ?? ''}
            onChange={(triggerEvent) => change({ triggerEvent, triggerSegmentId: null }, 'trigger')}
          />
        </Field>
      ) : (
        <Field
          label={text.segmentName}
          hint={segments.items?.length === 0 ? text.noSegments : text.segmentHint}
          error={errorOf('triggerSegmentId')}
        >
          <SelectBox
            choices={items.map(({ id, name }) => ({ value: id, label: name }))}
            value={draft.triggerSegmentId || undefined}
            placeholder={text.segmentPlaceholder}
            onChange={(triggerSegmentId) => change({ triggerEvent: null, triggerSegmentId })}
          />
        </Field>
      )}
      {by === 'segment' && !isNothing && (
        <div>
          <ButtonLink size="small" icon="plus" to={appPath(app.id, 'segments', 'new')}>
            {text.makeSegment}
          </ButtonLink>
        </div>
      )}
    </>
  );
}
