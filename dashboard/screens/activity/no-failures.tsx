// What stands in place of the failures when there are none.

import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/note.tsx';
import { words } from './words.ts';

export function NoFailures({
  isFiltered,
  onClear,
}: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  if (!isFiltered)
    return (
      <Empty icon="check" title={words.noFailures}>
        {words.noFailuresText}
      </Empty>
    );
  return (
    <Empty
      icon="filter"
      title={words.noFailuresFiltered}
      action={<Button onClick={onClear}>{words.clear}</Button>}
    />
  );
}
