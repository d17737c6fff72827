// The result of an import from another service, as JSON and as text.

import { type AddressNotes, notesText } from './address-notes.ts';
import type { LeftOut } from './draft.ts';
import { numberText } from './summary.ts';

export interface WrongLine {
  readonly file: string;
  readonly line: number;
  /** Begins with the column or member. */
  readonly error: string;
}

export interface ServiceSummary {
  readonly service: string;
  readonly appId: string;
  /** Nothing was changed; the rest says what would be. */
  readonly dryRun: boolean;
  /** If false, run the command again. */
  readonly complete: boolean;
  /** Records of all files. */
  readonly lines: number;
  /** Of these, not imported. */
  readonly wrongLines: number;
  readonly optOuts: {
    readonly total: number;
    readonly added: number;
    /** Suppressed before. */
    readonly known: number;
    readonly failed: number;
    /** By channel and reason. */
    readonly reasons: Readonly<Record<string, number>>;
  };
  readonly subscribers: {
    readonly created: number;
    readonly updated: number;
    readonly failed: number;
  };
  /** Of people who were imported without them. */
  readonly devicesRefused: number;
  /** Imported, and perhaps wrong. */
  readonly addresses: AddressNotes;
  readonly topics: {
    /** Names in the export. */
    readonly found: readonly string[];
    /** Keys here by these names. */
    readonly imported: Readonly<Record<string, string>>;
    /** Keys that this run made. */
    readonly created: readonly string[];
    /** Choices that were not taken, because the person has left the topic. */
    readonly keptOut: number;
  };
  readonly valuesLeftOut: Readonly<Partial<Record<LeftOut, number>>>;
  /** Records that have a value in a column that is not imported. */
  readonly columnsLeftOut: Readonly<Record<string, number>>;
  /** The first of them; `--errors` has all. */
  readonly errors: readonly WrongLine[];
  readonly resumedAt: { readonly optOuts: number; readonly rows: number };
  readonly retries: number;
  readonly seconds: number;
}

/** One sentence per line. */
export function serviceSummaryText(summary: ServiceSummary): string[] {
  const { optOuts, subscribers, topics, errors, wrongLines } = summary;
  const soFar = summary.complete ? '' : ' so far';
  const would = summary.dryRun ? 'Dry run, nothing was changed. ' : '';
  const lines = [
    `${would}Opt-outs${soFar}: ${numberText(optOuts.added)} added, ${numberText(optOuts.known)} known, ${numberText(optOuts.failed)} failed.`,
    `Subscribers${soFar}: ${numberText(subscribers.created)} created, ${numberText(subscribers.updated)} updated, ${numberText(subscribers.failed)} failed.`,
  ];
  const list = (what: string, counts: Readonly<Record<string, number>>) => {
    const words = Object.entries(counts).map(([name, count]) => `${numberText(count)} ${name}`);
    if (words.length > 0) lines.push(`${what}: ${words.join(', ')}.`);
  };
  list('Opt-outs by reason', optOuts.reasons);
  list('Values left out', summary.valuesLeftOut as Readonly<Record<string, number>>);
  list('Columns left out', summary.columnsLeftOut);
  const ignored = topics.found.filter((name) => !Object.hasOwn(topics.imported, name));
  if (ignored.length > 0) lines.push(`Topics left out: ${ignored.join(', ')}.`);
  if (topics.keptOut > 0)
    lines.push(`Topics that people have left, and stay out of: ${numberText(topics.keptOut)}.`);
  if (summary.devicesRefused > 0)
    lines.push(`Devices refused: ${numberText(summary.devicesRefused)}.`);
  lines.push(...notesText(summary.addresses));
  if (wrongLines > 0) lines.push(`Lines not imported: ${numberText(wrongLines)}.`);
  for (const { file, line, error } of errors) lines.push(`${file}, line ${line}: ${error}`);
  return lines;
}

/** Whether each line, opt-out and person was imported. */
export function isClean({ wrongLines, optOuts, subscribers, complete }: ServiceSummary): boolean {
  return complete && wrongLines === 0 && optOuts.failed === 0 && subscribers.failed === 0;
}
