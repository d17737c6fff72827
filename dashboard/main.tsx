// Starts the dashboard. Where the page came with its frame drawn, that stays until the screen can
// be drawn too.

import './first.ts';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { surroundCalls } from './api/client.ts';
import { earlyAnswer } from './api/early.ts';
import { tellReach } from './api/reach.ts';
import { tellServerTime } from './api/server-clock.ts';
import { askToSignInAgain } from './api/sign-in-again.ts';
import { tellWaiting } from './api/waiting.ts';
import { bringsSignIn, Dashboard, readVisit } from './frame/app.tsx';
import { loadScreenHere } from './frame/shell.tsx';
import { loadPopupsBy } from './ui/above-page.ts';
import { listenToLeaving } from './ui/leave-guard.ts';

const place = document.getElementById('root');
listenToLeaving();
surroundCalls({
  early: earlyAnswer,
  waits: tellWaiting,
  ended: (answer, askedMs) => {
    tellReach(answer !== undefined);
    const date = answer?.headers.get('date') ?? null;
    tellServerTime(date, askedMs, performance.now());
  },
  refused: ({ code }) => {
    if (code === 'sign_in_again') askToSignInAgain();
  },
});
loadPopupsBy(() => import('./ui/popups.tsx'));
if (place !== null) void start(place);

async function start(place: HTMLElement): Promise<void> {
  const isDrawn = place.firstElementChild !== null && !bringsSignIn();
  const [visit] = isDrawn ? await Promise.all([readVisit(), loadScreenHere()]) : [];
  const root = createRoot(place);
  // A transition is drawn in short tasks; the frame that is there may wait for it.
  startTransition(() => root.render(<Dashboard visit={visit} />));
}
