// A campaign that has paused itself: why, what to mend, and the one click that goes on.

import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { Note } from '../../ui/note.tsx';
import { resume } from './row-menu.tsx';
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
  const why = stats?.progress?.waitingFor?.text;
  return (
    <Note tone="bad">
      <div className="row-between">
        <span>
          <strong>{words.guarded.title}</strong> {why !== undefined && `${asSentence(why)} `}
          {words.guarded.then}
        </span>
        <ActionButton action={resume} thing={campaign} size="small" />
      </div>
    </Note>
  );
}

function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
