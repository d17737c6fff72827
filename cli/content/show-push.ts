// A push as its user sees it: the plan, the question, and each step.

import { createInterface } from 'node:readline/promises';
import { UsageError } from '../command.ts';
import { fileOf } from './files.ts';
import { planText } from './plan.ts';
import { type PushParts, plannedPush } from './push.ts';

const doneWords = { create: 'created', change: 'changed', delete: 'deleted' } as const;

/** How the command was called. */
interface PushWishes {
  readonly isDry: boolean;
  readonly isAgreed: boolean;
}

/** Returns the exit code. */
export async function showPush(parts: PushParts, { isDry, isAgreed }: PushWishes): Promise<number> {
  const { plan, make } = await plannedPush(parts);
  const { steps, conflicts } = plan;
  const { name } = parts.environment;
  process.stdout.write(`${planText(plan).join('\n')}\n`);
  if (conflicts.length > 0)
    throw new Error(
      [...conflicts, `Pull from ${name} first, or use --force. Nothing was changed.`].join('\n'),
    );
  if (isDry || (steps.length === 0 && plan.unchanged.length === 0)) return 0;
  if (steps.length > 0 && !isAgreed && !(await isWanted(`Push ${steps.length} to ${name}?`))) {
    process.stdout.write('Nothing was changed.\n');
    return 1;
  }
  await make(({ does, handle }) => process.stderr.write(`${doneWords[does]} ${fileOf(handle)}\n`));
  return 0;
}

async function isWanted(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true)
    throw new UsageError('nobody can be asked here; use --yes, or --dry-run to see the plan only.');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
