// Numbers as people read them, and rows of large ones.

import type { ReactNode } from 'react';
import { percentText } from './percents.ts';

const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

/** "12.3K", for what must be short. */
export function shortCount(value: number): string {
  return compact.format(value);
}

/** "12.3%"; a dash where nothing is to be divided. */
export function rate(part: number, all: number): string {
  return all === 0 ? '–' : percentText(part / all);
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export function bytes(value: number): string {
  let unit = 0;
  let shown = value;
  while (shown >= 1024 && unit < byteUnits.length - 1) {
    shown /= 1024;
    unit++;
  }
  return `${whole.format(Math.round(shown * 10) / 10)} ${byteUnits[unit]}`;
}

interface FigureOf {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

export function Figures({ items }: { readonly items: readonly FigureOf[] }) {
  return (
    <dl className="figures">
      {items.map(({ name, value, note }) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd>
            {value}
            {note !== undefined && <div className="figure-note">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Bar({
  label,
  part,
  all,
  tone,
}: {
  readonly label: string;
  readonly part: number;
  readonly all: number;
  readonly tone?: 'good' | 'bad';
}) {
  return (
    <progress
      className={`bar ${tone ?? ''}`}
      aria-label={label}
      value={all === 0 ? 0 : Math.min(part, all)}
      max={Math.max(all, 1)}
    />
  );
}

/** Names and values in two columns. */
export function Facts({ items }: { readonly items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {items.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
