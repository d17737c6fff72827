// The list of screens: a new screen is one line here and a folder beside this file.

import type { ComponentType } from 'react';
import type { Scope } from '../api/session.ts';
import type { IconName } from '../ui/icon-paths.ts';
import { words } from '../words/en.ts';

export type Group = 'overview' | 'audience' | 'outreach' | 'insight' | 'setup' | 'org';

export interface Screen {
  /** The first part of its address after the app. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: Group;
  /** The letter after `g`. */
  readonly letter?: string;
  /** Whoever lacks it does not see the screen in the rail. */
  readonly needs?: Scope;
  /** Without it no entry in the rail: it is reached from another screen. */
  readonly isHidden?: true;
  readonly load: () => Promise<ComponentType<ScreenProps>>;
}

/** The parts of the address after the screen's id. */
export interface ScreenProps {
  readonly rest: readonly string[];
}

/** Of a screen's file. */
const screenIn = (file: { readonly default: ComponentType<ScreenProps> }) => file.default;

const titles = words.screens;

export const screens: readonly Screen[] = [
  {
    id: 'home',
    title: titles.home,
    icon: 'home',
    group: 'overview',
    letter: 'h',
    load: () => import('./home/screen.tsx').then(screenIn),
  },
  {
    id: 'people',
    title: titles.people,
    icon: 'people',
    group: 'audience',
    letter: 'p',
    load: () => import('./people/screen.tsx').then(screenIn),
  },
  {
    id: 'import',
    title: titles.import,
    icon: 'upload',
    group: 'audience',
    needs: 'write',
    isHidden: true,
    load: () => import('./import/screen.tsx').then(screenIn),
  },
  {
    id: 'segments',
    title: titles.segments,
    icon: 'segments',
    group: 'audience',
    letter: 's',
    load: () => import('./segments/screen.tsx').then(screenIn),
  },
  {
    id: 'suppressions',
    title: titles.suppressions,
    icon: 'suppressions',
    group: 'audience',
    load: () => import('./suppressions/screen.tsx').then(screenIn),
  },
  {
    id: 'campaigns',
    title: titles.campaigns,
    icon: 'campaigns',
    group: 'outreach',
    letter: 'c',
    load: () => import('./campaigns/screen.tsx').then(screenIn),
  },
  {
    id: 'compare',
    title: titles.compare,
    icon: 'campaigns',
    group: 'outreach',
    isHidden: true,
    load: () => import('./compare/screen.tsx').then(screenIn),
  },
  {
    id: 'journeys',
    title: titles.journeys,
    icon: 'journeys',
    group: 'outreach',
    letter: 'j',
    load: () => import('./journeys/screen.tsx').then(screenIn),
  },
  {
    id: 'messages',
    title: titles.messages,
    icon: 'messages',
    group: 'outreach',
    letter: 'm',
    load: () => import('./messages/screen.tsx').then(screenIn),
  },
  {
    id: 'inapp',
    title: titles.inapp,
    icon: 'inapp',
    group: 'outreach',
    load: () => import('./inapp/screen.tsx').then(screenIn),
  },
  {
    id: 'flags',
    title: titles.flags,
    icon: 'flags',
    group: 'outreach',
    load: () => import('./flags/screen.tsx').then(screenIn),
  },
  {
    id: 'live-activities',
    title: titles.liveActivities,
    icon: 'live',
    group: 'outreach',
    load: () => import('./live-activities/screen.tsx').then(screenIn),
  },
  {
    id: 'activity',
    title: titles.activity,
    icon: 'activity',
    group: 'insight',
    letter: 'a',
    load: () => import('./activity/screen.tsx').then(screenIn),
  },
  {
    id: 'events',
    title: titles.events,
    icon: 'events',
    group: 'insight',
    letter: 'e',
    load: () => import('./events/screen.tsx').then(screenIn),
  },
  {
    id: 'insights',
    title: titles.insights,
    icon: 'insights',
    group: 'insight',
    letter: 'i',
    load: () => import('./insights/screen.tsx').then(screenIn),
  },
  {
    id: 'channels',
    title: titles.channels,
    icon: 'channels',
    group: 'setup',
    load: () => import('./channels/screen.tsx').then(screenIn),
  },
  {
    id: 'integrations',
    title: titles.integrations,
    icon: 'integrations',
    group: 'setup',
    load: () => import('./integrations/screen.tsx').then(screenIn),
  },
  {
    id: 'settings',
    title: titles.settings,
    icon: 'settings',
    group: 'setup',
    load: () => import('./settings/screen.tsx').then(screenIn),
  },
  {
    id: 'team',
    title: titles.team,
    icon: 'team',
    group: 'org',
    needs: 'admin',
    load: () => import('./team/screen.tsx').then(screenIn),
  },
  {
    id: 'clients',
    title: titles.clients,
    icon: 'clients',
    group: 'org',
    load: () => import('./clients/screen.tsx').then(screenIn),
  },
  {
    id: 'branding',
    title: titles.branding,
    icon: 'branding',
    group: 'org',
    load: () => import('./branding/screen.tsx').then(screenIn),
  },
  {
    id: 'billing',
    title: titles.billing,
    icon: 'billing',
    group: 'org',
    load: () => import('./billing/screen.tsx').then(screenIn),
  },
  {
    id: 'audit',
    title: titles.audit,
    icon: 'audit',
    group: 'org',
    needs: 'admin',
    load: () => import('./audit/screen.tsx').then(screenIn),
  },
];

export function screenOf(isOrg: boolean, id: string): Screen | undefined {
  return screens.find((screen) => screen.id === id && (screen.group === 'org') === isOrg);
}
