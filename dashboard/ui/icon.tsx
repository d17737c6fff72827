// The signs of the dashboard: 24 × 24, drawn with lines, in the color of the text around them.

import { classNames } from './class-names.ts';
import { type IconName, iconPaths } from './icon-paths.ts';

/** A sign beside words; screen readers skip it. */
export function Icon({
  name,
  large = false,
}: {
  readonly name: IconName;
  readonly large?: boolean;
}) {
  return (
    <svg
      className={classNames('icon', large && 'large', name === 'more' && 'more')}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
