// Finds a member that an object of a JSON text names twice. JSON.parse keeps the last one in
// silence: of two lists of conditions one would be gone, and an audience wider than it was written.

import { pathText } from '../answer/errors.ts';

interface Frame {
  /** Of an object; absent in a list. */
  readonly names?: Set<string>;
  /** The member or item that is read. */
  at: string | number;
  isNameNext: boolean;
}

/** A text, or what opens, closes and parts. Bounded, as no two branches begin alike. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/** The path of the first one, such as `filter.all`. `text` must be valid JSON. */
export function repeatedMember(text: string): string | undefined {
  const frames: Frame[] = [];
  for (const [token] of text.matchAll(tokens)) {
    const frame = frames.at(-1);
    if (token === '{') frames.push({ names: new Set(), at: '', isNameNext: true });
    else if (token === '[') frames.push({ at: 0, isNameNext: false });
    else if (token === '}' || token === ']') frames.pop();
    else if (frame === undefined)
      continue; // the whole is a text
    else if (token === ',') next(frame);
    else if (frame.names !== undefined && frame.isNameNext) {
      frame.at = JSON.parse(token) as string;
      frame.isNameNext = false;
      if (frame.names.has(frame.at)) return pathText(frames.map(({ at }) => at));
      frame.names.add(frame.at);
    }
  }
  return undefined;
}

function next(frame: Frame): void {
  if (frame.names !== undefined) frame.isNameNext = true;
  else frame.at = (frame.at as number) + 1;
}
