// How often the health of relays is asked for while a page with them is open.

/** Health changes while nobody does anything; a list that is refused stays refused. */
export function healthEveryMs(answer: object | undefined): number | false {
  return answer === undefined ? false : 15_000;
}
