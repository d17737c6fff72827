// A walk on a time line: when, at which step, what happens and why.

import type { AnswerOf } from '../../api/client.ts';
import { words as canvasWords } from '../../canvas/words.ts';
import { exactTime } from '../../time/relative.ts';
import { classNames } from '../../ui/class-names.ts';
import { Note } from '../../ui/note.tsx';
import { reasonText } from '../../words/send-reasons.ts';
import { laterText } from './span.ts';
import { words } from './words.ts';

const text = words.try;

type WalkAnswer = AnswerOf<'simulateUnsaved'>;
type Line = WalkAnswer['steps'][number];

export function Walk({
  walk,
  isOld,
  onStep,
}: {
  readonly walk: WalkAnswer;
  /** The steps have changed since. */
  readonly isOld: boolean;
  readonly onStep: (id: string) => void;
}) {
  const startMs = Date.parse(walk.steps[0]?.at ?? '');
  return (
    <section className="stack-tight" aria-label={text.walk}>
      <h3>{text.walk}</h3>
      <div role="status">
        <Note tone={walk.outcome === 'waits' ? 'notice' : 'good'}>
          {text.outcome[walk.outcome]}
          {isOld && <p>{text.old}</p>}
        </Note>
      </div>
      <ol className="walk">
        {walk.steps
          .filter(({ what }) => what !== 'entered')
          .map((line, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
            <li key={`${line.at} ${nth}`} className={classNames('walk-line', line.what)}>
              <time dateTime={line.at} title={exactTime(Date.parse(line.at))}>
                {laterText(Date.parse(line.at) - startMs)}
              </time>
              <div>
                {line.step !== undefined && (
                  <button
                    type="button"
                    className="walk-step"
                    onClick={() => onStep(line.step as string)}
                  >
                    {line.step}
                  </button>
                )}
                <span>{sentence(line)}</span>
                {line.until !== undefined && (
                  <span className="soft">
                    {' '}
                    {text.until} {exactTime(Date.parse(line.until))}
                  </span>
                )}
                {line.reason !== undefined && <p className="soft">{reasonText(line.reason)}</p>}
              </div>
            </li>
          ))}
      </ol>
    </section>
  );
}

function sentence({ what, event, branch }: Line): string {
  if (what === 'event') return text.what.event(event ?? '');
  if (what === 'branched') return text.what.branched(canvasWords.branch[branch ?? 'then']);
  return text.what[what];
}
