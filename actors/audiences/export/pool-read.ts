// The pool's read of exports.

import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';

const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** A page of an export with what memory knows of it, as a pool task gets it. */
export interface ExportRead {
  readonly app: Ordinal;
  readonly format: ExportFormat;
  readonly from: PersonOrdinal;
  /** The first ordinal after this page. */
  readonly to: PersonOrdinal;
  /** Only these people of the page, ascending; without it everyone. */
  readonly members?: Uint32Array;
  /** The last activity of each of `members`, or of everyone from `from` on; 0 for never. */
  readonly lastActive: Float64Array;
  /** Whether any address of the app has opted out of anything. */
  readonly hasOptOuts: boolean;
  /** People not to be shown, even if they are on disk. */
  readonly erased: readonly PersonOrdinal[];
}

/** The text, whose bytes may be transferred, and the first ordinal not in it. */
export interface ExportText {
  readonly text: Uint8Array;
  readonly next: PersonOrdinal;
}

export const exportRead: PoolRead<ExportRead, ExportText> = {
  name: 'export',
  of: 'subscribers',
};
