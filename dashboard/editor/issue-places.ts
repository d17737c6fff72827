// Where in a text the problems are that the server told by line and column: the whole output or tag
// around the place, so that the underline can be seen.

export interface TextIssue {
  readonly level: 'error' | 'warning';
  /** From 1; absent where the whole text is meant. */
  readonly line?: number;
  readonly column?: number;
  readonly error: string;
}

interface PlacedIssue {
  readonly from: number;
  readonly to: number;
  readonly level: 'error' | 'warning';
  readonly error: string;
}

/** Places beyond the text, which has changed since, are at its end. */
export function placedIssues(text: string, issues: readonly TextIssue[]): readonly PlacedIssue[] {
  return issues.map(({ level, line, column, error }) => {
    if (line === undefined) return { from: 0, to: text.length, level, error };
    const at = Math.min(offsetOf(text, line, column ?? 1), text.length);
    return { ...around(text, at), level, error };
  });
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let nth = 1; nth < line; nth++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return start + column - 1;
}

function around(text: string, at: number): { readonly from: number; readonly to: number } {
  const from = Math.max(text.lastIndexOf('{{', at), text.lastIndexOf('{%', at));
  const end = from < 0 ? -1 : text.indexOf(text[from + 1] === '{' ? '}}' : '%}', from);
  if (from >= 0 && end + 2 > at) return { from, to: end + 2 };
  if (from >= 0 && end < 0) return { from, to: lineEnd(text, from) };
  return { from: at, to: Math.max(at, Math.min(at + 1, text.length)) };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
