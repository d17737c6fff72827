// The editor of a campaign: who, what, when and the review in four folds, in any order, saved while
// one writes. What the review counted is what is sent.

import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign } from '../../../api/generated.ts';
import { serverNowMs } from '../../../api/server-clock.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { useFilterCount } from '../../../filter/count.ts';
import { appPath, useQueryParam, withParams } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { rebased } from '../../../ui/draft.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/input.tsx';
import { useShortcuts } from '../../../ui/keys.ts';
import { LeaveQuestion } from '../../../ui/leave-question.tsx';
import { ErrorNote, Note } from '../../../ui/note.tsx';
import { ScreenHead } from '../../../ui/screen.tsx';
import { scheduleText } from '../plan-words.ts';
import { RowMenu } from '../row-menu.tsx';
import { StateBadge } from '../state.tsx';
import { words as listWords } from '../words.ts';
import { keptDraft, useAutosave } from './autosave.ts';
import { blankDraft, bodyOf, type Draft, draftOf, scheduleOf } from './draft.ts';
import { Fold } from './fold.tsx';
import { type FoldId, foldOf, missingOf } from './missing.ts';
import { Review } from './review.tsx';
import { SendButton } from './send-button.tsx';
import { AudienceSummary, MessageSummary, Summary } from './summary.tsx';
import { useAudienceFilter } from './use-audience.ts';
import { useDryRun } from './use-dry-run.ts';
import { usePreset } from './use-preset.ts';
import { What } from './what.tsx';
import { When } from './when.tsx';
import { Who } from './who.tsx';
import { words } from './words.ts';

const folds: readonly FoldId[] = ['who', 'what', 'when', 'review'];

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
  const [kept] = useState(() => keptDraft(app.id, campaign));
  const [initial] = useState(() => fresh(campaign, app.timezone));
  const [draft, setDraft] = useState<Draft>(() => withNamedMessage(initial, kept?.draft, campaign));
  const [foldText, setFold] = useQueryParam('fold');
  const [wasTried, setTried] = useState(false);
  const open = folds.find((one) => one === foldText) ?? (foldText === 'none' ? undefined : 'who');
  const drafted = (one: Campaign) => fresh(one, app.timezone);
  const saving = useAutosave({
    appId: app.id,
    campaign,
    draft,
    initial,
    older: kept?.older,
    isRefused: refused !== undefined,
    onMerged: (sent, before, now) =>
      setDraft((typed) => rebased(typed, sent, drafted(before), drafted(now))),
    onTheirs: (theirs) => setDraft(drafted(theirs)),
    draftOf: drafted,
    onMade: (id) => {
      onMade?.(id);
      // The named message is in the draft from now on.
      const rest = new URLSearchParams(location.search);
      rest.delete('message');
      go(withParams(appPath(app.id, 'campaigns', id), Object.fromEntries(rest)), { replace: true });
    },
  });
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
  const preset = usePreset(draft, (kept?.draft ?? initial).messageId, change);
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
  const foldProps = (id: FoldId) => ({
    title: words.folds[id],
    isOpen: open === id,
    lacks: wasTried ? missing.filter((one) => one.fold === id).length : 0,
    hasError: saving.error?.issues.some(({ field }) => foldOf(field) === id) ?? false,
    onToggle: () => setFold(open === id ? 'none' : id),
  });
  return (
    <>
      <ScreenHead
        title={draft.name.trim() || saving.campaign?.name || words.newTitle}
        crumb={{ to: appPath(app.id, 'campaigns'), label: listWords.title }}
        aside={
          <>
            <StateBadge state={saving.campaign?.state ?? 'draft'} />
            <span className="soft" role="status">
              {words.saves[saving.state]}
            </span>
          </>
        }
        actions={
          <>
            {saving.campaign !== undefined && <RowMenu campaign={saving.campaign} />}
            {!isLive &&
              (isReady && review.result !== undefined ? (
                <SendButton
                  run={review.result}
                  isAtOnce={isAtOnce(draft)}
                  isSending={review.isSending}
                  onSend={send}
                />
              ) : (
                <Button
                  kind="primary"
                  refused={refused}
                  isBusy={review.isRunning}
                  onClick={startReview}
                >
                  {words.review}
                </Button>
              ))}
          </>
        }
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
            <Fold
              {...foldProps('who')}
              summary={<AudienceSummary draft={draft} counted={counted} />}
            >
              <Who {...parts} preset={preset} counted={counted} />
            </Fold>
            <Fold {...foldProps('what')} summary={<MessageSummary draft={draft} />}>
              <What {...parts} preset={preset} onGo={setFold} />
            </Fold>
            <Fold
              {...foldProps('when')}
              summary={scheduleText(bodyOf(draft).schedule, draft.atZone)}
            >
              <When {...parts} />
            </Fold>
            {!isLive && (
              <Fold {...foldProps('review')} summary={words.reviewIntro}>
                <Review
                  draft={draft}
                  missing={missing}
                  review={review}
                  campaign={saving.campaign}
                  onRun={startReview}
                  onGo={setFold}
                />
              </Fold>
            )}
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

function isAtOnce(draft: Draft): boolean {
  const schedule = scheduleOf(draft);
  if (schedule.type === 'at') return Date.parse(schedule.at) <= serverNowMs();
  return schedule.type === 'now';
}

/** `?message=` names the message of a new campaign. */
function withNamedMessage(initial: Draft, kept: Draft | undefined, campaign: unknown): Draft {
  const message = new URLSearchParams(location.search).get('message');
  const named = campaign === undefined && message !== null ? { messageId: message } : {};
  const draft = { ...initial, ...kept, ...named };
  return kept === undefined && message === null ? initial : draft;
}

function fresh(campaign: Campaign | undefined, zone: string): Draft {
  return campaign === undefined
    ? blankDraft(zone, Date.now())
    : draftOf(campaign, zone, Date.now());
}
