// What the accent color's contrast comes to, in light and dark.

import { judge, shapeContrastMin, textContrastMin } from '../../preview/contrast.ts';
import { Badge } from '../../ui/badge.tsx';
import { words } from './words.ts';

const text = words.contrast;

export function Contrast({ color }: { readonly color: string }) {
  const judged = judge(color);
  if (judged === undefined) return null;
  const rows = [
    [text.text, judged.text, textContrastMin],
    [text.light, judged.light, shapeContrastMin],
    [text.dark, judged.dark, shapeContrastMin],
  ] as const;
  const isWeak = rows.some(([, ratio, least]) => ratio < least);
  return (
    <div className="stack-tight" aria-live="polite">
      <ul className="stack-tight">
        {rows.map(([say, ratio, least]) => (
          <li key={say('')} className="row">
            <Badge tone={ratio >= least ? 'good' : 'notice'}>
              {ratio >= least ? text.good : text.weak}
            </Badge>
            {say(`${ratio.toFixed(1)}:1`)}
          </li>
        ))}
      </ul>
      {isWeak && <p className="field-hint">{text.advice}</p>}
    </div>
  );
}
