// How each screen's code is loaded.

import type { ComponentType } from 'react';
import type { ScreenId } from './list.ts';
import type { ScreenProps } from './screen-props.ts';

/** Of a screen's file. */
const screenIn = (file: { readonly default: ComponentType<ScreenProps> }) => file.default;

export const loaders: Readonly<Record<ScreenId, () => Promise<ComponentType<ScreenProps>>>> = {
  home: () => import('./home/screen.tsx').then(screenIn),
  people: () => import('./people/screen.tsx').then(screenIn),
  import: () => import('./import/screen.tsx').then(screenIn),
  segments: () => import('./segments/screen.tsx').then(screenIn),
  suppressions: () => import('./suppressions/screen.tsx').then(screenIn),
  topics: () => import('./topics/screen.tsx').then(screenIn),
  forms: () => import('./forms/screen.tsx').then(screenIn),
  campaigns: () => import('./campaigns/screen.tsx').then(screenIn),
  compare: () => import('./compare/screen.tsx').then(screenIn),
  journeys: () => import('./journeys/screen.tsx').then(screenIn),
  messages: () => import('./messages/screen.tsx').then(screenIn),
  inapp: () => import('./inapp/screen.tsx').then(screenIn),
  flags: () => import('./flags/screen.tsx').then(screenIn),
  'live-activities': () => import('./live-activities/screen.tsx').then(screenIn),
  activity: () => import('./activity/screen.tsx').then(screenIn),
  events: () => import('./events/screen.tsx').then(screenIn),
  insights: () => import('./insights/screen.tsx').then(screenIn),
  channels: () => import('./channels/screen.tsx').then(screenIn),
  integrations: () => import('./integrations/screen.tsx').then(screenIn),
  settings: () => import('./settings/screen.tsx').then(screenIn),
  team: () => import('./team/screen.tsx').then(screenIn),
  clients: () => import('./clients/screen.tsx').then(screenIn),
  relays: () => import('./relays/screen.tsx').then(screenIn),
  branding: () => import('./branding/screen.tsx').then(screenIn),
  billing: () => import('./billing/screen.tsx').then(screenIn),
  audit: () => import('./audit/screen.tsx').then(screenIn),
};
