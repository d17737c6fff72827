// The editor of a campaign: who, what, when and the review in four folds, in any order, saved while
// one writes. What the review counted is what is sent.

import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign } from '../../../api/generated.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { useFilterCount } from '../../../filter/count.ts';
import { appPath, useQueryParam } from '../../../ui/address.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/input.tsx';
import { useShortcuts } from '../../../ui/keys.ts';
import { LeaveQuestion } from '../../../ui/leave-question.tsx';
import { ErrorNote, Note } from '../../../ui/note.tsx';
import { bodyOf, type Draft } from './draft.ts';
import { EditorHead } from './editor-head.tsx';
import { Folds } from './folds.tsx';
import { missingOf } from './missing.ts';
import { Summary } from './summary.tsx';
import { useAudienceFilter } from './use-audience.ts';
import { useDryRun } from './use-dry-run.ts';
import { usePreset } from './use-preset.ts';
import { useSavedDraft } from './use-saved-draft.ts';
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
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const { draft, setDraft, kept, firstMessageId, saving } = useSavedDraft(campaign, onMade);
  const [, setFold] = useQueryParam('fold');
  const [wasTried, setTried] = useState(false);
  const counted = useFilterCount(useAudienceFilter(draft));
  const missing = useMemo(
    () => missingOf(draft, draft.audience !== 'filter' || counted.unfinished.length === 0),
    [draft, counted.unfinished.length],
  );
  const review = useDryRun(saving, JSON.stringify(bodyOf(draft)));
  const isLive = campaign !== undefined && campaign.state !== 'draft';

  const change = (part: Partial<Draft>) => {
    if (refused === undefined) setDraft((before) => ({ ...before, ...part }));
  };
  const preset = usePreset(draft, firstMessageId, change);
  const lackOf = (field: string) =>
    wasTried ? missing.find((one) => one.field === field)?.text : undefined;
  const errorOf = (field: string) => saving.error?.of(field) ?? lackOf(field);
  const startReview = () => {
    setTried(true);
    setFold('review');
    if (missing.length === 0 && !isLive) review.run();
  };
  const isReady = review.result !== undefined && !review.isStale && missing.length === 0;
  const send = (undoSeconds: number) => {
    if (!isReady) return;
    review.send(undoSeconds, (sent) => {
      saving.stop();
      onSent?.();
      go(appPath(app.id, 'campaigns', sent.id), { replace: true });
    });
  };
  useShortcuts([
    { keys: 'mod+Enter', label: words.review, run: startReview },
    { keys: 'mod+enter', label: words.review, run: startReview },
    { keys: 'mod+s', label: words.saveNow, run: () => void saving.flush() },
  ]);
  const parts = { draft, change, errorOf };
  const stray = saving.error?.issues.length === 0 ? saving.error : undefined;
  return (
    <>
      <EditorHead
        draft={draft}
        saving={saving}
        review={review}
        isLive={isLive}
        isReady={isReady}
        onReview={startReview}
        onSend={send}
      />
      <div className="screen-body">
        <div className="split">
          <div className="stack">
            {kept !== undefined && <Note tone="accent">{words.restored}</Note>}
            {isLive && <Note tone="notice">{words.liveEdit}</Note>}
            {stray !== undefined && <ErrorNote error={stray} onAgain={() => void saving.flush()} />}
            <Field label={words.name} hint={words.nameHint} error={errorOf('name')}>
              <TextInput value={draft.name} onChange={(name) => change({ name })} />
            </Field>
            <Folds
              parts={parts}
              preset={preset}
              counted={counted}
              missing={missing}
              wasTried={wasTried}
              saving={saving}
              review={review}
              isLive={isLive}
              onReview={startReview}
            />
          </div>
          <Summary
            draft={draft}
            counted={counted}
            missing={missing}
            warnings={saving.campaign?.warnings}
            onGo={setFold}
          />
        </div>
      </div>
      <LeaveQuestion
        isDirtyNow={() => saving.state === 'failed'}
        isDirtyAtClose={() => saving.state === 'saving' || saving.state === 'failed'}
        onDiscard={saving.stop}
      />
    </>
  );
}
