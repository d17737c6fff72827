// One byte per ordinal, default zero, in pages of 4,096 that the first write allocates.

const pageBits = 12;
const pageBytes = 1 << pageBits;
const inPage = pageBytes - 1;

/** Page numbers with bytes, ascending. */
export type PagedBytesSnapshot = readonly (readonly [page: number, bytes: Uint8Array])[];

export class PagedBytes {
  readonly #pages: (Uint8Array | undefined)[] = [];

  get byteLength(): number {
    let bytes = 0;
    for (const page of this.#pages) bytes += page?.byteLength ?? 0;
    return bytes;
  }

  get(ordinal: number): number {
    return this.#pages[ordinal >>> pageBits]?.[ordinal & inPage] ?? 0;
  }

  set(ordinal: number, value: number): void {
    const at = ordinal >>> pageBits;
    let page = this.#pages[at];
    if (page === undefined) {
      if (value === 0) return;
      page = new Uint8Array(pageBytes);
      while (this.#pages.length < at) this.#pages.push(undefined);
      this.#pages[at] = page;
    }
    page[ordinal & inPage] = value;
  }

  /** Visits every nonzero ordinal, ascending. */
  forEach(visit: (ordinal: number, value: number) => void): void {
    this.#pages.forEach((page, at) => {
      if (page === undefined) return;
      for (let i = 0; i < pageBytes; i++) {
        const value = page[i] as number;
        if (value !== 0) visit((at << pageBits) | i, value);
      }
    });
  }

  /** The least nonzero ordinal at or above `ordinal`, or -1. For walking in slices. */
  nextFrom(ordinal: number): number {
    for (let at = ordinal >>> pageBits; at < this.#pages.length; at++) {
      const page = this.#pages[at];
      if (page === undefined) continue;
      const start = at << pageBits;
      for (let i = Math.max(0, ordinal - start); i < pageBytes; i++)
        if (page[i] !== 0) return start + i;
    }
    return -1;
  }

  /** Equal contents give equal snapshots. */
  snapshot(): PagedBytesSnapshot {
    const pages: [number, Uint8Array][] = [];
    this.#pages.forEach((page, at) => {
      if (page?.some((value) => value !== 0)) pages.push([at, page.slice()]);
    });
    return pages;
  }

  static restore(from: PagedBytesSnapshot): PagedBytes {
    const bytes = new PagedBytes();
    for (const [at, page] of from) {
      while (bytes.#pages.length < at) bytes.#pages.push(undefined);
      bytes.#pages[at] = new Uint8Array(page);
    }
    return bytes;
  }
}
