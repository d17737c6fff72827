// The editor of a campaign: who, what, when and the review in four folds, in any order, saved while
// one writes. What the review counted is what is sent.

import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign } from '../../../api/generated.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { useFilterCount } from '../../../filter/count.ts';
import { DraftNotes, EditorFrame } from '../../../kit/editor-frame.tsx';
import { appPath, useQueryParam } from '../../../ui/address.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/input.tsx';
import { Note } from '../../../ui/note.tsx';
import { useAudienceFilter } from '../audience.tsx';
import { RowMenu } from '../row-menu.tsx';
import { StateBadge } from '../state.tsx';
import { words as listWords } from '../words.ts';
import { bodyOf, type Draft } from './draft.ts';
import { Folds } from './folds.tsx';
import { missingOf } from './missing.ts';
import { NextButton } from './send-button.tsx';
import { Summary } from './summary.tsx';
import { useDryRun } from './use-dry-run.ts';
import { usePreset } from './use-preset.ts';
import { type CampaignTools, useSavedDraft } from './use-saved-draft.ts';
import { words } from './words.ts';

export function CampaignEditor({
  campaign,
  onMade,
  onSent,
}: {
  /** `undefined` for a new one. */
  readonly campaign: Campaign | undefined;
  readonly onMade?: (id: string) => void;
  readonly onSent?: () => void;
}) {
  const app = useApp();
  const refused = useRefusal('write');
  const { tools, firstMessageId } = useSavedDraft(campaign, refused, onMade);
  const { draft, saved } = tools;
  const [, setFold] = useQueryParam('fold');
  const counted = useFilterCount(useAudienceFilter(draft));
  const isLive = campaign !== undefined && campaign.state !== 'draft';
  const reviewing = useReviewing({ tools, counted, isLive, onSent });
  const change = (part: Partial<Draft>) => refused === undefined && tools.change(part);
  const preset = usePreset(draft, firstMessageId, change);
  const parts = { draft, change, errorOf: reviewing.errorOf };
  return (
    <EditorFrame
      title={draft.name.trim() || saved?.name || words.newTitle}
      crumb={{ to: appPath(app.id, 'campaigns'), label: listWords.title }}
      tools={tools}
      save={undefined}
      lacking={words.unsaved}
      aside={<StateBadge state={saved?.state ?? 'draft'} />}
      actions={
        <>
          {saved !== undefined && <RowMenu campaign={saved} />}
          {!isLive && <NextButton draft={draft} {...reviewing} />}
        </>
      }
      keys={[
        { keys: 'mod+Enter', label: words.review, run: reviewing.onReview },
        { keys: 'mod+enter', label: words.review, run: reviewing.onReview },
      ]}
    >
      <div className="screen-body">
        <div className="split">
          <div className="stack">
            <DraftNotes tools={tools} onAgain={() => void tools.save()} />
            {isLive && <Note tone="notice">{words.liveEdit}</Note>}
            <Field label={words.name} hint={words.nameHint} error={parts.errorOf('name')}>
              <TextInput value={draft.name} onChange={(name) => change({ name })} />
            </Field>
            <Folds
              {...reviewing}
              parts={parts}
              preset={preset}
              counted={counted}
              tools={tools}
              isLive={isLive}
            />
          </div>
          <Summary
            draft={draft}
            counted={counted}
            missing={reviewing.missing}
            warnings={saved?.warnings}
            onGo={setFold}
          />
        </div>
      </div>
    </EditorFrame>
  );
}

/** The review of a draft, and the send of what it counted. */
function useReviewing({
  tools,
  counted,
  isLive,
  onSent,
}: {
  readonly tools: CampaignTools;
  readonly counted: ReturnType<typeof useFilterCount>;
  readonly isLive: boolean;
  readonly onSent: (() => void) | undefined;
}) {
  const app = useApp();
  const [, go] = useLocation();
  const [, setFold] = useQueryParam('fold');
  const [wasTried, setTried] = useState(false);
  const { draft, error } = tools;
  const missing = useMemo(
    () => missingOf(draft, draft.audience !== 'filter' || counted.unfinished.length === 0),
    [draft, counted.unfinished.length],
  );
  const review = useDryRun(tools, JSON.stringify(bodyOf(draft)));
  const isReady = review.result !== undefined && !review.isStale && missing.length === 0;
  const lackOf = (field: string) =>
    wasTried ? missing.find((one) => one.field === field)?.text : undefined;
  return {
    review,
    missing,
    /** Whether a review was asked for: from then on, what is missing shows. */
    wasTried,
    isReady,
    errorOf: (field: string) => error?.of(field) ?? lackOf(field),
    onReview: () => {
      setTried(true);
      setFold('review');
      if (missing.length === 0 && !isLive) review.run();
    },
    onSend: (undoSeconds: number) => {
      if (!isReady) return;
      review.send(undoSeconds, (sent) => {
        tools.discard();
        onSent?.();
        go(appPath(app.id, 'campaigns', sent.id), { replace: true });
      });
    },
  };
}
