// An import's result as JSON and text. Every line counts once: skipped, or in one subscriber.

import { type AddressNotes, notesText } from './address-notes.ts';
import type { Omission, SkipReason } from './endpoint-line.ts';
import type { DeviceOmission } from './person.ts';

export type Counts<Reason extends string> = Partial<Record<Reason, number>>;

export interface ImportSummary {
  readonly appId: string;
  /** If false, run the command again. */
  readonly complete: boolean;
  /** Not blank: `imported` plus `skipped`. */
  readonly lines: number;
  readonly imported: number;
  readonly skipped: { readonly total: number; readonly reasons: Counts<SkipReason> };
  readonly subscribers: {
    readonly created: number;
    readonly updated: number;
    readonly failed: number;
  };
  /** Each a subscriber of its own. */
  readonly withoutUserId: number;
  readonly devices: {
    readonly imported: number;
    readonly disabled: Counts<'inactive' | 'voip'>;
    readonly leftOut: Counts<DeviceOmission>;
  };
  /** Omitted values of imported lines. */
  readonly valuesLeftOut: Counts<Omission>;
  /** Imported, and perhaps wrong. */
  readonly addresses: AddressNotes;
  /** Rows sent by an earlier run. */
  readonly resumedAt: number;
  readonly retries: number;
  readonly seconds: number;
}

export function countUp<Reason extends string>(counts: Counts<Reason>, reason: Reason): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}

/** One sentence per line. */
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
  lines.push(...notesText(summary.addresses));
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
