// Starts the dashboard. Where the page came with its frame drawn, that stays until the screen can
// be drawn too.

import './first.ts';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { bringsSignIn, Dashboard, readVisit } from './frame/app.tsx';
import { loadScreenHere } from './frame/shell.tsx';
import { listenToLeaving } from './ui/leave-guard.ts';

const place = document.getElementById('root');
listenToLeaving();
if (place !== null) void start(place);

async function start(place: HTMLElement): Promise<void> {
  const isDrawn = place.firstElementChild !== null && !bringsSignIn();
  const [visit] = isDrawn ? await Promise.all([readVisit(), loadScreenHere()]) : [];
  const root = createRoot(place);
  // A transition is drawn in short tasks; the frame that is there may wait for it.
  startTransition(() => root.render(<Dashboard visit={visit} />));
}
