// The code editor itself, loaded when the first one is shown. It stands in a shadow root, where it
// may style itself by adopted sheets; in the page the policy would refuse its styles.

import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  placeholder,
} from '@codemirror/view';
import { colors, editorTheme, liquidTokens } from './code-theme.ts';
import { completionsAt, type TemplateName } from './completion.ts';
import { placedIssues, type TextIssue } from './issue-places.ts';
import { jsonMode } from './json-mode.ts';
import { liquidMode } from './liquid-mode.ts';

export interface CodeOptions {
  readonly text: string;
  readonly label: string;
  readonly mode: 'liquid' | 'json';
  readonly isOneLine: boolean;
  readonly placeholder: string;
  readonly isReadOnly: boolean;
  onChange(text: string): void;
  names(): readonly TemplateName[];
}

/** One editor within a host element. */
export interface Code {
  setText(text: string): void;
  setIssues(issues: readonly TextIssue[]): void;
  setLabel(label: string, problem: string | undefined): void;
  /** Puts text where the cursor is. */
  insert(text: string): void;
  focus(): void;
  destroy(): void;
}

export function openCode(host: HTMLElement, options: CodeOptions): Code {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const attributes = new Compartment();
  // Names what the editor is for, and the first problem, to a screen reader.
  const named = (label: string, problem: string | undefined) =>
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-invalid': String(problem !== undefined),
      ...(problem === undefined ? {} : { 'aria-description': problem }),
    });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        ...extensions(options),
        attributes.of(named(options.label, undefined)),
        EditorView.updateListener.of((update) => {
          const isOurs = update.transactions.some((one) => one.annotation(Transaction.remote));
          if (update.docChanged && !isOurs) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(text) {
      const old = view.state.doc.toString();
      if (text === old) return;
      view.dispatch({
        changes: { from: 0, to: old.length, insert: text },
        annotations: Transaction.remote.of(true),
      });
    },
    setIssues: (issues) => view.dispatch(setDiagnostics(view.state, diagnostics(view, issues))),
    setLabel: (label, problem) =>
      view.dispatch({ effects: attributes.reconfigure(named(label, problem)) }),
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function extensions(options: CodeOptions): Extension[] {
  const { mode, isOneLine, isReadOnly } = options;
  return [
    history(),
    drawSelection(),
    highlightSpecialChars(),
    closeBrackets(),
    bracketMatching(),
    mode === 'json'
      ? StreamLanguage.define(jsonMode)
      : StreamLanguage.define({ ...liquidMode, tokenTable: liquidTokens }),
    syntaxHighlighting(colors),
    editorTheme,
    placeholder(options.placeholder),
    EditorState.readOnly.of(isReadOnly),
    ...(isOneLine ? [oneLine] : [EditorView.lineWrapping]),
    ...(mode === 'json'
      ? []
      : [autocompletion({ override: [sourceOf(options)], icons: false, aboveCursor: false })]),
    // Tab accepts a suggestion and otherwise leaves the editor, so the keyboard is not caught.
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap.filter(({ key }) => !(isOneLine && key === 'Enter')),
    ]),
  ];
}

/** A line break that is typed or pasted becomes a space. */
const oneLine = EditorState.transactionFilter.of((change) => {
  if (!change.docChanged || change.newDoc.lines === 1) return change;
  const text = change.newDoc.toString().replace(/\s*\n\s*/g, ' ');
  const isTyped = change.isUserEvent('input.type') || change.newDoc.lines > 2;
  return [
    {
      changes: { from: 0, to: change.startState.doc.length, insert: isTyped ? text.trim() : text },
      selection: { anchor: Math.min(change.newSelection.main.head, text.trimEnd().length) },
    },
  ];
});

function sourceOf({ names }: CodeOptions) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const found = completionsAt(state.sliceDoc(Math.max(0, pos - 500), pos), names());
    if (found === undefined) return null;
    const shift = Math.max(0, pos - 500);
    const from = found.from + shift;
    const isEmpty =
      from === pos && !explicit && !/[{|%]\s?$/.test(state.sliceDoc(Math.max(0, pos - 2), pos));
    if (isEmpty) return null;
    return {
      from,
      validFor: /^[\p{L}\p{N}_.-]*$/u,
      options: found.options.map(({ label, kind, detail, apply }, place) => ({
        label,
        // In the order that they come in: what most people have first.
        boost: Math.max(99 - place, -99),
        type: kind,
        ...(detail === undefined ? {} : { detail }),
        ...(apply === undefined
          ? kind === 'tag' || kind === 'variable'
            ? { apply: spacedName(label) }
            : {}
          : { apply: wholeOutput(apply) }),
      })),
    };
  };
}

/** With a space before the braces that closed by themselves, as there is one after the others. */
function spacedName(name: string) {
  return (view: EditorView, _completion: unknown, from: number, to: number) => {
    const isSpaced = view.state.sliceDoc(Math.max(0, from - 1), from) === ' ';
    const text = isSpaced && view.state.sliceDoc(to, to + 1) === '}' ? `${name} ` : name;
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.complete',
    });
  };
}

/** Takes the place of the brace that was typed, and of the one that closed it by itself. */
function wholeOutput(text: string) {
  return (view: EditorView, _completion: unknown, from: number, to: number) => {
    const end = view.state.sliceDoc(to, to + 1) === '}' ? to + 1 : to;
    view.dispatch({
      changes: { from, to: end, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.complete',
    });
  };
}

function diagnostics(view: EditorView, issues: readonly TextIssue[]): Diagnostic[] {
  return placedIssues(view.state.doc.toString(), issues).map(({ from, to, level, error }) => ({
    from,
    to,
    severity: level,
    message: error,
  }));
}
