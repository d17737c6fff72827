// Runs several calls at once and reports results in call order, up to the first failure: the caller
// knows a prefix, from which it can resume.

/**
 * At most `inFlightMax` calls at a time. Once `stop` returns true, starts none and waits for those
 * in flight. Throws the first failure in order, after all calls ended.
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
