// What comes next for a campaign: the review, then the send of what it counted. For many people the
// send asks first, once, with the numbers.

import { useState } from 'react';
import type { DryRun } from '../../../api/generated.ts';
import { useRead } from '../../../api/queries.ts';
import { serverNowMs } from '../../../api/server-clock.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { count, Facts } from '../../../ui/figure.tsx';
import { Note } from '../../../ui/note.tsx';
import { channelName } from '../../../words/channels.ts';
import { words as shared } from '../../../words/en.ts';
import { type Draft, scheduleOf } from './draft.ts';
import { billedIn, total } from './dry-run.tsx';
import type { DryRunReview } from './use-dry-run.ts';
import { words } from './words.ts';

/** More people than this are asked about. */
const askedAbove = 1_000;
/** While nobody knows the setting: its default. */
const usualUndoSeconds = 10;

export function NextButton({
  draft,
  review,
  isReady,
  onReview,
  onSend,
}: {
  readonly draft: Draft;
  readonly review: DryRunReview;
  /** Whether what is shown was reviewed and may be sent. */
  readonly isReady: boolean;
  readonly onReview: () => void;
  readonly onSend: (undoSeconds: number) => void;
}) {
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

function SendButton({
  run,
  isAtOnce,
  isSending,
  onSend,
}: {
  readonly run: DryRun;
  /** Not at a time that is still to come. */
  readonly isAtOnce: boolean;
  readonly isSending: boolean;
  readonly onSend: (undoSeconds: number) => void;
}) {
  const app = useApp();
  const refused = useRefusal('send');
  const [isAsking, setAsking] = useState(false);
  const { data } = useRead('readSettings', { path: { appId: app.id } });
  const undoSeconds = data?.undoSendSeconds ?? usualUndoSeconds;
  const people = run.wouldSend + total(run.wouldDefer);
  const asks = isAtOnce && people > askedAbove;
  const send = () => {
    setAsking(false);
    onSend(undoSeconds);
  };
  return (
    <>
      <Button
        kind="primary"
        icon="send"
        refused={refused}
        isBusy={isSending}
        onClick={() => (asks ? setAsking(true) : send())}
      >
        {isAtOnce ? words.sendTo(run.wouldSend) : words.schedule}
      </Button>
      <Dialog
        title={words.ask.title(people)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        foot={
          <>
            <Button onClick={() => setAsking(false)}>{shared.dialog.cancel}</Button>
            <Button kind="primary" icon="send" refused={refused} onClick={send}>
              {words.ask.act}
            </Button>
          </>
        }
      >
        <Numbers run={run} />
        <p className="soft">{words.ask.undo(undoSeconds)}</p>
      </Dialog>
    </>
  );
}

function Numbers({ run }: { readonly run: DryRun }) {
  const later = total(run.wouldDefer);
  const billed = billedIn(run);
  return (
    <>
      <Facts
        items={[
          [words.ask.now, count(run.wouldSend)],
          ...(later > 0 ? [[words.ask.later, count(later)] as const] : []),
          ...Object.entries(run.byChannel).map(([id, n]) => [channelName(id), count(n)] as const),
        ]}
      />
      {billed.length > 0 && <Note tone="notice">{words.billed(billed)}</Note>}
    </>
  );
}
