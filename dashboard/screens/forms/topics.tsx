// The topics that a sign-up chooses.

import { Link } from 'wouter';
import type { ApiError } from '../../api/errors.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Check } from '../../ui/choices.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Answer } from '../../ui/note.tsx';
import { useAppTopics } from '../../ui/topic-box.tsx';
import { words } from './words.ts';

export function FormTopics({
  chosen,
  error,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly error: ApiError | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const app = useApp();
  const wrong = error?.issues.find(({ field }) => field.startsWith('topics'))?.error;
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">{words.topics}</legend>
      <Answer result={useAppTopics()} rows={2}>
        {({ items }) => {
          // One that was deleted since stays in sight, so that it can be taken out.
          const gone = chosen.filter((key) => items.every((one) => one.key !== key));
          const all = [
            ...items.map(({ key, name }) => [key, name] as const),
            ...gone.map((key) => [key, words.goneTopic(key)] as const),
          ];
          const set = (key: string, isIn: boolean) =>
            onChange(
              all.map(([one]) => one).filter((one) => (one === key ? isIn : chosen.includes(one))),
            );
          return all.length === 0 ? (
            <p className="soft">
              {words.topicsNone} <Link to={appPath(app.id, 'topics', 'new')}>{words.toTopics}</Link>
            </p>
          ) : (
            <>
              {all.map(([key, name]) => (
                <Check
                  key={key}
                  isChecked={chosen.includes(key)}
                  onChange={(isIn) => set(key, isIn)}
                >
                  {name}
                </Check>
              ))}
              <p className="field-hint">{words.topicsHint}</p>
            </>
          );
        }}
      </Answer>
      {wrong !== undefined && (
        <p className="field-error" role="alert">
          <Icon name="warning" />
          {wrong}
        </p>
      )}
    </fieldset>
  );
}
