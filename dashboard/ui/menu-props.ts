// What a menu is given: its button and its rows.

import type { ReactElement } from 'react';
import type { IconName } from './icon-paths.ts';

export type MenuItem =
  | {
      readonly label: string;
      readonly icon?: IconName;
      readonly hint?: string;
      /** A place in the dashboard, or what to do. */
      readonly to?: string;
      readonly onChoose?: () => void;
      readonly isDanger?: boolean;
      /** Why it cannot be chosen. */
      readonly refused?: string | undefined;
      readonly isChecked?: boolean;
    }
  | { readonly line: string }
  | { readonly heading: string };
export interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
}
