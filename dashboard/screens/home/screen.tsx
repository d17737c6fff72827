// Home: what needs a person, what is being sent, and today's figures. A newcomer sees the way to a
// first campaign first.

import { startTransition, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Grey } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { ChannelWeek } from './channel-week.tsx';
import { Checklist } from './checklist.tsx';
import { Needs } from './needs.tsx';
import { useNeeds } from './needs-of.ts';
import { Sending, useSending } from './sending.tsx';
import { useSteps } from './steps.ts';
import { Today, useToday } from './today.tsx';
import { words } from './words.ts';

export default function Home() {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const [isReady, setReady] = useState(false);
  const toCampaign = appPath(app.id, 'campaigns', 'new');
  useShortcuts([
    { keys: 'c', label: words.sendCampaign, run: () => refused === undefined && go(toCampaign) },
  ]);
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          refused === undefined ? (
            <ButtonLink kind="primary" icon="plus" to={toCampaign}>
              {words.sendCampaign}
            </ButtonLink>
          ) : (
            <Button kind="primary" icon="plus" refused={refused}>
              {words.sendCampaign}
            </Button>
          )
        }
      />
      <div className="screen-body">
        <div className="stack">
          <Wait appId={app.id} onReady={setReady} />
          {isReady && <Blocks appId={app.id} />}
        </div>
      </div>
    </>
  );
}

/**
 * Until all but the last block is known: what came later would push down what is read already.
 * Stays afterwards, so that what it follows is followed without a break.
 */
function Wait({
  appId,
  onReady,
}: {
  readonly appId: string;
  readonly onReady: (isReady: boolean) => void;
}) {
  const waits = [useSteps(appId), useNeeds(appId), useSending(appId), useToday(appId)];
  const isLoading = waits.some((one) => one.isLoading);
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => {
    if (isLoading) return;
    // In short tasks: on a phone the blocks take a tenth of a second.
    startTransition(() => {
      setOver(true);
      onReady(true);
    });
  }, [isLoading, onReady]);
  return isOver ? null : <Grey rows={8} />;
}

function Blocks({ appId }: { readonly appId: string }) {
  const { steps, hide } = useSteps(appId);
  return (
    <>
      {steps !== undefined && <Checklist steps={steps} onHide={hide} />}
      <Needs isQuiet={steps !== undefined} />
      <Sending appId={appId} />
      <Today appId={appId} />
      <ChannelWeek appId={appId} />
    </>
  );
}
