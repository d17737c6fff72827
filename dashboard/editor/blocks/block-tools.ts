// What every list of blocks of a mail shares, also those within a column.

import type { TemplateName } from '../completion.ts';
import type { BlockIssues } from './block-issues.ts';
import type { BlockPath, blocksAt, Design } from './model.ts';

export interface BlockTools {
  readonly design: Design;
  readonly names: readonly TemplateName[];
  readonly isReadOnly: boolean;
  /** What is wrong, at the field it is in. */
  readonly issues: BlockIssues['byBlock'];
  /** The block whose fields are shown. */
  readonly openId: string | undefined;
  open(id: string | undefined): void;
  set(path: BlockPath, blocks: ReturnType<typeof blocksAt>): void;
}
