// What one person gets of a saved flag, and why.

import type { AnswerOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { PreviewedPerson } from '../../preview/person.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Field } from '../../ui/field.tsx';
import { Answer } from '../../ui/note.tsx';
import { words } from './words.ts';

const text = words.who;

export function WhoGetsIt({ flagKey }: { readonly flagKey: string }) {
  const app = useApp();
  const [person = '', setPerson] = useQueryParam('person');
  const read = useRead(
    'evaluateFlag',
    { path: { appId: app.id, key: flagKey }, query: { subscriberId: `external:${person}` } },
    { enabled: person !== '' },
  );
  return (
    <section className="card">
      <h2 className="card-head">{text.title}</h2>
      <div className="card-body stack">
        <p className="soft">{text.text}</p>
        <Field label={text.person}>
          <PreviewedPerson value={person} onChange={setPerson} />
        </Field>
        {person !== '' && <Answer result={read}>{(found) => <Verdict found={found} />}</Answer>}
      </div>
    </section>
  );
}

function Verdict({ found }: { readonly found: AnswerOf<'evaluateFlag'> }) {
  const { enabled, variant, reason, conditions, rolloutPercent } = found;
  const place = String(Math.round(found.place * 10) / 10);
  const reasons = {
    off: text.off,
    filter: text.filter,
    rollout: text.rollout(place, rolloutPercent),
    on: text.on(place, rolloutPercent),
  };
  const gets = variant === undefined ? text.gets : text.variant(variant);
  return (
    <div className="stack-tight" role="status">
      <div>
        <Badge tone={enabled ? 'good' : 'off'}>{enabled ? gets : text.not}</Badge>
      </div>
      <p>{reasons[reason]}</p>
      <ul className="stack-tight">
        {conditions.map(({ path, condition, holds }) => (
          <li key={path} className="flag-condition">
            <Badge tone={holds ? 'good' : 'bad'}>{holds ? text.holds : text.fails}</Badge>
            <code>{JSON.stringify(condition)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
