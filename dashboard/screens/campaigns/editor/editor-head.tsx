// The head of a campaign's editor: its name and state, whether it is saved, and what comes next:
// the review, then the send.

import { serverNowMs } from '../../../api/server-clock.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { appPath } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { ScreenHead } from '../../../ui/screen.tsx';
import { RowMenu } from '../row-menu.tsx';
import { StateBadge } from '../state.tsx';
import { words as listWords } from '../words.ts';
import type { Autosave } from './autosave.ts';
import { type Draft, scheduleOf } from './draft.ts';
import { SendButton } from './send-button.tsx';
import type { useDryRun } from './use-dry-run.ts';
import { words } from './words.ts';

interface HeadProps {
  readonly draft: Draft;
  readonly saving: Autosave;
  readonly review: ReturnType<typeof useDryRun>;
  readonly isLive: boolean;
  /** Whether what is shown was reviewed and may be sent. */
  readonly isReady: boolean;
  readonly onReview: () => void;
  readonly onSend: (undoSeconds: number) => void;
}

export function EditorHead(props: HeadProps) {
  const { draft, saving, isLive } = props;
  const app = useApp();
  return (
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
          {!isLive && <NextButton {...props} />}
        </>
      }
    />
  );
}

function NextButton({ draft, review, isReady, onReview, onSend }: HeadProps) {
  const refused = useRefusal('write');
  if (isReady && review.result !== undefined)
    return (
      <SendButton
        run={review.result}
        isAtOnce={isAtOnce(draft)}
        isSending={review.isSending}
        onSend={onSend}
      />
    );
  return (
    <Button kind="primary" refused={refused} isBusy={review.isRunning} onClick={onReview}>
      {words.review}
    </Button>
  );
}

function isAtOnce(draft: Draft): boolean {
  const schedule = scheduleOf(draft);
  if (schedule.type === 'at') return Date.parse(schedule.at) <= serverNowMs();
  return schedule.type === 'now';
}
