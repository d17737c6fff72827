// What a call ends with where its adapter could not be opened.

/** No adapter could be loaded: nothing was sent. For the log. */
export class AdaptersUnavailable extends Error {
  override readonly name = 'AdaptersUnavailable';
  constructor(cause: unknown) {
    super(`no adapter: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
