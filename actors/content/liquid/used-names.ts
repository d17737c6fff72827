// The names that a template reads of its call and its person, found without rendering it.

import { analyzeSync } from 'liquidjs';
import { isBuiltIn, preferencesName } from './context.ts';
import type { LiquidNodes } from './liquid-engine.ts';

/** `first_name`, `subscriber.externalUserId`; not those that it assigns or loops over. */
export function usedNames(nodes: LiquidNodes): ReadonlySet<string> {
  const names = new Set<string>();
  const { globals } = analyzeSync([...nodes], { partials: false });
  for (const [root, variables] of Object.entries(globals)) {
    if (root === preferencesName) continue;
    if (!isBuiltIn(root)) names.add(root);
    else for (const { segments } of variables) names.add(pathOf(segments));
  }
  return names;
}

/** Up to the first part that a value decides. */
function pathOf(segments: readonly unknown[]): string {
  const end = segments.findIndex((segment) => typeof segment !== 'string');
  return (end < 0 ? segments : segments.slice(0, end)).join('.');
}
