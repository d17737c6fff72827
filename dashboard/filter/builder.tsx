// The filter builder: conditions in groups to three levels, each with what it alone matches and how
// many are left after it. It only edits; `FilterEditor` also counts and shows the JSON.

import { useEffect, useRef, useState } from 'react';
import type { Filter } from '../api/generated.ts';
import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { Button } from '../ui/button.tsx';
import type { FilterIssue, PartCount } from './count.ts';
import { GroupBox } from './group.tsx';
import type { GroupTools } from './group-tools.ts';
import { blankCondition } from './kinds.ts';
import { addAt, conditionCount, conditionsMax, type Place, pathOf, replaceAt } from './model.ts';
import { words } from './words.ts';

interface FilterBuilderProps {
  /** `undefined` for everybody. */
  readonly value: Filter | undefined;
  readonly onChange: (value: Filter | undefined) => void;
  /** The server's, with fields that begin with `filter`. */
  readonly errors?: readonly FilterIssue[];
  readonly counts?: ReadonlyMap<string, PartCount>;
}

export function FilterBuilder({ value, onChange, errors = [], counts }: FilterBuilderProps) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const box = useRef<HTMLFieldSetElement>(null);
  const [focusPath, setFocusPath] = useState<string>();
  useEffect(() => {
    if (focusPath === undefined) return;
    const row = box.current?.querySelector(`[data-path="${CSS.escape(focusPath)}"]`);
    const target = row?.querySelector<HTMLElement>('.filter-name input, .filter-number input');
    (target ?? box.current?.querySelector<HTMLElement>('[data-add]'))?.focus();
    setFocusPath(undefined);
  }, [focusPath]);

  const add = (place: Place, member: Filter) => {
    const next = addAt(value, place, member);
    onChange(next);
    setFocusPath(lastPath(next, place));
  };
  const tools: GroupTools = {
    fields: fields.data,
    errors,
    counts,
    isFull: conditionCount(value) >= conditionsMax,
    change: (place, next) => {
      if (value !== undefined) onChange(replaceAt(value, place, next));
    },
    remove: (place) => {
      if (value !== undefined) onChange(replaceAt(value, place, undefined));
      setFocusPath('');
    },
    add,
  };
  return (
    <fieldset className="filter" ref={box}>
      <legend className="sr-only">{words.label}</legend>
      {value === undefined ? (
        <div className="filter-none">
          <span className="soft">{words.everybodyText}</span>
          <span data-add="" tabIndex={-1} />
          <Button size="small" icon="plus" onClick={() => add([], blankCondition())}>
            {words.add}
          </Button>
        </div>
      ) : (
        <GroupBox filter={value} root={value} place={[]} level={1} tools={tools} />
      )}
    </fieldset>
  );
}

/** Of the first condition of what was added at the end of a group. */
function lastPath(filter: Filter, place: Place): string {
  let path = [...place];
  const at = place.reduce<Filter | undefined>(
    (one, index) => (one === undefined ? one : membersIn(one)[index]),
    filter,
  );
  path = [...path, at === undefined ? 0 : membersIn(at).length - 1];
  const added = at === undefined ? undefined : membersIn(at).at(-1);
  if (added !== undefined && membersIn(added).length > 0) path.push(0);
  return pathOf(filter, path);
}

function membersIn(filter: Filter): readonly Filter[] {
  return 'all' in filter ? filter.all : 'any' in filter ? filter.any : [];
}
