// The editor of a segment: its name and filter at the left; who matches, who uses it and why a
// person is in it at the right.

import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Filter, Segment } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import type { Version } from '../../api/saves.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { useFilterParam } from '../../filter/address.ts';
import { useFilterCount } from '../../filter/count.ts';
import { AudienceCount, FilterForm } from '../../filter/editor.tsx';
import { words as filterWords } from '../../filter/words.ts';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { useKeptDraft } from '../../ui/kept-draft.ts';
import { KeptNote } from '../../ui/kept-note.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { useShortcuts } from '../../ui/keys.ts';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
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
  return (
    <>
      <ScreenHead title={words.title} crumb={crumbOf(app.id)} />
      <div className="screen-body">
        {read.error === undefined ? (
          <Grey />
        ) : (
          <ErrorNote error={read.error} onAgain={() => void read.refetch()} />
        )}
      </div>
    </>
  );
}

export function SegmentEditor({ segment }: { readonly segment: Segment | undefined }) {
  const app = useApp();
  const [, go] = useLocation();
  const state = useSegmentDraft(segment);
  const { draft, change, isDirty: isChanged } = state;
  const { name, filter } = draft;
  const counted = useFilterCount(filter);
  const { save, error, isSaving } = useSave(segment?.id, state.base);
  const refused = useRefusal('write');
  const isNew = segment === undefined;
  const missing = counted.unfinished.map((field) => ({ field, error: filterWords.fillIn }));
  const [wasTried, setTried] = useState(false);

  const submit = () => {
    setTried(true);
    if (filter === undefined || missing.length > 0 || refused !== undefined || isSaving) return;
    save(name, filter, (made) => {
      setTried(false);
      state.settle(made);
      if (isNew) go(appPath(app.id, 'segments', made.id), { replace: true });
    });
  };
  useShortcuts([
    { keys: 'mod+s', label: words.save, run: submit },
    { keys: 'Escape', label: words.title, run: () => go(appPath(app.id, 'segments')) },
  ]);
  const filterErrors = (error?.issues ?? []).filter(({ field }) => field.startsWith('filter'));
  return (
    <>
      <ScreenHead
        title={segment?.name ?? words.newTitle}
        crumb={crumbOf(app.id)}
        aside={isChanged && <Badge tone="notice">{words.unsaved}</Badge>}
        actions={
          <>
            {segment !== undefined && <SegmentMenu segment={segment} onRemoved={state.discard} />}
            <Button
              kind="primary"
              refused={refused}
              isBusy={isSaving}
              isDisabled={!isChanged && !isNew}
              onClick={submit}
            >
              {words.save}
            </Button>
          </>
        }
      />
      <div className="screen-body">
        <div className="split">
          <div className="stack">
            <KeptNote state={state} />
            {error !== undefined && error.of('name') === undefined && filterErrors.length === 0 && (
              <ErrorNote error={error} />
            )}
            <Field label={words.name} hint={words.nameHint} error={error?.of('name')}>
              <TextInput
                value={name}
                onChange={(next) => change({ ...draft, name: next })}
                autoFocus={isNew}
              />
            </Field>
            <section className="stack-tight">
              <FilterForm
                title={<h2>{words.who}</h2>}
                value={filter}
                onChange={(next) => change({ ...draft, filter: next })}
                errors={wasTried && missing.length > 0 ? missing : filterErrors}
                counted={counted}
              />
              {wasTried && filter === undefined && (
                <p className="field-error" role="alert">
                  {words.noFilter}
                </p>
              )}
            </section>
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
                  <Explain segment={segment} isChanged={isChanged} />
                </section>
                <section className="card card-body">
                  <Uses id={segment.id} />
                </section>
              </>
            )}
          </aside>
        </div>
      </div>
      <LeaveQuestion isDirtyNow={state.isDirtyNow} onDiscard={state.discard} />
    </>
  );
}

interface SegmentDraft {
  readonly name: string;
  readonly filter: Filter | undefined;
}

function draftOf({ name, filter }: Segment): SegmentDraft {
  return { name, filter };
}

function isGood({ name, filter }: Partial<SegmentDraft>): boolean {
  return typeof name === 'string' && (filter === undefined || typeof filter === 'object');
}

/** A new one that begins with a filter of the address is another than one that begins with none. */
function useSegmentDraft(segment: Segment | undefined) {
  const app = useApp();
  const [given] = useFilterParam();
  const fresh = given === undefined ? 'new' : `new.${JSON.stringify(given)}`;
  return useKeptDraft<SegmentDraft, Segment>({
    key: keptKey('segment', app.id, segment?.id ?? fresh),
    saved: segment,
    start: { name: '', filter: given },
    draftOf,
    isGood,
  });
}

function crumbOf(app: string) {
  return { to: appPath(app, 'segments'), label: words.title };
}

function useSave(id: string | undefined, base: Version | undefined) {
  const app = useApp();
  const create = useAct('createSegment');
  const update = useAct('updateSegment');
  const { reset } = update;
  useEffect(() => reset, [reset]);
  const save = (name: string, filter: Filter, onSaved: (made: Segment) => void) => {
    if (id === undefined)
      create.mutate(
        { path: { appId: app.id }, body: { name, filter } },
        {
          onSuccess: (made) => {
            tellDone(words.created);
            onSaved(made);
          },
        },
      );
    else
      update.mutate(
        { path: { appId: app.id, id }, body: { name, filter }, base: base ?? null },
        {
          onTheirs: onSaved,
          onSuccess: (made) => {
            tellDone(words.saved);
            onSaved(made);
          },
        },
      );
  };
  return {
    save,
    error: create.error ?? update.error,
    isSaving: create.isPending || update.isPending,
  };
}
