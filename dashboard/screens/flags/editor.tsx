// One flag: on or off, for whom, what share of them, which variants; and what one person gets.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Filter, Flag } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { FilterEditor } from '../../filter/editor.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Toggle } from '../../ui/choices.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { useKeptDraft } from '../../ui/kept-draft.ts';
import { KeptNote } from '../../ui/kept-note.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { useShortcuts } from '../../ui/keys.ts';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { readCurl } from './curl.ts';
import { Variants } from './variants.tsx';
import { WhoGetsIt } from './who-gets-it.tsx';
import { words } from './words.ts';

interface FlagDraft {
  readonly key: string;
  readonly enabled: boolean;
  readonly rolloutPercent: number | undefined;
  readonly filter: Filter | undefined;
  readonly variants: readonly { readonly key: string; readonly weight: number }[];
}

const empty: FlagDraft = {
  key: '',
  enabled: false,
  rolloutPercent: 100,
  filter: undefined,
  variants: [],
};

function draftOf({ key, enabled, rolloutPercent, filter, variants }: Flag): FlagDraft {
  return {
    key,
    enabled,
    rolloutPercent,
    filter: filter ?? undefined,
    variants: variants ?? [],
  };
}

function bodyOf({ key, enabled, rolloutPercent, filter, variants }: FlagDraft) {
  return {
    key: key.trim(),
    enabled,
    rolloutPercent: rolloutPercent ?? 100,
    filter: filter ?? null,
    variants: variants.length === 0 ? null : variants,
  };
}

function isGood({ key, variants }: Partial<FlagDraft>): boolean {
  return typeof key === 'string' && Array.isArray(variants);
}

export function FlagEditor({ saved }: { readonly saved: Flag | undefined }) {
  const app = useApp();
  const [, go] = useLocation();
  const key = keptKey('flag', app.id, saved?.key ?? 'new flag');
  const state = useKeptDraft<FlagDraft, Flag>({ key, saved, start: empty, draftOf, isGood });
  const { draft, isDirty, settle } = state;
  const refused = useRefusal('write');
  const create = useAct('createFlag');
  const update = useAct('updateFlag');
  const act = saved === undefined ? create : update;
  const error = act.error;
  const save = () => {
    if (refused !== undefined) return;
    const { key, ...body } = bodyOf(draft);
    if (saved === undefined)
      create.mutate(
        { path: { appId: app.id }, body: { key, ...body } },
        {
          onSuccess: (flag) => {
            settle(flag);
            tellDone(words.created);
            go(appPath(app.id, 'flags', flag.key), { replace: true });
          },
        },
      );
    else
      update.mutate(
        { path: { appId: app.id, key: saved.key }, body, base: state.base ?? saved },
        {
          onTheirs: settle,
          onSuccess: (flag) => {
            settle(flag);
            tellDone(words.saved);
          },
        },
      );
  };
  useShortcuts([{ keys: 'mod+s', label: words.save, run: save }]);
  const set = (part: Partial<FlagDraft>) => state.change({ ...draft, ...part });
  return (
    <>
      <FlagHead
        saved={saved}
        isDirty={isDirty}
        isBusy={act.isPending}
        onSave={save}
        onRemoved={state.discard}
      />
      <div className="screen-body split">
        <fieldset className="stack" disabled={refused !== undefined}>
          <KeptNote state={state} />
          {error !== undefined && error.issues.length === 0 && <ErrorNote error={error} />}
          {saved === undefined && (
            <Field label={words.key} hint={words.keyHint} error={error?.of('key')}>
              <TextInput value={draft.key} spellCheck={false} onChange={(key) => set({ key })} />
            </Field>
          )}
          <div className="row">
            <Toggle
              label={words.enabled}
              isOn={draft.enabled}
              isDisabled={refused !== undefined}
              onChange={(enabled) => set({ enabled })}
            />
            <strong>{draft.enabled ? words.on : words.off}</strong>
            <span className="soft">{words.enabledHint}</span>
          </div>
          <section className="stack-tight">
            <FilterEditor
              title={<h2>{words.audience}</h2>}
              hasReach={false}
              value={draft.filter}
              onChange={(filter) => set({ filter })}
              errors={error?.issues.filter(({ field }) => field.startsWith('filter')) ?? []}
            />
          </section>
          <Field label={words.share} hint={words.shareHint} error={error?.of('rolloutPercent')}>
            <NumberInput
              value={draft.rolloutPercent}
              min={0}
              max={100}
              onChange={(rolloutPercent) => set({ rolloutPercent })}
            />
          </Field>
          <Variants
            variants={draft.variants}
            error={error}
            onChange={(variants) => set({ variants })}
          />
        </fieldset>
        <div className="stack">
          {saved !== undefined && <WhoGetsIt flagKey={saved.key} />}
          <section className="card">
            <h2 className="card-head">{words.snippet.title}</h2>
            <div className="card-body stack-tight">
              <p className="soft">{words.snippet.text}</p>
              <CodeLine text={readCurl()} />
            </div>
          </section>
        </div>
      </div>
      <LeaveQuestion isDirtyNow={state.isDirtyNow} onDiscard={state.discard} />
    </>
  );
}

function FlagHead({
  saved,
  isDirty,
  isBusy,
  onSave,
  onRemoved,
}: {
  readonly saved: Flag | undefined;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly onSave: () => void;
  /** Before its editor is left. */
  readonly onRemoved: () => void;
}) {
  const app = useApp();
  const [, go] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const refused = useRefusal('write');
  const remove = useAct('deleteFlag');
  const list = appPath(app.id, 'flags');
  return (
    <>
      <ScreenHead
        title={saved === undefined ? words.create : saved.key}
        crumb={{ to: list, label: words.title }}
        aside={isDirty && <Badge tone="notice">{words.unsaved}</Badge>}
        actions={
          <>
            {saved !== undefined && (
              <Button icon="trash" refused={refused} onClick={() => setRemoving(true)}>
                {words.remove}
              </Button>
            )}
            <Button kind="primary" refused={refused} isBusy={isBusy} onClick={onSave}>
              {words.save}
            </Button>
          </>
        }
      />
      {saved !== undefined && (
        <Confirm
          title={words.removeTitle(saved.key)}
          action={words.remove}
          typed={saved.key}
          isOpen={isRemoving}
          isBusy={remove.isPending}
          error={remove.error?.message}
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            remove.mutate(
              { path: { appId: app.id, key: saved.key }, base: saved },
              {
                onSuccess: () => {
                  tellDone(words.removed);
                  onRemoved();
                  go(list);
                },
              },
            )
          }
        >
          {words.removeText}
        </Confirm>
      )}
    </>
  );
}
