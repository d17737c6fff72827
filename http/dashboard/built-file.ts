// A file as it is sent: once plain, and once in each form that a browser may accept.

export interface BuiltFile {
  readonly type: string;
  readonly plain: Uint8Array;
  /** By content coding, `br` and `gzip`; absent after a build for development. */
  readonly packed: ReadonlyMap<string, Uint8Array>;
}
