// The editor of a segment: its name and filter at the left; who matches, who uses it and why a
// person is in it at the right.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Filter, Segment } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { useFilterParam } from '../../filter/address.ts';
import { useFilterCount } from '../../filter/count.ts';
import { AudienceCount, FilterForm } from '../../filter/editor.tsx';
import { words as filterWords } from '../../filter/words.ts';
import { type DraftTools, useDraft } from '../../kit/draft.ts';
import { DraftNotes, EditorFrame } from '../../kit/editor-frame.tsx';
import { appPath } from '../../ui/address.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { Grey } from '../../ui/note.tsx';
import { UnreadScreen } from '../../ui/screen.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { Explain } from './explain.tsx';
import { SegmentMenu } from './menu.tsx';
import { Sample } from './sample.tsx';
import { Uses } from './uses.tsx';
import { words } from './words.ts';

export function ReadSegment({ id }: { readonly id: string }) {
  const app = useApp();
  const read = useRead('readSegment', { path: { appId: app.id, id } });
  if (read.data !== undefined) return <SegmentEditor segment={read.data} />;
  return <UnreadScreen title={words.title} crumb={crumbOf(app.id)} read={read} />;
}

export function SegmentEditor({ segment }: { readonly segment: Segment | undefined }) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const [wasTried, setTried] = useState(false);
  const tools = useSegmentDraft(segment, refused, () => setTried(false));
  const { filter } = tools.draft;
  const counted = useFilterCount(filter);
  const isNew = segment === undefined;
  const submit = () => {
    setTried(true);
    if (filter !== undefined && counted.unfinished.length === 0) void tools.save();
  };
  return (
    <EditorFrame
      title={segment?.name ?? words.newTitle}
      crumb={crumbOf(app.id)}
      tools={tools}
      save={{ label: words.save, refused, isDisabled: !tools.isDirty && !isNew, run: submit }}
      actions={!isNew && <SegmentMenu segment={segment} onRemoved={tools.discard} />}
      keys={[{ keys: 'Escape', label: words.title, run: () => go(appPath(app.id, 'segments')) }]}
    >
      <div className="screen-body">
        <div className="split">
          <div className="stack">
            <DraftNotes tools={tools} />
            <SegmentFields tools={tools} counted={counted} isNew={isNew} wasTried={wasTried} />
          </div>
          <aside className="stack">
            <section className="card card-body">
              <h2>{words.matching}</h2>
              {counted.count === undefined && counted.isCounting ? (
                <Grey rows={12} />
              ) : (
                <>
                  <AudienceCount counted={counted} />
                  <Sample filter={counted.counted} isReady={counted.count !== undefined} />
                </>
              )}
            </section>
            {segment !== undefined && (
              <>
                <section className="card card-body">
                  <Explain segment={segment} isChanged={tools.isDirty} />
                </section>
                <section className="card card-body">
                  <Uses id={segment.id} />
                </section>
              </>
            )}
          </aside>
        </div>
      </div>
    </EditorFrame>
  );
}

interface SegmentDraft {
  readonly name: string;
  readonly filter: Filter | undefined;
}

function useSegmentDraft(
  saved: Segment | undefined,
  refused: string | undefined,
  onSaved: () => void,
) {
  const app = useApp();
  const [, go] = useLocation();
  const create = useAct('createSegment');
  const update = useAct('updateSegment');
  const path = { appId: app.id };
  // One that begins with a filter of the address is another than one that begins with none.
  const [given] = useFilterParam();
  const fresh = given === undefined ? 'new' : `new.${JSON.stringify(given)}`;
  return useDraft<SegmentDraft, Segment>({
    saved,
    start: { name: '', filter: given },
    draftOf: ({ name, filter }) => ({ name, filter }),
    keptAs: (segment) => keptKey('segment', app.id, segment?.id ?? fresh),
    restore: ({ name, filter }) => (typeof name === 'string' ? { name, filter } : undefined),
    refused,
    isLacking: ({ filter }) => filter === undefined,
    send: ({ name, filter }, now, base) => {
      const body = { name, filter: filter as Filter };
      return now === undefined
        ? create.mutateAsync({ path, body })
        : update.mutateAsync({ path: { ...path, id: now.id }, body, base });
    },
    onSaved: (made, isNew) => {
      onSaved();
      tellDone(isNew ? words.created : words.saved);
      if (isNew) go(appPath(app.id, 'segments', made.id), { replace: true });
    },
  });
}

function SegmentFields({
  tools: { draft, change, error },
  counted,
  isNew,
  wasTried,
}: {
  readonly tools: DraftTools<SegmentDraft, Segment>;
  readonly counted: ReturnType<typeof useFilterCount>;
  readonly isNew: boolean;
  /** Whether a save was asked for: from then on, what is missing shows. */
  readonly wasTried: boolean;
}) {
  const missing = counted.unfinished.map((field) => ({ field, error: filterWords.fillIn }));
  return (
    <>
      <Field label={words.name} hint={words.nameHint} error={error?.of('name')}>
        <TextInput value={draft.name} onChange={(name) => change({ name })} autoFocus={isNew} />
      </Field>
      <section className="stack-tight">
        <FilterForm
          title={<h2>{words.who}</h2>}
          value={draft.filter}
          onChange={(filter) => change({ filter })}
          errors={wasTried && missing.length > 0 ? missing : (error?.issues ?? [])}
          counted={counted}
        />
        {wasTried && draft.filter === undefined && (
          <p className="field-error" role="alert">
            {words.noFilter}
          </p>
        )}
      </section>
    </>
  );
}

function crumbOf(app: string) {
  return { to: appPath(app, 'segments'), label: words.title };
}
