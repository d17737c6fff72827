// A line in front of something that all orgs share and that takes long: orgs take turns, and an
// agency and its clients count as one org. Who does not get a turn in time gets a 503.

import { fault } from '../../actors/faults.ts';
import type { Tenant } from '../../actors/tenants/accounts/protocol.ts';
import { FairLine, type FairLineOptions } from '../../engine/base/fair-line.ts';
import { FaultError } from '../../engine/base/fault.ts';

export class OrgLine {
  readonly #line: FairLine;
  readonly #refusal: string;

  /** `refusal`: the sentence of the 503. */
  constructor(options: Omit<FairLineOptions, 'after'>, refusal: string) {
    this.#refusal = refusal;
    this.#line = new FairLine({
      ...options,
      after: (ms, task) => {
        const timer = setTimeout(task, ms);
        return () => clearTimeout(timer);
      },
    });
  }

  /** Runs a task in the org's turn. Throws `overloaded` if it does not come in time. */
  run<Result>({ org, agency }: Tenant, task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#line.enter({
        owner: agency ?? org,
        part: org,
        begin: (end) => void task().then(resolve, reject).finally(end),
        refuse: () =>
          reject(new FaultError(fault('overloaded', this.#refusal, { retryAfterSeconds: 5 }))),
      });
    });
  }
}
