// Finds a number of a body that may not be what was sent. The guard has seen one when this runs, so
// ordinary bodies are never walked.

import { inexactProblem, isInexact } from '../../../actors/limits.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { pathText } from '../answer/errors.ts';

/**
 * The refusal of the first such number. `isLeftOut` says which paths are not looked at, with all
 * that is below them.
 */
export function inexactFault(
  value: unknown,
  isLeftOut: (path: string) => boolean = () => false,
): Fault | undefined {
  const path = firstIn(value, [], isLeftOut);
  return path && fieldFault(pathText(path) || 'body', inexactProblem);
}

type Path = readonly PropertyKey[];

function firstIn(
  value: unknown,
  path: Path,
  isLeftOut: (path: string) => boolean,
): Path | undefined {
  if (isInexact(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    const inside = [...path, isList ? Number(key) : key];
    const found = isLeftOut(pathText(inside)) ? undefined : firstIn(member, inside, isLeftOut);
    if (found !== undefined) return found;
  }
  return undefined;
}
