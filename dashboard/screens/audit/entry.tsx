// One entry: who, when, and its values before and after as a diff.

import type { App, AuditNote } from '../../api/generated.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/figure.tsx';
import { Time } from '../../ui/time.tsx';
import { actionWords } from './actions.ts';
import { type Difference, differencesOf } from './diff.ts';
import { Target } from './target.tsx';
import { appOf, whoOf } from './who.ts';
import { words } from './words.ts';

export function Entry({
  one,
  apps,
  onClose,
  onKind,
  onActor,
}: {
  readonly one: AuditNote;
  readonly apps: readonly Pick<App, 'id'>[];
  readonly onClose: () => void;
  readonly onKind: () => void;
  readonly onActor: () => void;
}) {
  const differences = differencesOf(one.before, one.after);
  return (
    <Dialog
      kind="drawer"
      title={actionWords(one.action)}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onKind}>{words.sameKind}</Button>
          <Button onClick={onActor}>{words.samePerson}</Button>
        </>
      }
    >
      <Facts
        items={[
          [words.at, <Time key="at" at={one.at} />],
          [words.who, whoOf(one)],
          [words.target, <Target key="target" one={one} apps={apps} />],
          [words.app, appOf(one)],
          [words.targetId, <Copyable key="target-id" text={one.target} />],
          [words.actorId, <Copyable key="actor-id" text={one.actor} />],
          [words.id, <Copyable key="id" text={one.id} />],
        ]}
      />
      <h3>{words.change}</h3>
      {differences.length === 0 && <p className="soft">{words.nothing}</p>}
      {differences.map((difference) => (
        <Change key={difference.path} difference={difference} />
      ))}
    </Dialog>
  );
}

function Change({ difference: { path, before, after } }: { readonly difference: Difference }) {
  return (
    <div className="stack-tight">
      <code>{path}</code>
      <dl className="diff">
        <Side name={words.before} sign="−" text={before} />
        <Side name={words.after} sign="+" text={after} />
      </dl>
    </div>
  );
}

function Side({
  name,
  sign,
  text,
}: {
  readonly name: string;
  readonly sign: '−' | '+';
  readonly text: string | undefined;
}) {
  return (
    <div className={sign === '+' ? 'diff-line good' : 'diff-line bad'}>
      <dt>
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{name}</span>
      </dt>
      <dd>{text ?? <span className="soft">{words.unset}</span>}</dd>
    </div>
  );
}
