// A group of conditions: all of them or any of them, with an indent for each level.

import type { Filter } from '../api/generated.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Segmented } from '../ui/choices.tsx';
import type { PartCount } from './count.ts';
import type { GroupTools } from './group-tools.ts';
import { blankCondition } from './kinds.ts';
import {
  groupOf,
  isGroup,
  type Join,
  joinOf,
  levelsMax,
  membersOf,
  type Place,
  pathOf,
} from './model.ts';
import { PartNumbers } from './part-numbers.tsx';
import { ConditionRow } from './row.tsx';
import { words } from './words.ts';

interface GroupProps {
  readonly filter: Filter;
  readonly root: Filter;
  readonly place: Place;
  readonly level: number;
  readonly tools: GroupTools;
}

const joins = [
  { value: 'all', label: words.all },
  { value: 'any', label: words.any },
] as const;

export function GroupBox({ filter, root, place, level, tools }: GroupProps) {
  // A filter of one condition is drawn like a group of one.
  const members = isGroup(filter) ? membersOf(filter) : [filter];
  const join = isGroup(filter) ? joinOf(filter) : 'all';
  const own = pathOf(root, place);
  const ownError = tools.errors.find(({ field }) => field === own || field === `${own}.${join}`);
  return (
    <div className="filter-group" data-level={level} role="group" aria-label={words.group(own)}>
      {(members.length > 1 || level > 1) && (
        <div className="filter-join">
          <Segmented<Join>
            label={words.join}
            choices={joins}
            value={join}
            onChange={(next) => tools.change(place, groupOf(next, members))}
          />
          {level > 1 && <GroupCount part={tools.counts?.get(own)} />}
          {level > 1 && (
            <IconButton
              label={words.removeGroup}
              icon="close"
              size="small"
              onClick={() => tools.remove(place)}
            />
          )}
        </div>
      )}
      <div className="filter-members">
        {members.map((member, index) => {
          const at = isGroup(filter) ? [...place, index] : place;
          const path = pathOf(root, at);
          if (isGroup(member))
            return (
              <GroupBox
                key={path}
                filter={member}
                root={root}
                place={at}
                level={level + 1}
                tools={tools}
              />
            );
          return (
            <ConditionRow key={path} condition={member} path={path} place={at} tools={tools} />
          );
        })}
      </div>
      {isGroup(filter) && ownError !== undefined && (
        <p className="field-error" role="alert">
          {ownError.error}
        </p>
      )}
      <AddButtons place={place} level={level} join={join} tools={tools} />
    </div>
  );
}

function AddButtons({
  place,
  level,
  join,
  tools,
}: Pick<GroupProps, 'place' | 'level' | 'tools'> & { readonly join: Join }) {
  return (
    <div className="filter-adds">
      <span data-add="" tabIndex={-1} />
      <Button
        size="small"
        kind="quiet"
        icon="plus"
        refused={tools.isFull ? words.full : undefined}
        onClick={() => tools.add(place, blankCondition())}
      >
        {level > 1 ? words.addTo : words.add}
      </Button>
      {level < levelsMax && (
        <Button
          size="small"
          kind="quiet"
          icon="segments"
          refused={tools.isFull ? words.full : undefined}
          onClick={() =>
            tools.add(place, groupOf(join === 'all' ? 'any' : 'all', [blankCondition()]))
          }
        >
          {words.addGroup}
        </Button>
      )}
    </div>
  );
}

function GroupCount({ part }: { readonly part: PartCount | undefined }) {
  if (part === undefined) return null;
  return <PartNumbers part={part} />;
}
