// An in-app message as its editor holds it.

import type { Filter } from '../../api/generated.ts';
import type { DisplayDraft } from './display-draft.ts';

export interface InAppDraft {
  readonly messageId: string;
  readonly show: 'popup' | 'inbox' | 'both';
  readonly filter: Filter | undefined;
  /** As in the controls, in the browser's zone. */
  readonly start: string;
  readonly end: string;
  readonly display: DisplayDraft;
  readonly priority: number | undefined;
}
