// The draft in sentences, beside the folds: how many, what, when, and what is missing.

import type { Campaign } from '../../../api/generated.ts';
import type { FilterCount } from '../../../filter/count.ts';
import { AudienceCount } from '../../../filter/editor.tsx';
import { filterSentence } from '../../../filter/kinds.ts';
import { count, Facts } from '../../../ui/figure.tsx';
import { Note } from '../../../ui/note.tsx';
import { TopicName } from '../../../ui/topic-box.tsx';
import { MessageName, SegmentName } from '../audience.tsx';
import { channelsText, deliveryText, fallbackText, scheduleText, testText } from '../plan-words.ts';
import { words as planWords } from '../words.ts';
import { bodyOf, type Draft } from './draft.ts';
import { type FoldId, foldOf, type Lack } from './missing.ts';
import { Lacks } from './review.tsx';
import { words } from './words.ts';

export function Summary({
  draft,
  counted,
  missing,
  warnings = [],
  onGo,
}: {
  readonly draft: Draft;
  readonly counted: FilterCount;
  readonly missing: readonly Lack[];
  /** What the server finds odd in the saved draft: a field that is misspelled. */
  readonly warnings?: Campaign['warnings'];
  readonly onGo: (fold: FoldId) => void;
}) {
  const body = bodyOf(draft);
  const fallback = fallbackText(body);
  const tests = testText(body);
  return (
    <aside className="stack campaign-summary" aria-label={words.summary}>
      <section className="card card-body stack">
        <div>
          <h2>{words.audience}</h2>
          <AudienceCount counted={counted} />
        </div>
        <Facts
          items={[
            [words.folds.who, <WhoText key="who" draft={draft} />],
            ...(draft.topic === undefined
              ? []
              : [[words.topic, <TopicName key="topic" topic={draft.topic} />] as const]),
            [words.folds.what, <MessageSummary key="what" draft={draft} />],
            [planWords.plan.channels, channelsText(body)],
            ...(fallback === undefined ? [] : [[planWords.plan.fallbackHead, fallback] as const]),
            [words.folds.when, scheduleText(body.schedule, draft.atZone)],
            [planWords.plan.delivery, deliveryText(body)],
            ...(body.throttle == null
              ? []
              : [[planWords.plan.rate, planWords.plan.throttle(body.throttle.perMinute)] as const]),
            ...(tests.length === 0 ? [] : [[planWords.plan.test, tests.join(' ')] as const]),
          ]}
        />
      </section>
      {warnings.length > 0 && (
        <Note tone="notice">
          <strong>{words.advice}</strong>
          <ul className="lacks">
            {warnings.map(({ field, warning }) => (
              <li key={`${field} ${warning}`}>
                <button type="button" className="link-button" onClick={() => onGo(foldOf(field))}>
                  {warning}
                </button>
              </li>
            ))}
          </ul>
        </Note>
      )}
      <Lacks missing={missing} onGo={onGo} />
    </aside>
  );
}

/** In the closed fold: who, and how many. */
export function AudienceSummary({
  draft,
  counted,
}: {
  readonly draft: Draft;
  readonly counted: FilterCount;
}) {
  return (
    <>
      <WhoText draft={draft} />
      {counted.count !== undefined && <>, {count(counted.count)}</>}
    </>
  );
}

function WhoText({ draft: { audience, segmentId, filter } }: { readonly draft: Draft }) {
  if (audience === 'segment')
    return segmentId === undefined ? words.lacks.segment : <SegmentName id={segmentId} />;
  if (audience === 'filter' && filter !== undefined) return filterSentence(filter);
  return words.everybody;
}

export function MessageSummary({ draft: { messageId } }: { readonly draft: Draft }) {
  return messageId === undefined ? words.lacks.message : <MessageName id={messageId} />;
}
