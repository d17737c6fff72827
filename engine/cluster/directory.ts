// The port to the little that all members look up together: the plan, and who owned what when it
// was last written. It is a hint. What is stale, lost or restored there costs time; nobody owns
// anything by it.

/** Letters, digits, `-`, `_` and `.`, such as `owner.07`. */
export type DirectoryKey = string;

/** Of a value: grows with each change. 0: there is none. */
export type Revision = number;

export interface DirectoryValue {
  readonly value: Uint8Array;
  readonly revision: Revision;
}

export type DirectoryUpdate =
  | { readonly state: 'updated'; readonly revision: Revision }
  /** Someone else has changed the value. Nothing was done. */
  | { readonly state: 'refused' }
  /** No answer: it may have been done, or be done later. */
  | { readonly state: 'unknown'; readonly reason: string };

/** As one process reaches it. Never rejects for what the directory does. */
export interface Directory {
  /** All values; `undefined`: nobody answered. May be a little behind. */
  readAll(): Promise<ReadonlyMap<DirectoryKey, DirectoryValue> | undefined>;
  /** Writes a value if its revision is still this one; 0 if there must be none. */
  update(key: DirectoryKey, value: Uint8Array, revision: Revision): Promise<DirectoryUpdate>;
  /** Calls `changed` after changes: a hint that may be missing or come twice. */
  watch(changed: () => void): { close(): void };
  close(): Promise<void>;
}
