// Sends again what failed of one send: its dead letters are looked up first.

import { useState } from 'react';
import type { ExplainedSend } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { mayRepeat } from './failure-reasons.tsx';
import { type Asked, RedriveDialog } from './redrive-dialog.tsx';
import { words } from './words.ts';

export function RedriveSend({ send }: { readonly send: ExplainedSend }) {
  const app = useApp();
  const refused = useRefusal('send');
  const [asked, setAsked] = useState<Asked>();
  const reason = send.outcomes.find(({ status }) => status === 'failed')?.reason;
  const letters = useList('listDeadLetters', {
    path: { appId: app.id },
    query: { lane: 'transactional', ...(reason === undefined ? {} : { reason }) },
  });
  const ids = (letters.items ?? []).flatMap(({ id, sendId, recoveredAt, redrivenAt }) =>
    sendId === send.id && recoveredAt === null && redrivenAt === null ? [id] : [],
  );
  if (ids.length === 0) return null;
  const action = words.redriveSome(count(ids.length));
  return (
    <>
      <Button
        kind="primary"
        icon="refresh"
        refused={refused}
        onClick={() =>
          setAsked({ what: { ids }, action, mayRepeat: reason != null && mayRepeat({ reason }) })
        }
      >
        {words.redriveThis}
      </Button>
      <RedriveDialog asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}
