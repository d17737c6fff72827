// Components whose code loads when they are first shown. Not React's `lazy`: a boundary that has
// shown that it waits holds back what it waited for until 300 ms are over, a time that people see.

import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useReducer } from 'react';

/** Made once, outside of components: what has loaded is kept by it. */
type Load<Props> = () => Promise<ComponentType<Props>>;

interface Loading<Props> {
  readonly done: Promise<unknown>;
  component?: ComponentType<Props>;
  failure?: unknown;
}

// One map for components of all kinds: the key knows the kind of its value.
// biome-ignore lint/suspicious/noExplicitAny: a load is only ever read as what it was kept as
const all = new WeakMap<Load<any>, Loading<any>>();

/** `waiting` is shown until then. A failure to load is thrown, for a boundary above. */
export function late<Props extends object>(
  load: Load<Props>,
  waiting: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  return function Late(props) {
    const View = useLate(load);
    return View === undefined ? waiting(props) : <View {...props} />;
  };
}

/**
 * Begins to load what is likely to be shown soon. Whether it came; whoever asks next tries again.
 */
export async function loadAhead<Props>(load: Load<Props>): Promise<boolean> {
  const loading = all.get(load) ?? begin(load);
  await loading.done;
  if (loading.failure !== undefined && all.get(load) === loading) all.delete(load);
  return loading.failure === undefined;
}

/**
 * The component, once it is wanted and there. For what opens above the page: where it does not
 * load, the page stays as it is, and `onFailure` makes it wanted no more.
 */
export function useLateAbove<Props>(
  load: Load<Props>,
  isWanted: boolean,
  onFailure: () => void,
): ComponentType<Props> | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const failed = useEffectEvent(onFailure);
  useEffect(() => {
    if (!isWanted) return;
    let isShown = true;
    void loadAhead(load).then((isThere) => {
      if (!isShown) return;
      if (isThere) redraw();
      else failed();
    });
    return () => {
      isShown = false;
    };
  }, [load, isWanted]);
  return isWanted ? all.get(load)?.component : undefined;
}

/** The component, once it is there; then it is drawn again. */
export function useLate<Props>(load: Load<Props>): ComponentType<Props> | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const loading = all.get(load) ?? begin(load);
  const { component } = loading;
  useEffect(() => {
    // By what was drawn: it may have come since, because React draws in several tasks.
    if (component !== undefined) return;
    let isShown = true;
    void loading.done.then(() => {
      if (isShown) redraw();
    });
    return () => {
      isShown = false;
    };
  }, [loading, component]);
  if (loading.failure !== undefined) {
    all.delete(load); // whoever tries again loads again
    throw loading.failure;
  }
  return component;
}

function begin<Props>(load: Load<Props>): Loading<Props> {
  const loading: Loading<Props> = {
    done: load().then(
      (component) => {
        loading.component = component;
      },
      (failure: unknown) => {
        loading.failure = failure ?? new Error('the code could not be loaded');
      },
    ),
  };
  all.set(load, loading);
  return loading;
}
