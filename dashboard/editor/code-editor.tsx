// A field whose text may be Liquid, HTML or JSON. Until the editor is loaded it is a plain control,
// so that nobody waits for it to type.

import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { focusLater } from '../ui/focus-later.ts';
import { Icon } from '../ui/icon.tsx';
import type { Code } from './code-mirror.ts';
import type { TemplateName } from './completion.ts';
import type { TextIssue } from './issue-places.ts';
import { words } from './words.ts';

interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly mode?: 'liquid' | 'json';
  readonly isOneLine?: boolean;
  /** Higher, for whole mails. */
  readonly isTall?: boolean;
  readonly isReadOnly?: boolean;
  readonly placeholder?: string;
  readonly hint?: ReactNode;
  /** Problems of this text, as the preview tells them. */
  readonly issues?: readonly TextIssue[];
  /** Of the whole field, as saving tells it. */
  readonly error?: string | undefined;
  readonly names?: readonly TemplateName[];
  /** Set while the editor is shown, to insert text from outside. */
  readonly handle?: RefObject<Code | undefined>;
}

const none: readonly never[] = [];

export function CodeEditor(props: CodeEditorProps) {
  const { label, hint, error, issues = none, isOneLine = false, isTall = false } = props;
  const id = useId();
  const { host, code, isLoaded } = useCode(props);
  const first = error ?? issues.find(({ level }) => level === 'error')?.error;
  return (
    <div className="field">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the editor takes the focus by Tab as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a label that cannot point into a shadow root */}
      <span className="field-label" id={id} onClick={() => code.current?.focus()}>
        {label}
      </span>
      <div
        className={classNames(
          'code-box',
          isOneLine && 'one-line',
          isTall && 'tall',
          props.isReadOnly === true && 'read-only',
          first !== undefined && 'invalid',
        )}
      >
        <div ref={host} data-editor="" className="code-host" hidden={!isLoaded} />
        {!isLoaded && <Plain {...props} labelledBy={id} />}
      </div>
      {hint && <p className="field-hint">{hint}</p>}
      <TextIssues error={error} issues={issues} />
    </div>
  );
}

/** What one sees and types in before the code of the editor is there. */
function Plain({
  value,
  onChange,
  isOneLine,
  placeholder,
  labelledBy,
}: CodeEditorProps & { readonly labelledBy: string }) {
  const Tag = isOneLine === true ? 'input' : 'textarea';
  return (
    <Tag
      className="code-plain"
      aria-labelledby={labelledBy}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const shownMax = 3;

/** What is wrong with a text, below it. */
export function TextIssues({
  error,
  issues,
}: {
  readonly error: string | undefined;
  readonly issues: readonly TextIssue[];
}) {
  const shown = issues.filter((issue) => issue.error !== error).slice(0, shownMax);
  const left = issues.length - shown.length;
  return (
    <>
      {error && (
        <p className="field-error" role="alert">
          <Icon name="warning" />
          {error}
        </p>
      )}
      {shown.map((issue) => (
        <p
          key={`${issue.line} ${issue.column} ${issue.error}`}
          className={issue.level === 'error' ? 'field-error' : 'field-warning'}
        >
          <Icon name={issue.level === 'error' ? 'warning' : 'info'} />
          {words.issue(issue)}
        </p>
      ))}
      {left > 0 && shown.length === shownMax && (
        <p className="field-hint">{words.moreIssues(left)}</p>
      )}
    </>
  );
}

/** Keeps an editor in the host and its text, problems and name as the props say. */
function useCode(props: CodeEditorProps) {
  const { label, value, error, issues = none } = props;
  const host = useRef<HTMLDivElement>(null);
  const own = useRef<Code>(undefined);
  const code = props.handle ?? own;
  const latest = useRef(props);
  latest.current = props;
  const [isLoaded, setLoaded] = useState(false);
  const { mode = 'liquid', isOneLine = false, isReadOnly = false, placeholder = '' } = props;

  useEffect(() => {
    let isGone = false;
    void import('./code-mirror.ts').then(({ openCode }) => {
      if (isGone || host.current === null) return;
      code.current = openCode(host.current, {
        text: latest.current.value,
        label: latest.current.label,
        mode,
        isOneLine,
        isReadOnly,
        placeholder,
        onChange: (text) => latest.current.onChange(text),
        names: () => latest.current.names ?? none,
      });
      const plain = host.current.parentElement?.querySelector('.code-plain');
      const hadFocus = plain === document.activeElement;
      setLoaded(true);
      if (hadFocus) focusLater(() => code.current?.focus());
    });
    return () => {
      isGone = true;
      code.current?.destroy();
      code.current = undefined;
      setLoaded(false);
    };
  }, [code, mode, isOneLine, isReadOnly, placeholder]);
  useEffect(() => code.current?.setText(value), [code, value]);
  useEffect(() => {
    if (isLoaded) code.current?.setIssues(issues);
  }, [code, issues, isLoaded]);
  useEffect(() => {
    const problem = error ?? issues[0]?.error;
    if (isLoaded) code.current?.setLabel(label, problem);
  }, [code, label, error, issues, isLoaded]);
  return { host, code, isLoaded };
}
