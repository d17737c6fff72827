// What was, is, and was taken back. Changes of one field in a row count as one.

export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** What the last change was about, and when. */
  readonly tag?: string | undefined;
  readonly atMs: number;
}

const kept = 200;
const togetherMs = 1_500;

export function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], atMs: 0 };
}

/** `tag` names the field; without one every change is a step of its own. */
export function change<State>(
  history: History<State>,
  present: State,
  atMs: number,
  tag?: string,
): History<State> {
  const isTogether = tag !== undefined && tag === history.tag && atMs - history.atMs < togetherMs;
  const past = isTogether ? history.past : [...history.past, history.present].slice(-kept);
  return { past, present, future: [], tag, atMs };
}

export function undo<State>(history: History<State>): History<State> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    atMs: 0,
  };
}

export function redo<State>(history: History<State>): History<State> {
  const [after, ...future] = history.future;
  if (after === undefined) return history;
  return { past: [...history.past, history.present], present: after, future, atMs: 0 };
}
