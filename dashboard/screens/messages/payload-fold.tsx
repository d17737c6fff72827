// What single channels need beside the words: approved templates and their parameters, a voice.
// Fields for what is usual, the whole as JSON for the rest.

import { useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { CodeEditor } from '../../editor/code-editor.tsx';
import type { TemplateName } from '../../editor/completion.ts';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { type MessageDraft, payloadAt, payloadWith } from './draft.ts';
import { Fold } from './fold.tsx';
import { words } from './words.ts';

const text = words.payload;

type Kind = 'text' | 'lines' | 'pairs';

interface PayloadField {
  readonly key: string;
  readonly label: string;
  readonly kind: Kind;
  readonly hint?: string;
}

const groups: readonly (readonly [member: string, title: string, readonly PayloadField[]])[] = [
  [
    'whatsapp',
    text.whatsapp,
    [
      { key: 'templateName', label: text.templateName, kind: 'text', hint: text.templateNameHint },
      { key: 'languageCode', label: text.languageCode, kind: 'text' },
      { key: 'headerParams', label: text.headerParams, kind: 'lines' },
      { key: 'bodyParams', label: text.bodyParams, kind: 'lines' },
      { key: 'buttonParams', label: text.buttonParams, kind: 'lines' },
    ],
  ],
  [
    'kakao',
    text.kakao,
    [
      { key: 'templateId', label: text.templateId, kind: 'text' },
      { key: 'senderKey', label: text.senderKey, kind: 'text' },
      { key: 'variables', label: text.variables, kind: 'pairs' },
    ],
  ],
  [
    'zalo',
    text.zalo,
    [
      { key: 'templateId', label: text.templateId, kind: 'text', hint: text.transactionHint },
      { key: 'params', label: text.params, kind: 'pairs' },
    ],
  ],
  [
    'voice',
    text.voice,
    [
      { key: 'language', label: text.voiceLanguage, kind: 'text' },
      { key: 'voice', label: text.voiceName, kind: 'text' },
    ],
  ],
];

export function PayloadFold({
  draft,
  onChange,
  error,
  names,
  onBroken,
}: {
  readonly draft: MessageDraft;
  readonly onChange: (draft: MessageDraft) => void;
  readonly error: ApiError | undefined;
  readonly names: readonly TemplateName[];
  /** The JSON cannot be read at the moment. */
  readonly onBroken: (isBroken: boolean) => void;
}) {
  const { payload } = draft;
  const problem = error?.of('payload');
  return (
    <Fold
      title={words.folds.channels}
      note={words.folds.channelsNote}
      isSet={Object.keys(payload).length > 0}
      hasProblem={problem !== undefined}
    >
      {groups.map(([member, title, fields]) => (
        <fieldset key={member} className="message-group">
          <legend className="field-label">{title}</legend>
          <div className="columns">
            {fields.map(({ key, label, kind, hint }) => (
              <Field
                key={key}
                label={label}
                hint={hint}
                error={error?.of(`payload.${member}.${key}`)}
              >
                <PayloadControl
                  kind={kind}
                  value={payloadAt(payload, member, key)}
                  onChange={(value) =>
                    onChange({ ...draft, payload: payloadWith(payload, member, key, value) })
                  }
                />
              </Field>
            ))}
          </div>
        </fieldset>
      ))}
      <PayloadJson
        payload={payload}
        names={names}
        error={problem}
        onBroken={onBroken}
        onChange={(next) => onChange({ ...draft, payload: next })}
      />
    </Fold>
  );
}

function PayloadControl({
  kind,
  value,
  onChange,
}: {
  readonly kind: Kind;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  // Lines and pairs are kept as typed: an empty line at the end is no parameter, and yet wanted.
  const [typed, setTyped] = useState<string>();
  if (kind === 'text')
    return (
      <TextInput
        value={typeof value === 'string' ? value : ''}
        spellCheck={false}
        onChange={onChange}
      />
    );
  const shown = kind === 'lines' ? linesOf(value) : pairsOf(value);
  const read = kind === 'lines' ? listIn : mapIn;
  const isCurrent =
    typed !== undefined && JSON.stringify(read(typed)) === JSON.stringify(read(shown));
  return (
    <TextArea
      rows={3}
      spellCheck={false}
      value={isCurrent ? typed : shown}
      onChange={(next) => {
        setTyped(next);
        onChange(read(next));
      }}
    />
  );
}

function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('\n') : '';
}

function listIn(lines: string): readonly string[] {
  return lines.split('\n').filter((line) => line.trim() !== '');
}

function pairsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, one]) => `${name} = ${String(one)}`)
    .join('\n');
}

function mapIn(lines: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf('=');
        return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );
}

function PayloadJson({
  payload,
  names,
  error,
  onChange,
  onBroken,
}: {
  readonly payload: MessageDraft['payload'];
  readonly names: readonly TemplateName[];
  readonly error: string | undefined;
  readonly onChange: (payload: MessageDraft['payload']) => void;
  readonly onBroken: (isBroken: boolean) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : objectIn(typed);
  // While it is broken, or says the same in its own form, it stays as typed.
  const isKept =
    read !== undefined &&
    ('problem' in read || JSON.stringify(read.value) === JSON.stringify(payload));
  const shown =
    isKept && typed !== undefined
      ? typed
      : Object.keys(payload).length === 0
        ? ''
        : JSON.stringify(payload, null, 2);
  const problem = isKept && read !== undefined && 'problem' in read ? read.problem : undefined;
  return (
    <CodeEditor
      label={text.other}
      mode="json"
      value={shown}
      names={names}
      hint={text.otherHint}
      error={problem === undefined ? error : text.invalid(problem)}
      onChange={(next) => {
        setTyped(next);
        const value = objectIn(next);
        onBroken('problem' in value);
        if ('value' in value) onChange(value.value);
      }}
    />
  );
}

function objectIn(
  json: string,
): { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  if (json.trim() === '') return { value: {} };
  try {
    const value = JSON.parse(json) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Readonly<Record<string, unknown>> };
    return { problem: 'it must begin with {' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
