// What became of the people who came to a step.

import type { JourneyStats } from '../../api/generated.ts';
import type { Step } from '../../canvas/model.ts';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { count, Facts, rate } from '../../ui/figure.tsx';
import { reasonText } from '../../words/send-reasons.ts';
import { words } from './words.ts';

type Stats = JourneyStats['bySteps'][string];

const ofSends = ['delivered', 'opened', 'clicked', 'converted', 'bounced', 'failed'] as const;

export function StepStats({ step, stats }: { readonly step: Step; readonly stats: Stats }) {
  const [, setPanel] = useQueryParam('panel');
  const text = words.stats;
  const isSend = step.type === 'send';
  const share = (n: number, of: number) => (
    <>
      {count(n)} <span className="soft">{rate(n, of)}</span>
    </>
  );
  return (
    <section className="stack-tight step-stats">
      <h3>{text.title}</h3>
      <Facts
        items={[
          [text.entered, count(stats.entered)],
          ...(isSend
            ? [
                [text.sent, share(stats.sent, stats.entered)] as const,
                ...ofSends
                  .filter((name) => stats[name] > 0 || name === 'delivered')
                  .map((name) => [text[name], share(stats[name], stats.sent)] as const),
                ...Object.entries(stats.suppressedBy).map(
                  ([reason, n]) => [`${text.suppressed}: ${reasonText(reason)}`, count(n)] as const,
                ),
              ]
            : [[text.waiting, count(stats.waiting)] as const]),
          ...(step.type === 'goal'
            ? [[text.converted, share(stats.converted, stats.entered)] as const]
            : []),
        ]}
      />
      {stats.waiting > 0 && (
        <Button size="small" icon="people" onClick={() => setPanel('people')}>
          {text.seePeople}
        </Button>
      )}
    </section>
  );
}
