// How one node reaches the logs: calls and answers take their time, get lost, come twice or late,
// and each way can be cut without the other. What is on the wire arrives, whatever has become of
// the node that sent it.

import { fraction, type Rng } from '../../../engine/base/rng.ts';
import type { Network } from '../../../engine/log/memory-log.ts';
import { coin } from '../chance.ts';
import type { Timeline } from '../timeline.ts';
import type { ProcessTime } from './process-time.ts';

/** An answer that has not come by then is none. */
const patienceMs = 2_000;
const lateMaxMs = 6_000;

/** Of one node, over all its lives. */
export interface LogCut {
  /** Its calls do not arrive. */
  calls: boolean;
  /** Answers to it do not arrive. */
  answers: boolean;
}

interface LogLinkOptions {
  readonly timeline: Timeline;
  readonly rng: Rng;
  readonly cut: LogCut;
  readonly time: ProcessTime;
  readonly isAlive: () => boolean;
  /** Of calls and answers each, the part that is late, lost or doubled. */
  readonly trouble: () => number;
}

export function logLink(options: LogLinkOptions): Network {
  const { timeline, rng, cut, time, isAlive, trouble } = options;
  const delayMs = () =>
    coin(rng, trouble()) ? fraction(rng) * lateMaxMs : 0.2 + fraction(rng) * 3;
  return <T>(call: () => T) =>
    new Promise<T | undefined>((resolve) => {
      const answered = (answer: T | undefined) =>
        time.run(() => {
          if (isAlive()) resolve(answer);
        });
      const arrive = () => {
        if (cut.calls) return;
        const answer = call();
        if (coin(rng, trouble())) return;
        timeline.after(delayMs(), () => {
          if (!cut.answers) answered(answer);
        });
      };
      time.run(() => {
        if (!isAlive()) return;
        timeline.after(patienceMs, () => answered(undefined));
        const isLost = coin(rng, trouble());
        const times = isLost ? 0 : coin(rng, trouble()) ? 2 : 1;
        for (let i = 0; i < times; i++) timeline.after(delayMs(), arrive);
      });
    });
}
