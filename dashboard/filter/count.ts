// Counts a filter while it is typed: 80 ms after the last key, one call at a time, the newest
// answer wins. What is not filled in yet is left out, and its count is missing.

import { useEffect, useState } from 'react';
import type { Channel, Filter } from '../api/generated.ts';
import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { everybody } from './everybody.ts';
import { isConditionComplete } from './kinds.ts';
import { completed } from './model.ts';

const waitMs = 80;

export interface PartCount {
  /** People who match this part alone. */
  readonly count: number;
  /** In a group of `all`: who match this member and those before it. */
  readonly left: number | null;
}

/** What is wrong with the filter: `filter.all[0].withinDays`, and the server's words. */
export interface FilterIssue {
  readonly field: string;
  readonly error: string;
}

export interface FilterCount {
  /** What was counted: the filter at rest, without what is not filled in. */
  readonly counted: Filter | undefined;
  readonly count: number | undefined;
  /** People in the app. */
  readonly total: number | undefined;
  readonly tookMs: number | undefined;
  readonly reach: readonly { readonly channel: Channel; readonly reachable: number }[] | undefined;
  readonly parts: ReadonlyMap<string, PartCount>;
  readonly issues: readonly FilterIssue[];
  /** Another failure, such as no connection. */
  readonly problem: string | undefined;
  /** Conditions that are not filled in. */
  readonly unfinished: readonly string[];
  readonly isCounting: boolean;
}

export function useFilterCount(filter: Filter | undefined): FilterCount {
  const app = useApp();
  const settled = useSettled(filter);
  const whole = settled === undefined ? undefined : completed(settled, isConditionComplete);
  const asked = whole?.filter ?? everybody;
  const { data, error, isFetching, isPlaceholderData } = useRead(
    'previewSegment',
    { path: { appId: app.id }, body: { filter: asked, parts: true, reach: true } },
    { keepPrevious: true },
  );
  const isOld = settled !== filter || isPlaceholderData;
  const paths = whole?.wholePathOf;
  const parts = new Map<string, PartCount>();
  if (!isOld && whole?.filter !== undefined)
    for (const { path, count, left } of data?.parts ?? [])
      parts.set(paths?.get(path) ?? path, { count, left });
  return {
    counted: whole?.filter,
    count: error === undefined ? data?.count : undefined,
    total: data?.total,
    tookMs: data?.tookMs,
    reach: data?.reach,
    parts,
    issues: (error?.issues ?? []).map((issue) => ({
      field: wholeField(issue.field, paths),
      error: issue.error.replace(`${issue.field}: `, ''),
    })),
    problem: error === undefined || error.issues.length > 0 ? undefined : error.message,
    // Of the filter as it is now, not as last counted: people save right after the last value.
    unfinished: filter === undefined ? [] : completed(filter, isConditionComplete).left,
    isCounting: isFetching || isOld,
  };
}

/** `filter.all[0].tag` of what was asked, as a field of the whole filter. */
function wholeField(field: string, paths: ReadonlyMap<string, string> | undefined): string {
  const place = [...(paths ?? [])]
    .filter(([path]) => field === path || field.startsWith(`${path}.`))
    .sort(([one], [other]) => other.length - one.length)[0];
  return place === undefined ? field : place[1] + field.slice(place[0].length);
}

/** The value once it has rested. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
