// What the fields of a message are told: issues of the preview, errors of the last save, names.

import type { ApiError } from '../../api/errors.ts';
import type { TemplateName } from '../../editor/completion.ts';
import type { PreviewAnswer } from '../../preview/use-preview.ts';

export type Issue = PreviewAnswer['issues'][number];

export interface FieldFacts {
  readonly issues: ReadonlyMap<string, readonly Issue[]>;
  readonly error: ApiError | undefined;
  readonly names: readonly TemplateName[];
  readonly isReadOnly: boolean;
}
