// A state: a word with a color and a shape.

import type { ReactNode } from 'react';
import type { Tone } from '../words/tone.ts';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** A word without a state: a name, a count. */
export function Chip({ children }: { readonly children: ReactNode }) {
  return <span className="chip">{children}</span>;
}

export function Key({ children }: { readonly children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>;
}
