// Several calls at once, results one by one and in the order of the calls. A failed call ends it,
// and what came after the failed one is not reported, though it may have been done: the caller
// knows a prefix, which is what can be resumed.

/**
 * Runs `call` for each item, at most `inFlightMax` at a time, and reports each result before the
 * next. Once `stop` says so no further call starts and what is out is waited for. Throws the first
 * failure in order, when no call is out any more.
 */
export async function inOrder<Item, Result>(
  items: Iterable<Item>,
  inFlightMax: number,
  call: (item: Item) => Promise<Result>,
  report: (item: Item, result: Result) => void,
  stop: () => boolean = () => false,
): Promise<void> {
  const out: { readonly item: Item; readonly result: Promise<Result> }[] = [];
  const settleFirst = async () => {
    const first = out.shift();
    if (first !== undefined) report(first.item, await first.result);
  };
  try {
    for (const item of items) {
      if (stop()) break;
      const result = call(item);
      result.catch(() => undefined); // it is looked at when its turn comes
      out.push({ item, result });
      if (out.length >= inFlightMax) await settleFirst();
    }
    while (out.length > 0) await settleFirst();
  } finally {
    await Promise.allSettled(out.map(({ result }) => result));
  }
}
