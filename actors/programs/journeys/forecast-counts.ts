// Counts of a forecast by step and by UTC day.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { Program } from './program.ts';
import type { ForecastReply } from './protocol.ts';
import type { ReplayedStep } from './replay.ts';

interface Days {
  readonly entered: Float64Array;
  readonly sent: Float64Array;
}

export class ForecastCounts {
  readonly #program: Program;
  readonly #firstDay: number;
  readonly #days: number;
  readonly #bySteps = new Map<string, Days>();

  constructor(program: Program, fromMs: Millis, untilMs: Millis) {
    this.#program = program;
    this.#firstDay = Math.floor(fromMs / dayMs);
    this.#days = Math.floor(untilMs / dayMs) - this.#firstDay + 1;
    for (const operation of program.operations)
      if (operation.kind !== 'end')
        this.#bySteps.set(operation.step, {
          entered: new Float64Array(this.#days),
          sent: new Float64Array(this.#days),
        });
  }

  add({ kind, operation, atMs }: ReplayedStep): void {
    const at = this.#program.operations[operation];
    if (at === undefined || at.kind === 'end') return;
    const counts = this.#bySteps.get(at.step)?.[kind];
    const day = Math.floor(atMs / dayMs) - this.#firstDay;
    if (counts !== undefined) counts[day] = (counts[day] ?? 0) + 1;
  }

  told(): Pick<ForecastReply, 'sends' | 'bySteps'> {
    const byDay = new Float64Array(this.#days);
    for (const { sent } of this.#bySteps.values())
      sent.forEach((n, day) => {
        byDay[day] = (byDay[day] as number) + n;
      });
    return {
      sends: {
        total: sum(byDay),
        byDay: Array.from(byDay, (sends, nth) => ({ day: dayText(this.#firstDay + nth), sends })),
      },
      bySteps: Object.fromEntries(
        Array.from(this.#bySteps, ([step, { entered, sent }]) => [
          step,
          {
            entered: sum(entered),
            sent: sum(sent),
            enteredByDay: [...entered],
            sentByDay: [...sent],
          },
        ]),
      ),
    };
  }
}

function sum(days: Float64Array): number {
  return days.reduce((total, n) => total + n, 0);
}

function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
