// What the page and the worker that reads a file say to each other.

import type { CsvForm, CsvRow } from '../../../files/csv-pieces.ts';
import type { JsonLine } from '../../../files/json-lines.ts';
import type { FileSurvey, Format } from './survey-file.ts';

export type ToWorker =
  /** The first pass; `encoding` is what a person named. */
  | {
      readonly kind: 'survey';
      readonly file: File;
      readonly format: Format;
      readonly encoding: string | undefined;
    }
  | {
      readonly kind: 'read';
      readonly file: File;
      readonly format: Format;
      readonly encoding: string;
      readonly form: CsvForm | undefined;
    }
  /** The piece was dealt with. */
  | { readonly kind: 'more' };

export type FromWorker =
  /** Of the first pass, in bytes of the file. */
  | { readonly kind: 'surveying'; readonly bytes: number }
  | FileSurvey
  | {
      readonly kind: 'rows';
      readonly rows: readonly CsvRow[];
      /** Of the file, read so far. */
      readonly bytes: number;
    }
  | { readonly kind: 'objects'; readonly objects: readonly JsonLine[]; readonly bytes: number }
  | { readonly kind: 'end' };
