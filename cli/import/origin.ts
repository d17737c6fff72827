// What a service is that people move from: how its export names things, and how one record of it
// becomes a person, opt-outs and choices of topics. One file each below services/.

import type { Draft } from './draft.ts';

/** A record of an export: a row of a CSV, or an object of JSON. */
export interface ServiceRecord {
  /** Counted from the file's first; the header of a CSV is line 1. */
  readonly line: number;
  readonly file: ServiceFile;
  /** Names as the file has them. */
  readonly names: readonly string[];
  /** By the name in lower case; blanks around are cut off, and `''` is none. */
  text(name: string): string;
  /** A value of JSON; that of a CSV is its text. */
  value(name: string): unknown;
}

/** A file as a whole. */
export interface ServiceFile {
  readonly name: string;
  readonly format: 'csv' | 'json';
  /** Columns of a CSV, in lower case. */
  readonly columns: ReadonlySet<string>;
  /** `--suppressed`: the file lists addresses that must not be sent to. */
  readonly isSuppressed: boolean;
  /** `--assume-subscribed`: without a status, people are subscribed. */
  readonly mayAssume: boolean;
}

/**
 * What a column is: read by `judge`, without a meaning here, the time zone, the language, or the
 * tag of that name. A column that the table lacks becomes a tag of its own name.
 */
type Meaning = 'judged' | 'leftOut' | 'timezone' | 'language' | { readonly tag: string };

export interface Service {
  readonly id: 'onesignal' | 'braze' | 'customerio' | 'klaviyo' | 'mailchimp' | 'listmonk';
  readonly title: string;
  /** What to export, for `--help`. */
  readonly exports: string;
  /** By the name of the column in lower case. */
  readonly columns: Readonly<Record<string, Meaning>>;
  /** Columns whose value is JSON or a list that becomes tags one by one. */
  readonly tagObjects?: readonly string[];
  /** Why the file cannot be imported as it is: most often a status that was not exported. */
  refuses(file: ServiceFile): string | undefined;
  /**
   * Reads identity, addresses, standing and topics. Throws `WrongRecord` (wrong-record.ts), and
   * `attempt`s what other parts of the record do not depend on: opt-outs of a wrong record count.
   */
  judge(record: ServiceRecord, draft: Draft): void;
}
