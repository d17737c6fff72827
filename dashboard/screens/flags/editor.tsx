// One flag: on or off, for whom, what share of them, which variants; and what one person gets.

import { useLocation } from 'wouter';
import type { Filter, Flag } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { FilterEditor } from '../../filter/editor.tsx';
import { actionsOn, removing } from '../../kit/action.ts';
import { type DraftTools, useDraft } from '../../kit/draft.ts';
import { FormEditor } from '../../kit/form-editor.tsx';
import { appPath } from '../../ui/address.ts';
import { Toggle } from '../../ui/choices.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { keyPlace } from '../../ui/thing-key.ts';
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

const remove = actionsOn<Flag>()({
  ...removing(words.remove),
  confirm: ({ key }) => ({ title: words.removeTitle(key), text: words.removeText, typed: key }),
  operation: 'deleteFlag',
  args: (flag, appId) => ({ path: { appId, key: flag.key }, base: flag }),
  done: () => words.removed,
  goTo: () => ['flags'],
});

export function FlagEditor({ saved }: { readonly saved: Flag | undefined }) {
  const app = useApp();
  const refused = useRefusal('write');
  const tools = useFlagDraft(saved, refused);
  return (
    <FormEditor
      title={saved?.key ?? words.create}
      crumb={{ to: appPath(app.id, 'flags'), label: words.title }}
      {...{ tools, saved, refused, remove }}
      aside={
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
      }
    >
      <FlagFields tools={tools} isNew={saved === undefined} refused={refused} />
    </FormEditor>
  );
}

function useFlagDraft(saved: Flag | undefined, refused: string | undefined) {
  const app = useApp();
  const [, go] = useLocation();
  const create = useAct('createFlag');
  const update = useAct('updateFlag');
  const path = { appId: app.id };
  return useDraft<FlagDraft, Flag>({
    saved,
    start: empty,
    draftOf,
    keptAs: (flag) => keptKey('flag', app.id, flag?.key ?? 'new flag'),
    restore: (kept) => (Array.isArray(kept.variants) ? (kept as FlagDraft) : undefined),
    refused,
    send: (draft, now, base) => {
      const { key, ...body } = bodyOf(draft);
      return now === undefined
        ? create.mutateAsync({ path, body: { key, ...body } })
        : update.mutateAsync({ path: { ...path, key: now.key }, body, base });
    },
    onSaved: (flag, isNew) => {
      tellDone(isNew ? words.created : words.saved);
      if (isNew) go(appPath(app.id, ...keyPlace('flags', flag.key)), { replace: true });
    },
  });
}

function FlagFields({
  tools: { draft, change, error },
  isNew,
  refused,
}: {
  readonly tools: DraftTools<FlagDraft, Flag>;
  readonly isNew: boolean;
  readonly refused: string | undefined;
}) {
  return (
    <>
      {isNew && (
        <Field label={words.key} hint={words.keyHint} error={error?.of('key')}>
          <TextInput value={draft.key} spellCheck={false} onChange={(key) => change({ key })} />
        </Field>
      )}
      <div className="row">
        <Toggle
          label={words.enabled}
          isOn={draft.enabled}
          refused={refused}
          onChange={(enabled) => change({ enabled })}
        />
        <strong>{draft.enabled ? words.on : words.off}</strong>
        <span className="soft">{words.enabledHint}</span>
      </div>
      <section className="stack-tight">
        <FilterEditor
          title={<h2>{words.audience}</h2>}
          hasReach={false}
          value={draft.filter}
          onChange={(filter) => change({ filter })}
          errors={error?.issues ?? []}
        />
      </section>
      <Field label={words.share} hint={words.shareHint} error={error?.of('rolloutPercent')}>
        <NumberInput
          value={draft.rolloutPercent}
          min={0}
          max={100}
          onChange={(rolloutPercent) => change({ rolloutPercent })}
        />
      </Field>
      <Variants
        variants={draft.variants}
        error={error}
        onChange={(variants) => change({ variants })}
      />
    </>
  );
}
