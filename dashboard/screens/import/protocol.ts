// What the page and the worker that reads a file say to each other.

export type ToWorker =
  | { readonly kind: 'read'; readonly file: File; readonly format: 'csv' | 'jsonl' }
  /** The piece was dealt with. */
  | { readonly kind: 'more' };

export type FromWorker =
  | {
      readonly kind: 'rows';
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Of the file, read so far. */
      readonly bytes: number;
    }
  | {
      readonly kind: 'objects';
      readonly objects: readonly { readonly value?: unknown; readonly problem?: string }[];
      readonly bytes: number;
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'problem'; readonly problem: string };
