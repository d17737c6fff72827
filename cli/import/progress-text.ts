// An import's progress in one line. cli/progress.ts decides where and how often it shows.

import { bytesText } from '../progress.ts';
import { numberText } from './summary.ts';

export type ImportStep =
  /** `of` is absent if the length is unknown. */
  | {
      readonly step: 'reading';
      readonly bytes: number;
      readonly of?: number;
      readonly lines: number;
    }
  | {
      readonly step: 'sending';
      readonly lines: number;
      readonly of: number;
      readonly subscribers: number;
    };

const barWidth = 30;

/** With a bar if wanted and the total is known. */
export function progressText(step: ImportStep, withBar: boolean): string {
  const done = step.step === 'reading' ? step.bytes : step.lines;
  const share = step.of === undefined || step.of === 0 ? undefined : Math.min(1, done / step.of);
  const percent = share === undefined ? '' : ` ${String(Math.floor(share * 100)).padStart(3)} %`;
  const bar = withBar && share !== undefined ? ` ${barText(share)}` : '';
  const what =
    step.step === 'reading'
      ? `${numberText(step.lines)} lines, ${bytesText(step.bytes)}`
      : `${numberText(step.lines)} of ${numberText(step.of)} lines, ${numberText(step.subscribers)} subscribers`;
  return `${step.step}${bar}${percent}  ${what}`;
}

function barText(share: number): string {
  const filled = Math.floor(share * barWidth);
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
}
