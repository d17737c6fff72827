// Tabs whose chosen one stands in the address, so that a link leads to it.

import type { ReactNode } from 'react';
import { useQueryParam } from './address.ts';

export interface TabOf<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: string;
}

/** The chosen tab; the first if the address names none. */
export function useTab<Id extends string>(tabs: readonly TabOf<Id>[], name = 'tab'): Id {
  const [value] = useQueryParam(name);
  return (tabs.find(({ id }) => id === value) ?? (tabs[0] as TabOf<Id>)).id;
}

export function Tabs<Id extends string>({
  label,
  tabs,
  name = 'tab',
}: {
  readonly label: string;
  readonly tabs: readonly TabOf<Id>[];
  /** Of the address's parameter. */
  readonly name?: string;
}) {
  const chosen = useTab(tabs, name);
  const [, set] = useQueryParam(name);
  const move = (by: number) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    set(next.id);
    document.getElementById(`${name}-${next.id}`)?.focus();
  };
  return (
    <div
      className="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') move(1);
        if (key === 'ArrowLeft') move(-1);
      }}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={`${name}-${tab.id}`}
          type="button"
          role="tab"
          className="tab"
          aria-selected={tab.id === chosen}
          aria-controls={`${name}-panel`}
          tabIndex={tab.id === chosen ? 0 : -1}
          onClick={() => set(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && <span className="count">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}

export function TabPanel({
  id,
  name = 'tab',
  isFilling = false,
  children,
}: {
  readonly id: string;
  readonly name?: string;
  /** Its table takes the rest of the screen. */
  readonly isFilling?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div
      id={`${name}-panel`}
      role="tabpanel"
      aria-labelledby={`${name}-${id}`}
      className={isFilling ? 'screen-rest' : 'stack'}
    >
      {children}
    </div>
  );
}
