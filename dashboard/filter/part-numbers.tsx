// How many people a part of a filter matches, and how many are left after it.

import type { PartCount } from './count.ts';
import { words } from './words.ts';

export function PartNumbers({ part }: { readonly part: PartCount }) {
  const { count, left } = part;
  return (
    <span className="filter-part" title={words.partTitle}>
      <span>{words.alone(number.format(count))}</span>
      {left !== null && <strong>{words.left(number.format(left))}</strong>}
    </span>
  );
}

const number = new Intl.NumberFormat('en');
