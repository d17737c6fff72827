// What waits for a person: campaigns that cannot go on by themselves, messages that failed, limits
// that are reached.

import { useApp } from '../../api/session-context.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { type Need, needsShownMax, useNeeds } from './needs-of.ts';
import { words } from './words.ts';

/** `isQuiet`: says nothing while nothing waits. */
export function Needs({ isQuiet }: { readonly isQuiet: boolean }) {
  const app = useApp();
  const { needs, isLoading, error, again } = useNeeds(app.id);
  if (error !== undefined && needs.length === 0) return <ErrorNote error={error} onAgain={again} />;
  if (needs.length === 0 && isQuiet) return null;
  const rest = needs.length - needsShownMax;
  return (
    <section className="card" aria-labelledby="needs">
      <div className="card-head">
        <h2 id="needs">{words.needs}</h2>
      </div>
      {needs.length === 0 && isLoading && (
        <div className="card-body">
          <Grey rows={1} />
        </div>
      )}
      {needs.length === 0 && !isLoading && (
        <p className="card-body row">
          <span className="good-sign">
            <Icon name="check" />
          </span>
          {words.allQuiet}
        </p>
      )}
      <ul className="needs">
        {needs.slice(0, needsShownMax).map((need) => (
          <NeedRow key={need.key} need={need} />
        ))}
      </ul>
      {rest > 0 && <p className="card-body soft">{words.moreNeeds(rest)}</p>}
    </section>
  );
}

function NeedRow({ need }: { readonly need: Need }) {
  const { icon, title, text, at, to, action } = need;
  return (
    <li>
      <Icon name={icon} />
      <div className="grow">
        <strong>{title}</strong>
        <div className="soft">
          {text}
          {at !== undefined && (
            <>
              {' '}
              {at.word} <Time at={at.time} />
            </>
          )}
        </div>
      </div>
      <ButtonLink size="small" to={to}>
        {action}
      </ButtonLink>
    </li>
  );
}
