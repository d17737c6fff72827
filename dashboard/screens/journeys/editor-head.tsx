// The head of a journey's editor: its name and state, whether it is saved, and the switch.

import type { Journey } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { JourneyMenu } from './menu.tsx';
import { SaveStatus } from './save-status.tsx';
import { SwitchButton } from './switch.tsx';
import type { DraftTools } from './use-draft.ts';
import type { useFigures } from './use-figures.ts';
import { words } from './words.ts';

export function EditorHead({
  journey,
  tools,
  stats,
}: {
  readonly journey: Journey | undefined;
  readonly tools: DraftTools;
  readonly stats: ReturnType<typeof useFigures>['stats'];
}) {
  const app = useApp();
  const isLive = journey?.active === true;
  return (
    <ScreenHead
      title={tools.draft.name || words.untitled}
      crumb={{ to: appPath(app.id, 'journeys'), label: words.title }}
      aside={
        <>
          <Badge tone={isLive ? 'good' : 'off'}>{isLive ? words.live : words.off}</Badge>
          {journey !== undefined && journey.archivedAt !== null && (
            <Badge tone="off">{words.tabs.archived}</Badge>
          )}
          <SaveStatus tools={tools} />
        </>
      }
      actions={
        <>
          {journey !== undefined && <JourneyMenu journey={journey} />}
          <SwitchButton journey={journey} tools={tools} stats={stats} />
        </>
      }
    />
  );
}
