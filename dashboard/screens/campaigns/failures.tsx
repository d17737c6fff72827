// Sends that failed for good, by reason, and sending them again. Only those of this campaign are
// sent.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, refreshAfter } from '../../api/client.ts';
import type { Campaign, DeadLetter } from '../../api/generated.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { Note } from '../../ui/note.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { words } from './words.ts';

const idsMax = 1_000;
const pageRows = 200;

export function Failures({
  campaign,
  failed,
}: {
  readonly campaign: Campaign;
  readonly failed: number;
}) {
  const app = useApp();
  const client = useQueryClient();
  const refused = useRefusal('send');
  const [isBusy, setBusy] = useState(false);
  const redrive = async () => {
    setBusy(true);
    try {
      const redriven = await redriveCampaign(app.id, campaign.id);
      tellDone(words.failures.done(redriven));
      void refreshAfter(client, 'redriveDeadLetters');
    } catch (error) {
      tellError(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Note tone="bad">
      <div className="row-between">
        <span>{words.failures.text(failed)}</span>
        <Button
          size="small"
          icon="refresh"
          refused={refused}
          isBusy={isBusy}
          onClick={() => void redrive()}
        >
          {words.failures.redrive(count(failed))}
        </Button>
      </div>
    </Note>
  );
}

/** Dead letters do not name their campaign; its `failed` events name their sends. */
async function redriveCampaign(appId: string, campaignId: string): Promise<number> {
  const sends = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await call('listEvents', {
      path: { appId },
      query: { campaignId, name: 'failed', limit: pageRows, ...(cursor && { cursor }) },
    });
    for (const { sendId } of page.items) if (sendId !== null) sends.add(sendId);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call('listDeadLetters', {
      path: { appId },
      query: { lane: 'campaign', limit: pageRows, ...(cursor && { cursor }) },
    });
    ids.push(...page.items.filter((one) => isOpen(one) && sends.has(one.sendId)).map(idOf));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  let redriven = 0;
  for (let at = 0; at < ids.length; at += idsMax) {
    const body = { ids: ids.slice(at, at + idsMax) };
    redriven += (await call('redriveDeadLetters', { path: { appId }, body })).redriven;
  }
  return redriven;
}

function isOpen({ redrivenAt, recoveredAt }: DeadLetter): boolean {
  return redrivenAt === null && recoveredAt === null;
}

function idOf({ id }: DeadLetter): string {
  return id;
}
