// The list of screens: a new screen is an entry here, a line in `load.ts` and a folder beside them.

import type { Scope } from '../api/session-context.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import { words } from '../words/en.ts';

export type Group = 'overview' | 'audience' | 'outreach' | 'insight' | 'setup' | 'org';

interface ScreenEntry {
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
}

const titles = words.screens;

const list = [
  {
    id: 'home',
    title: titles.home,
    icon: 'home',
    group: 'overview',
    letter: 'h',
  },
  {
    id: 'people',
    title: titles.people,
    icon: 'people',
    group: 'audience',
    letter: 'p',
  },
  {
    id: 'import',
    title: titles.import,
    icon: 'upload',
    group: 'audience',
    needs: 'write',
    isHidden: true,
  },
  {
    id: 'segments',
    title: titles.segments,
    icon: 'segments',
    group: 'audience',
    letter: 's',
  },
  {
    id: 'suppressions',
    title: titles.suppressions,
    icon: 'suppressions',
    group: 'audience',
  },
  {
    id: 'topics',
    title: titles.topics,
    icon: 'topics',
    group: 'audience',
  },
  {
    id: 'forms',
    title: titles.forms,
    icon: 'forms',
    group: 'audience',
  },
  {
    id: 'campaigns',
    title: titles.campaigns,
    icon: 'campaigns',
    group: 'outreach',
    letter: 'c',
  },
  {
    id: 'compare',
    title: titles.compare,
    icon: 'campaigns',
    group: 'outreach',
    isHidden: true,
  },
  {
    id: 'journeys',
    title: titles.journeys,
    icon: 'journeys',
    group: 'outreach',
    letter: 'j',
  },
  {
    id: 'messages',
    title: titles.messages,
    icon: 'messages',
    group: 'outreach',
    letter: 'm',
  },
  {
    id: 'inapp',
    title: titles.inapp,
    icon: 'inapp',
    group: 'outreach',
  },
  {
    id: 'flags',
    title: titles.flags,
    icon: 'flags',
    group: 'outreach',
  },
  {
    id: 'live-activities',
    title: titles.liveActivities,
    icon: 'live',
    group: 'outreach',
  },
  {
    id: 'activity',
    title: titles.activity,
    icon: 'activity',
    group: 'insight',
    letter: 'a',
  },
  {
    id: 'events',
    title: titles.events,
    icon: 'events',
    group: 'insight',
    letter: 'e',
  },
  {
    id: 'insights',
    title: titles.insights,
    icon: 'insights',
    group: 'insight',
    letter: 'i',
  },
  {
    id: 'channels',
    title: titles.channels,
    icon: 'channels',
    group: 'setup',
  },
  {
    id: 'integrations',
    title: titles.integrations,
    icon: 'integrations',
    group: 'setup',
  },
  {
    id: 'settings',
    title: titles.settings,
    icon: 'settings',
    group: 'setup',
  },
  {
    id: 'team',
    title: titles.team,
    icon: 'team',
    group: 'org',
    needs: 'admin',
  },
  {
    id: 'clients',
    title: titles.clients,
    icon: 'clients',
    group: 'org',
  },
  {
    id: 'relays',
    title: titles.relays,
    icon: 'split',
    group: 'org',
  },
  {
    id: 'branding',
    title: titles.branding,
    icon: 'branding',
    group: 'org',
  },
  {
    id: 'billing',
    title: titles.billing,
    icon: 'billing',
    group: 'org',
  },
  {
    id: 'audit',
    title: titles.audit,
    icon: 'audit',
    group: 'org',
    needs: 'admin',
  },
] as const satisfies readonly ScreenEntry[];

export type ScreenId = (typeof list)[number]['id'];

export interface Screen extends ScreenEntry {
  readonly id: ScreenId;
}

export const screens: readonly Screen[] = list;

export function screenOf(isOrg: boolean, id: string): Screen | undefined {
  return screens.find((screen) => screen.id === id && (screen.group === 'org') === isOrg);
}
