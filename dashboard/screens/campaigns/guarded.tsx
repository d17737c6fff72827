// A campaign that has paused itself: why, what to mend, and the one click that goes on.

import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { useCampaignActions } from './actions.ts';
import { words } from './words.ts';

export function isGuarded({ state, stateReason }: Campaign): boolean {
  return state === 'paused' && stateReason?.startsWith('guard_') === true;
}

export function Guarded({
  campaign,
  stats,
}: {
  readonly campaign: Campaign;
  readonly stats: CampaignStats | undefined;
}) {
  const acts = useCampaignActions(campaign);
  const refused = useRefusal('send');
  const why = stats?.progress?.waitingFor?.text;
  return (
    <Note tone="bad">
      <div className="row-between">
        <span>
          <strong>{words.guarded.title}</strong> {why !== undefined && `${asSentence(why)} `}
          {words.guarded.then}
        </span>
        <Button
          size="small"
          icon="play"
          refused={refused}
          isBusy={acts.isBusy}
          onClick={acts.resume}
        >
          {words.act.resume}
        </Button>
      </div>
    </Note>
  );
}

function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
