// What the palette finds: screens and acts at once, then people and things by name from the API.

import { useEffect, useState } from 'react';
import { useRead } from '../api/queries.ts';
import { useSession } from '../api/session-context.tsx';
import { bestAddress, personId, personName } from '../person/person-ref.ts';
import { screens } from '../screens/list.ts';
import { appPath } from '../ui/address.ts';
import type { IconName } from '../ui/icon-paths.ts';
import { words } from '../words/en.ts';
import { placeOfId, screenOfId } from './place-of-id.ts';
import { useOpenApp } from './use-open-app.ts';

export interface FoundPlace {
  readonly key: string;
  readonly label: string;
  /** At the end of the row: an address, or what kind of thing it is. */
  readonly hint: string;
  readonly icon: IconName;
  readonly to: string;
}

const peopleShown = 6;
const thingsShown = 4;
const waitMs = 100;
const text = words.palette;

export function useFound(typed: string): {
  readonly found: readonly FoundPlace[];
  /** The API has not answered yet: "nothing" would be too early. */
  readonly isSearching: boolean;
} {
  const app = useOpenApp();
  const here = useHere(typed);
  const wanted = useSettled(typed);
  const direct = app === undefined ? undefined : placeOfId(app.id, typed);
  const isSearch = typed.length >= 2 && app !== undefined && direct === undefined;
  const people = usePeople(wanted, isSearch);
  const things = useThings(wanted, isSearch);
  if (direct !== undefined) {
    const screen = screens.find(({ id }) => id === screenOfId(typed));
    const icon = screen?.icon ?? 'right';
    const hint = `${text.open} · ${screen?.title ?? ''}`;
    return { found: [{ key: 'id', hint, label: typed, icon, to: direct }], isSearching: false };
  }
  if (!isSearch) return { found: here, isSearching: false };
  const isOld = wanted !== typed;
  return {
    // In this order nothing above the chosen row moves when answers come.
    found: [...here, ...people.found, ...things.found],
    isSearching: isOld || people.isSearching || things.isSearching,
  };
}

/** What needs no call: screens, acts, other apps. */
function useHere(typed: string): readonly FoundPlace[] {
  const app = useOpenApp();
  const { session } = useSession();
  const lower = typed.toLowerCase();
  const has = (label: string) => label.toLowerCase().includes(lower);
  const byScreen = screens
    .filter(
      ({ title, isHidden, needs, group }) =>
        isHidden !== true &&
        has(title) &&
        (needs === undefined || session.scopes.includes(needs)) &&
        (group === 'org' || app !== undefined),
    )
    .map(
      ({ id, title, icon, group }): FoundPlace => ({
        key: `screen-${group}-${id}`,
        hint: text.go,
        label: title,
        icon,
        to: appPath(group === 'org' ? 'org' : (app?.id ?? ''), id),
      }),
    );
  if (app === undefined) return byScreen;
  const acts = session.scopes.includes('write') ? text.acts : [];
  const byAct = acts
    .filter(({ label }) => has(label))
    .map(
      ({ label, icon, screen, rest }): FoundPlace => ({
        key: `act-${screen}`,
        hint: text.act,
        label,
        icon,
        to: appPath(app.id, screen, rest),
      }),
    );
  const others = session.apps.filter(({ id, name }) => id !== app.id && has(name));
  const byApp = others.slice(0, typed === '' ? 0 : thingsShown).map(
    ({ id, name }): FoundPlace => ({
      key: `app-${id}`,
      hint: text.app,
      label: name,
      icon: 'right',
      to: appPath(id, 'home'),
    }),
  );
  return [...byScreen, ...byAct, ...byApp];
}

function usePeople(wanted: string, enabled: boolean) {
  const app = useOpenApp();
  const appId = app?.id ?? '';
  const read = useRead(
    'searchSubscribers',
    { path: { appId }, body: { q: wanted, limit: peopleShown, tags: [] } },
    { enabled: enabled && wanted.length >= 2 },
  );
  const found = (read.data?.items ?? []).map(
    (one): FoundPlace => ({
      key: one.id,
      hint: one.displayName === null ? (bestAddress(one) ?? text.person) : personId(one),
      label: personName(one),
      icon: 'person',
      to: appPath(appId, 'people', one.id),
    }),
  );
  return { found, isSearching: read.isLoading };
}

/** Campaigns, journeys, segments and messages by name. */
function useThings(wanted: string, enabled: boolean) {
  const app = useOpenApp();
  const appId = app?.id ?? '';
  const args = {
    path: { appId },
    query: { q: wanted, limit: thingsShown, order: 'newest' as const },
  };
  const options = { enabled: enabled && wanted.length >= 2 };
  const kinds = [
    { screen: 'campaigns', read: useRead('listCampaigns', args, options) },
    { screen: 'journeys', read: useRead('listJourneys', args, options) },
    { screen: 'segments', read: useRead('listSegments', args, options) },
    { screen: 'messages', read: useRead('listMessages', args, options) },
  ] as const;
  const found = kinds.flatMap(({ screen, read }) =>
    (read.data?.items ?? []).map(
      ({ id, name }): FoundPlace => ({
        key: id,
        hint: text.things[screen],
        label: name ?? id,
        icon: screen,
        to: appPath(appId, screen, id),
      }),
    ),
  );
  return { found, isSearching: kinds.some(({ read }) => read.isLoading) };
}

/** The text once no key was pressed for a moment. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), waitMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
