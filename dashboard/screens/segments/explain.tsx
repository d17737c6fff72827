// Why a person is in a segment or not: the result of each condition, with the fact behind it.

import { useState } from 'react';
import type { Segment } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { ExplainedConditions } from '../../filter/explained.tsx';
import { PersonBox } from '../../person/person-box.tsx';
import { personRef } from '../../person/person-ref.ts';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorNote, Grey, Note } from '../../ui/note.tsx';
import { words } from './words.ts';

export function Explain({
  segment,
  isChanged,
}: {
  readonly segment: Segment;
  readonly isChanged: boolean;
}) {
  const app = useApp();
  const [person, setPerson] = useQueryParam('person');
  const [text, setText] = useState(person ?? '');
  const explained = useRead(
    'explainSegment',
    { path: { appId: app.id, id: segment.id }, query: { subscriberId: personRef(person ?? '') } },
    { enabled: person !== undefined },
  );
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        setPerson(text.trim());
      }}
    >
      <h2>{words.explain}</h2>
      <p className="soft">{words.explainText}</p>
      {isChanged && <Note tone="notice">{words.explainUnsaved}</Note>}
      <Field label={words.explain} isLabelHidden error={explained.error?.of('subscriberId')}>
        <PersonBox
          label={words.explain}
          value={text}
          onChange={setText}
          onChoose={(chosen) => setPerson(chosen)}
        />
      </Field>
      <div className="row">
        <Button type="submit" isDisabled={text.trim() === ''}>
          {words.explainGo}
        </Button>
      </div>
      {person !== undefined && explained.isPending && <Grey rows={3} />}
      {explained.error !== undefined && explained.error.of('subscriberId') === undefined && (
        <ErrorNote error={explained.error} onAgain={() => void explained.refetch()} />
      )}
      {explained.data !== undefined && <ExplainedConditions explained={explained.data} />}
    </form>
  );
}
