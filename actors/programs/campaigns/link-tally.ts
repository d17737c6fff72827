// The links of a campaign: how often each was clicked, and by how many people. Links beyond a
// hundred are counted together. When the campaign no longer counts answers, only figures stay.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { PagedBytes, type PagedBytesSnapshot } from '../../../engine/base/paged-bytes.ts';

const linksMax = 100;

interface LinkCounts {
  readonly clicks: number;
  readonly people: number;
}

export interface CampaignLinks {
  /** Most clicks first; equals by URL. */
  readonly items: readonly (LinkCounts & { readonly url: string })[];
  /** All links beyond the first hundred that were clicked. */
  readonly others: LinkCounts;
}

export interface LinkTallySnapshot {
  readonly links: readonly (LinkCounts & { readonly url: string })[];
  readonly others: LinkCounts;
  readonly seen: readonly PagedBytesSnapshot[];
}

type Counting = { -readonly [Name in keyof LinkCounts]: number };

export class LinkTally {
  /** In the order of their first click. */
  readonly #links = new Map<string, Counting & { readonly place: number }>();
  readonly #others: Counting = { clicks: 0, people: 0 };
  /** Who clicked which: eight links a byte, by place; the others have the last place. */
  #seen: PagedBytes[] = [];

  click(url: string, person: PersonOrdinal): void {
    let counts = this.#links.get(url);
    if (counts === undefined && this.#links.size < linksMax)
      this.#links.set(url, (counts = { clicks: 0, people: 0, place: this.#links.size }));
    const into = counts ?? this.#others;
    into.clicks++;
    if (this.#see(counts?.place ?? linksMax, person)) into.people++;
  }

  /** Two people are one from now on. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    const places = [...this.#links.values(), { ...this.#others, place: linksMax }];
    for (const [at, bytes] of this.#seen.entries()) {
      const theirs = bytes.get(from);
      const both = theirs & bytes.get(into);
      bytes.set(into, theirs | bytes.get(into));
      bytes.set(from, 0);
      if (both === 0) continue;
      for (const one of places) {
        if (one.place >>> 3 !== at || (both & (1 << (one.place & 7))) === 0) continue;
        const counts = one.place === linksMax ? this.#others : one;
        counts.people--;
      }
    }
  }

  /** Forgets who clicked what. */
  close(): void {
    this.#seen = [];
  }

  get links(): CampaignLinks {
    const items = [...this.#links].map(([url, { clicks, people }]) => ({ url, clicks, people }));
    items.sort((a, b) => b.clicks - a.clicks || (a.url < b.url ? -1 : 1));
    return { items, others: { ...this.#others } };
  }

  snapshot(): LinkTallySnapshot {
    const links = [...this.#links].map(([url, { clicks, people }]) => ({ url, clicks, people }));
    const seen = this.#seen.map((bytes) => bytes.snapshot());
    return { links, others: { ...this.#others }, seen };
  }

  static restore({ links, others, seen }: LinkTallySnapshot): LinkTally {
    const tally = new LinkTally();
    for (const [place, { url, ...counts }] of links.entries())
      tally.#links.set(url, { ...counts, place });
    Object.assign(tally.#others, others);
    tally.#seen = seen.map((bytes) => PagedBytes.restore(bytes));
    return tally;
  }

  /** False if it was known. */
  #see(place: number, person: PersonOrdinal): boolean {
    const at = place >>> 3;
    while (this.#seen.length <= at) this.#seen.push(new PagedBytes());
    const bytes = this.#seen[at] as PagedBytes;
    const before = bytes.get(person);
    const bit = 1 << (place & 7);
    if ((before & bit) !== 0) return false;
    bytes.set(person, before | bit);
    return true;
  }
}
