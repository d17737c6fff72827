// A funnel as small as a row of a table: four bars, and the rates in words for whoever cannot see
// them.

import type { CampaignStats } from '../../api/generated.ts';
import { rate } from '../../ui/figure.tsx';
import { funnelWords } from '../../words/campaign.ts';
import { words } from './words.ts';

const widthPx = 10;
const gapPx = 4;
const heightPx = 20;
const steps = ['sent', 'delivered', 'opened', 'clicked'] as const;

export function FunnelBars({ stats }: { readonly stats: CampaignStats }) {
  const all = Math.max(stats.sent, 1);
  return (
    <span className="funnel-bars">
      <svg
        viewBox={`0 0 ${steps.length * (widthPx + gapPx)} ${heightPx}`}
        role="img"
        aria-label={steps
          .map((step) => words.funnelPart(funnelWords[step], rate(stats[step], stats.sent)))
          .join(', ')}
      >
        {steps.map((step, at) => {
          const height = Math.max((Math.min(stats[step], all) / all) * heightPx, 1);
          const place = { x: at * (widthPx + gapPx), width: widthPx };
          return (
            <g key={step}>
              <rect {...place} y={0} height={heightPx} rx={2} className="funnel-track" />
              <rect
                {...place}
                y={heightPx - height}
                height={height}
                rx={Math.min(2, height / 2)}
                className={`funnel-fill step-${at + 1}`}
              />
            </g>
          );
        })}
      </svg>
      <span className="soft ellipsis" aria-hidden="true">
        {words.funnelShort(wholeRate(stats.delivered, all), wholeRate(stats.opened, all))}
      </span>
    </span>
  );
}

const whole = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

function wholeRate(part: number, all: number): string {
  return whole.format(part / all);
}
