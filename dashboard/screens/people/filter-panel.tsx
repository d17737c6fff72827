// The filter above the table, with its number, and the way to keep it as a segment.

import type { Filter } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { filterInAddress, filterParam } from '../../filter/address.ts';
import { useFilterCount } from '../../filter/count.ts';
import { FilterForm } from '../../filter/editor.tsx';
import { words as filterWords } from '../../filter/words.ts';
import { appPath, withParams } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { words } from './words.ts';

export function FilterPanel({
  filter,
  onChange,
  onClose,
}: {
  readonly filter: Filter | undefined;
  readonly onChange: (filter: Filter | undefined) => void;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const counted = useFilterCount(filter);
  const toSegment = withParams(appPath(app.id, 'segments', 'new'), {
    [filterParam]: filterInAddress(filter),
  });
  return (
    <section className="people-filter" aria-label={words.filter}>
      <FilterForm
        value={filter}
        onChange={onChange}
        counted={counted}
        title={
          <p className="people-filter-count" role="status" aria-busy={counted.isCounting}>
            <strong>{counted.count === undefined ? '–' : count(counted.count)}</strong>
            {counted.total !== undefined && (
              <span className="soft">{filterWords.of(filterWords.people(counted.total))}</span>
            )}
            {counted.unfinished.length > 0 && (
              <span className="soft">{filterWords.unfinished(counted.unfinished.length)}</span>
            )}
          </p>
        }
      />
      <div className="row">
        {filter !== undefined && (
          <>
            <ButtonLink size="small" icon="segments" to={toSegment}>
              {words.saveSegment}
            </ButtonLink>
            <Button size="small" kind="quiet" onClick={() => onChange(undefined)}>
              {words.clear}
            </Button>
          </>
        )}
        <Button size="small" kind="quiet" onClick={onClose}>
          {words.hideFilter}
        </Button>
      </div>
    </section>
  );
}
