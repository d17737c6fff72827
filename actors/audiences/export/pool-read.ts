// The read of this area that the pool makes.

import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';

const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** A page of an export with everything that memory knows of it: what a pool task is given. */
export interface ExportRead {
  readonly app: Ordinal;
  readonly format: ExportFormat;
  readonly from: PersonOrdinal;
  /** The first ordinal that is no longer of this page. */
  readonly to: PersonOrdinal;
  /** Only these people of the page, ascending; everybody when it is left out. */
  readonly members?: Uint32Array;
  /** The last activity of each of `members`, or of everybody from `from` on; 0 for never. */
  readonly lastActive: Float64Array;
  /** Who must not be shown, whatever is on disk. */
  readonly erased: readonly PersonOrdinal[];
}

/** The text, whose bytes are nobody else's, and the first ordinal that is not in it. */
export interface ExportText {
  readonly text: Uint8Array;
  readonly next: PersonOrdinal;
}

/** A page of an export. */
export const exportRead: PoolRead<ExportRead, ExportText> = {
  name: 'export',
  of: 'subscribers',
};
