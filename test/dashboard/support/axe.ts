// What axe finds wrong on a page, as lines to compare with none.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly html: string }[];
  }[];
}

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Violations of WCAG 2.2 A and AA, and of best practice; or of the rules named, where only the
 * colors are others than before.
 */
export async function axeFindings(
  page: Page,
  rules?: readonly string[],
  /** A part of the page, by its selector. */
  within?: string,
): Promise<readonly string[]> {
  // Through the debugger: the page's policy lets nobody add a script.
  const client = await page.context().newCDPSession(page);
  const { result } = await client.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (result.value !== 'object') await client.send('Runtime.evaluate', { expression: source });
  const options = JSON.stringify({ runOnly: rules ?? allRules, resultTypes: ['violations'] });
  const answer = await client.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(within ?? 'html')}, ${options}).then((found) => JSON.stringify(found))`,
    awaitPromise: true,
  });
  await client.detach();
  const found = JSON.parse(answer.result.value as string) as Found;
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')} ${html.slice(0, 120)}`),
  );
}
