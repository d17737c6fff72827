// The words of the code editor.

import { plural } from '../words/plural.ts';

interface Placed {
  readonly line?: number;
  readonly column?: number;
  readonly error: string;
}

export const words = {
  issue: ({ line, column, error }: Placed) =>
    line === undefined ? error : `Line ${line}, column ${column ?? 1}: ${error}`,
  moreIssues: (n: number) => plural(n, { one: '{n} more problem', other: '{n} more problems' }),
} as const;
