// Short news in the corner: what was done, what failed, and a way to take it back. What draws it
// loads after the first paint; news wait for it.

interface Undo {
  readonly label: string;
  readonly run: () => void;
}

export interface News {
  readonly text: string;
  readonly isError: boolean;
  readonly undo?: Undo | undefined;
}

type Listener = (news: News) => void;

const waiting: News[] = [];
let told: Listener | undefined;

/** Says that something is done. */
export function tellDone(text: string, undo?: Undo): void {
  tell({ text, isError: false, undo });
}

/** Says that something failed. */
export function tellError(text: string): void {
  tell({ text, isError: true });
}

function tell(news: News): void {
  if (told === undefined) waiting.push(news);
  else told(news);
}

/** For the one that draws them. Returns how to stop. */
export function onNews(listener: Listener): () => void {
  told = listener;
  for (const news of waiting.splice(0)) listener(news);
  return () => {
    told = undefined;
  };
}
