// The builder with everything around it: the exact number while one types, who of them can be
// reached, and the same filter as JSON.

import { type ReactNode, useState } from 'react';
import type { Filter } from '../api/generated.ts';
import { Segmented } from '../ui/choices.tsx';
import { count as shownCount } from '../ui/figure.tsx';
import { Note } from '../ui/note.tsx';
import { channelName } from '../words/channels.ts';
import { FilterBuilder } from './builder.tsx';
import { type FilterCount, type FilterIssue, useFilterCount } from './count.ts';
import { FilterJson } from './json.tsx';
import { words } from './words.ts';

interface FilterEditorProps {
  /** `undefined` for everybody. */
  readonly value: Filter | undefined;
  readonly onChange: (value: Filter | undefined) => void;
  /** Of a refused save, beside those that counting finds; only fields of the filter count. */
  readonly errors?: readonly FilterIssue[];
  /** A heading, at the left of the switch between form and JSON. */
  readonly title?: ReactNode;
  /** Whether channels matter to who is chosen here; they do unless told otherwise. */
  readonly hasReach?: boolean;
}

/** Counts by itself. A screen that needs the count too uses `useFilterCount` and the parts. */
export function FilterEditor(props: FilterEditorProps) {
  const counted = useFilterCount(props.value);
  return (
    <div className="filter-editor">
      <FilterForm {...props} counted={counted} />
      <AudienceCount counted={counted} hasReach={props.hasReach ?? true} />
    </div>
  );
}

export function FilterForm({
  value,
  onChange,
  errors = [],
  title,
  counted,
}: FilterEditorProps & { readonly counted: FilterCount }) {
  const [view, setView] = useState<'form' | 'json'>('form');
  const refused = errors.filter(({ field }) => field.startsWith('filter'));
  const issues = counted.issues.length > 0 ? counted.issues : refused;
  return (
    <div className="filter-editor">
      <div className="filter-view">
        <div className="grow">{title}</div>
        <Segmented
          label={words.view}
          choices={[
            { value: 'form', label: words.form },
            { value: 'json', label: words.json },
          ]}
          value={view}
          onChange={setView}
        />
      </div>
      {view === 'form' ? (
        <FilterBuilder value={value} onChange={onChange} errors={issues} counts={counted.parts} />
      ) : (
        <FilterJson value={value} onChange={onChange} errors={issues} />
      )}
      {counted.problem !== undefined && <Note tone="bad">{counted.problem}</Note>}
    </div>
  );
}

/** How many match, of how many, and on which channels they can be reached. */
export function AudienceCount({
  counted,
  hasReach = true,
}: {
  readonly counted: FilterCount;
  readonly hasReach?: boolean;
}) {
  const { count, total, tookMs, reach, unfinished, isCounting } = counted;
  const reached = (reach ?? []).filter(({ reachable }) => reachable > 0);
  return (
    <div className="audience-count" aria-busy={isCounting}>
      <p className="audience-number" role="status">
        <strong>{count === undefined ? '–' : shownCount(count)}</strong>
        {total !== undefined && <span className="soft">{words.of(words.people(total))}</span>}
      </p>
      {unfinished.length > 0 ? (
        <p className="soft">{words.unfinished(unfinished.length)}</p>
      ) : (
        <p className="soft">{tookMs === undefined ? '\u00a0' : words.took(tookMs)}</p>
      )}
      {hasReach && count !== undefined && count > 0 && (
        <>
          <h3>{words.reach}</h3>
          {reached.length === 0 && <p className="soft">{words.nobody}</p>}
          <ul className="audience-reach">
            {reached.map(({ channel, reachable }) => (
              <li key={channel}>
                <span className="grow">{channelName(channel)}</span>
                <span className="number">{shownCount(reachable)}</span>
                <progress
                  className="bar"
                  aria-label={channelName(channel)}
                  value={reachable}
                  max={Math.max(count, reachable, 1)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
