// Who gets the campaign: the audience, its channels and their fallback, the control group.

import { useApp } from '../../../api/session-context.tsx';
import type { FilterCount } from '../../../filter/count.ts';
import { FilterForm } from '../../../filter/editor.tsx';
import { appPath } from '../../../ui/address.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Check, Segmented } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/input.tsx';
import { TopicBox, useAppTopics } from '../../../ui/topic-box.tsx';
import { ChannelChecks } from './channels.tsx';
import type { PartProps, PresetProps } from './part.ts';
import { SegmentPicker } from './pickers.tsx';
import { words } from './words.ts';

export function Who({
  draft,
  change,
  errorOf,
  counted,
  preset,
}: Omit<PresetProps, 'onGo'> & { readonly counted: FilterCount }) {
  return (
    <>
      <Audience draft={draft} change={change} errorOf={errorOf} counted={counted} />
      <Topic draft={draft} change={change} errorOf={errorOf} />
      <div className="stack-tight">
        <Segmented
          label={words.channels}
          choices={[
            { value: 'all', label: words.allChannels },
            { value: 'some', label: words.someChannels },
          ]}
          value={draft.hasChannels ? 'some' : 'all'}
          onChange={(next) => change({ hasChannels: next === 'some' })}
        />
        {preset !== undefined && <p className="soft">{words.preset}</p>}
        {draft.hasChannels && (
          <ChannelChecks
            label={words.channels}
            value={draft.channels}
            counted={counted}
            error={errorOf('channels')}
            onChange={(channels) => change({ channels })}
          />
        )}
        {!draft.hasChannels && errorOf('channels') !== undefined && (
          <p className="field-error" role="alert">
            {errorOf('channels')}
          </p>
        )}
      </div>
      <Fallback draft={draft} change={change} errorOf={errorOf} counted={counted} />
      <div className="stack-tight">
        <Check isChecked={draft.hasHoldout} onChange={(hasHoldout) => change({ hasHoldout })}>
          {words.holdout}
        </Check>
        {draft.hasHoldout && (
          <div className="fold-inset">
            <Field
              label={words.holdoutShare}
              hint={words.holdoutHint}
              error={errorOf('holdoutShare')}
            >
              <NumberInput
                value={draft.holdoutPercent}
                min={0}
                max={99}
                step="any"
                onChange={(holdoutPercent) => change({ holdoutPercent })}
              />
            </Field>
          </div>
        )}
      </div>
    </>
  );
}

/** Nothing, while the app has no topics. */
function Topic({ draft, change, errorOf }: PartProps) {
  const topics = useAppTopics().data?.items ?? [];
  const error = errorOf('topic');
  if (topics.length === 0 && draft.topic === undefined && error === undefined) return null;
  return (
    <Field label={words.topic} hint={words.topicHint} error={error}>
      <TopicBox value={draft.topic} none={words.noTopic} onChange={(topic) => change({ topic })} />
    </Field>
  );
}

type InnerProps = PartProps & {
  readonly counted: FilterCount;
};

function Audience({ draft, change, errorOf, counted }: InnerProps) {
  const app = useApp();
  const filterError = errorOf('filter');
  return (
    <div className="stack-tight">
      <Segmented
        label={words.audienceKind}
        choices={[
          { value: 'everybody', label: words.everybody },
          { value: 'segment', label: words.segment },
          { value: 'filter', label: words.filter },
        ]}
        value={draft.audience}
        onChange={(audience) => change({ audience })}
      />
      {draft.audience === 'everybody' && <p className="soft">{words.everybodyHint}</p>}
      {draft.audience === 'segment' && (
        <div className="row">
          <div className="grow">
            <Field label={words.segment} isLabelHidden error={errorOf('segmentId')}>
              <SegmentPicker
                value={draft.segmentId}
                onChange={(segmentId) => change({ segmentId })}
              />
            </Field>
          </div>
          <ButtonLink to={appPath(app.id, 'segments', 'new')} icon="plus">
            {words.newSegment}
          </ButtonLink>
        </div>
      )}
      {draft.audience === 'filter' && (
        <FilterForm
          value={draft.filter}
          counted={counted}
          errors={filterError === undefined ? [] : [{ field: 'filter', error: filterError }]}
          onChange={(filter) => change({ filter })}
        />
      )}
      {draft.audience === 'filter' && filterError !== undefined && (
        <p className="field-error" role="alert">
          {filterError}
        </p>
      )}
    </div>
  );
}

function Fallback({ draft, change, errorOf, counted }: InnerProps) {
  return (
    <div className="stack-tight">
      <Check isChecked={draft.hasFallback} onChange={(hasFallback) => change({ hasFallback })}>
        {words.fallback}
      </Check>
      {draft.hasFallback && (
        <div className="fold-inset stack-tight">
          <p className="soft">{words.fallbackHint}</p>
          <ChannelChecks
            label={words.fallbackChannels}
            value={draft.fallbackChannels}
            counted={counted}
            without={draft.hasChannels ? draft.channels : []}
            error={errorOf('fallbackChannels')}
            onChange={(fallbackChannels) => change({ fallbackChannels })}
          />
          <Field label={words.fallbackMinutes} error={errorOf('fallbackAfterMinutes')}>
            <NumberInput
              value={draft.fallbackAfterMinutes}
              min={1}
              onChange={(fallbackAfterMinutes) => change({ fallbackAfterMinutes })}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
