// People by the reason why the message was not sent to them, or not yet.

import { Bar, count } from '../../ui/figure.tsx';
import { reasonText } from '../../words/send-reasons.ts';

export function Reasons({
  title,
  reasons,
  empty,
}: {
  readonly title: string;
  readonly reasons: Readonly<Record<string, number>>;
  readonly empty?: string;
}) {
  const entries = Object.entries(reasons).sort(([, one], [, other]) => other - one);
  const all = entries.reduce((sum, [, people]) => sum + people, 0);
  return (
    <section className="card">
      <div className="card-head">
        <h3>{title}</h3>
        <span className="soft">{count(all)}</span>
      </div>
      <div className="card-body">
        {entries.length === 0 && <p className="soft">{empty}</p>}
        <ul className="reasons">
          {entries.map(([reason, people]) => (
            <li key={reason}>
              <span>{reasonText(reason)}</span>
              <strong className="number">{count(people)}</strong>
              <Bar label={reasonText(reason)} part={people} all={all} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
