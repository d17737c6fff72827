// Activating a journey and pausing it, with what will happen said first.

import { useState } from 'react';
import type { Journey, JourneyStats } from '../../api/generated.ts';
import { useRefusal } from '../../api/session-context.tsx';
import { actionsOn, asShown } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Activate } from './activate.tsx';
import type { JourneyTools } from './use-saved-draft.ts';
import { words } from './words.ts';

const text = words.switch;

export function SwitchButton({
  journey,
  tools,
  stats,
}: {
  readonly journey: Journey | undefined;
  readonly tools: JourneyTools;
  readonly stats: JourneyStats | undefined;
}) {
  const refused = useRefusal('send');
  const [isAsking, setAsking] = useState(false);
  const isArchived = journey !== undefined && journey.archivedAt !== null;
  const needs = isArchived ? words.unarchiveFirst : text.notYet;
  const isReady = !isArchived && journey !== undefined && tools.state === 'saved';
  if (journey?.active === true)
    return <ActionButton action={pause} thing={{ journey, inFlow: stats?.inFlow ?? 0 }} />;
  return (
    <>
      <Button
        kind="primary"
        icon="play"
        refused={refused ?? (isReady ? undefined : needs)}
        onClick={() => setAsking(true)}
      >
        {text.activate}
      </Button>
      {journey !== undefined && isAsking && (
        <Activate journey={journey} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface Running {
  readonly journey: Journey;
  readonly inFlow: number;
}

const pause = actionsOn<Running>()({
  id: 'pause',
  label: text.pause,
  icon: 'pause',
  needs: 'send',
  confirm: ({ journey, inFlow }) => ({
    title: text.pauseTitle(journey.name),
    text: text.pauseText(inFlow),
  }),
  operation: 'updateJourney',
  args: ({ journey }, appId) => ({
    ...asShown(journey, appId),
    body: { active: false },
  }),
  done: () => text.paused,
});
