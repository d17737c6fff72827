// The result of an import, as the JSON on stdout and as sentences for a person. Every line of the
// export counts exactly once: skipped for one reason, or part of one subscriber.

import type { Omission, SkipReason } from './endpoint-line.ts';
import type { DeviceOmission } from './person.ts';

export type Counts<Reason extends string> = Partial<Record<Reason, number>>;

export interface ImportSummary {
  readonly appId: string;
  /** Whether the whole export is imported; if not, run the same command again. */
  readonly complete: boolean;
  /** Lines that are not blank: `imported` and `skipped` together. */
  readonly lines: number;
  readonly imported: number;
  readonly skipped: { readonly total: number; readonly reasons: Counts<SkipReason> };
  readonly subscribers: {
    readonly created: number;
    readonly updated: number;
    readonly failed: number;
  };
  /** Lines without a user id, each a subscriber of its own. */
  readonly withoutUserId: number;
  readonly devices: {
    readonly imported: number;
    readonly disabled: Counts<'inactive' | 'voip'>;
    readonly leftOut: Counts<DeviceOmission>;
  };
  /** Values left out of lines that were imported. */
  readonly valuesLeftOut: Counts<Omission>;
  /** Rows that an earlier run of this import has sent. */
  readonly resumedAt: number;
  readonly retries: number;
  readonly seconds: number;
}

/** Adds one to a count. */
export function countUp<Reason extends string>(counts: Counts<Reason>, reason: Reason): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}

/** The summary in sentences, one per line. */
export function summaryText(summary: ImportSummary): string[] {
  const { subscribers, skipped, devices, imported } = summary;
  const people = subscribers.created + subscribers.updated + subscribers.failed;
  const lines = [
    `${numberText(imported)} of ${numberText(summary.lines)} lines make up ${numberText(people)} subscribers${summary.complete ? '' : ' so far'}: ` +
      `${numberText(subscribers.created)} created, ${numberText(subscribers.updated)} updated, ${numberText(subscribers.failed)} failed.`,
  ];
  const list = (what: string, counts: Counts<string>) => {
    const words = countsText(counts);
    if (words !== '') lines.push(`${what}: ${words}.`);
  };
  list('Lines skipped', skipped.reasons);
  list('Devices skipped', devices.leftOut);
  list('Devices imported as disabled', devices.disabled);
  list('Values skipped', summary.valuesLeftOut);
  return lines;
}

/** 1234567 as `1,234,567`. */
export function numberText(count: number): string {
  return count.toLocaleString('en-US');
}

function countsText(counts: Counts<string>): string {
  return Object.entries(counts)
    .sort(([, a = 0], [, b = 0]) => b - a)
    .map(([reason, count = 0]) => `${numberText(count)} ${reason}`)
    .join(', ');
}
