// Activating a journey and pausing it, with what will happen said first.

import { useState } from 'react';
import type { Journey, JourneyStats } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { tellDone } from '../../ui/toast.tsx';
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
    return <Pause journey={journey} inFlow={stats?.inFlow ?? 0} refused={refused} />;
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

function Pause({
  journey,
  inFlow,
  refused,
}: {
  readonly journey: Journey;
  readonly inFlow: number;
  readonly refused: string | undefined;
}) {
  const app = useApp();
  const [isAsking, setAsking] = useState(false);
  const update = useAct('updateJourney');
  const close = () => {
    setAsking(false);
    update.reset();
  };
  return (
    <>
      <Button icon="pause" refused={refused} onClick={() => setAsking(true)}>
        {text.pause}
      </Button>
      <Confirm
        title={text.pauseTitle(journey.name)}
        action={text.pause}
        isOpen={isAsking}
        isBusy={update.isPending}
        error={update.error?.message}
        onClose={close}
        onConfirm={() =>
          update.mutate(
            { path: { appId: app.id, id: journey.id }, body: { active: false }, base: journey },
            {
              onSuccess: () => {
                tellDone(text.paused);
                close();
              },
            },
          )
        }
      >
        {text.pauseText(inFlow)}
      </Confirm>
    </>
  );
}
