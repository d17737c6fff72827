// The server's errors, each at the step that it is about: `steps[2].then[0].minutes` is the field
// `minutes` of that step.

import { allSteps, type Step } from './model.ts';

interface Issue {
  readonly field: string;
  readonly error: string;
}

export interface PlacedIssues {
  /** By step id. */
  readonly bySteps: ReadonlyMap<string, readonly Issue[]>;
  /** Those about no step. */
  readonly rest: readonly Issue[];
}

export function placeIssues(steps: readonly Step[], issues: readonly Issue[]): PlacedIssues {
  const found = allSteps(steps);
  const bySteps = new Map<string, Issue[]>();
  const rest: Issue[] = [];
  for (const issue of issues) {
    // The last that fits is the innermost.
    const owner = found.findLast(({ path }) => issue.field === path || startsAt(issue.field, path));
    if (owner === undefined) {
      rest.push(issue);
      continue;
    }
    const { id } = owner.step;
    const field = issue.field.slice(owner.path.length).replace(/^\./, '');
    bySteps.set(id, [...(bySteps.get(id) ?? []), { field, error: plain(issue.error) }]);
  }
  return { bySteps, rest };
}

function startsAt(field: string, path: string): boolean {
  return field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}

/** Without the place before it, which stands beside the field: `steps[0] ("hi").days: …`. */
function plain(error: string): string {
  return error.replace(/^steps(\[\d+\]|\.then|\.else)+ \("(?:[^"\\]|\\.)*"\)[^:\s]*:? /, '');
}
