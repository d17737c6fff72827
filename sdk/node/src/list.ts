// A list that the server gives page by page: awaiting it gives the first page, iterating all items.

import type { Answered } from './call.ts';

/** What every page has. */
export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** Asks when it is awaited or iterated, and not before. */
export class List<One extends Page>
  implements PromiseLike<One>, AsyncIterable<One['items'][number]>
{
  readonly #ask: (cursor: string | undefined) => Promise<Answered<One>>;
  #first: Promise<Answered<One>> | undefined;

  constructor(ask: (cursor: string | undefined) => Promise<Answered<One>>) {
    this.#ask = ask;
  }

  /** The first page with the status and the headers. */
  withResponse(): Promise<Answered<One>> {
    this.#first ??= this.#ask(undefined);
    return this.#first;
  }

  then<Done = One, Failed = never>(
    done?: ((page: One) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(done, failed);
  }

  /** Page by page, from the first one to the last. */
  async *pages(): AsyncGenerator<One, void, undefined> {
    let { data: page } = await this.withResponse();
    yield page;
    while (page.nextCursor !== null) {
      const { nextCursor } = page;
      ({ data: page } = await this.#ask(nextCursor));
      if (page.nextCursor === nextCursor) throw new Error('the server gave the same page twice');
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<One['items'][number], void, undefined> {
    for await (const { items } of this.pages())
      yield* items as readonly One['items'][number][] as Awaited<One['items'][number]>[];
  }
}
