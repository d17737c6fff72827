// How code looks: the dashboard's colors, which reach into the shadow root as custom properties.

import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const colors = HighlightStyle.define([
  { tag: tags.brace, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.variableName, color: 'var(--accent-strong)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--code-tag)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--code-attribute)' },
  { tag: tags.character, color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
]);

/** What the names mean that `liquidMode` gives its parts. */
export const liquidTokens = {
  function: tags.function(tags.variableName),
  variable: tags.variableName,
  angle: tags.angleBracket,
  tag: tags.tagName,
  attribute: tags.attributeName,
  entity: tags.character,
};

export const editorTheme = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'transparent',
    font: 'var(--code-font)',
    maxHeight: 'var(--code-height-max)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'inherit',
    lineHeight: 'inherit',
    overflow: 'auto',
    minHeight: 'var(--code-height-min)',
  },
  '.cm-content': { padding: 'var(--code-padding)', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '1.5px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--accent-line)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-wash)',
    outline: '1px solid var(--accent-line)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--notice) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint': { '&:after': { display: 'none' } },
  '.cm-tooltip': {
    font: '13px / 20px var(--font)',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '0',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow-top)',
    overflow: 'hidden',
    zIndex: '20',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: '13px / 20px var(--mono)',
    maxHeight: '240px',
    minWidth: '220px',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    justifyContent: 'space-between',
    gap: '16px',
    padding: '3px 8px',
    borderRadius: '4px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--ink)',
    background: 'var(--accent-wash)',
    outline: '1px solid var(--accent-line)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal', margin: '0' },
  '.cm-diagnostic': { borderLeft: '0', padding: '6px 10px', maxWidth: '360px' },
  '.cm-diagnostic-error': { color: 'var(--bad)' },
  '.cm-diagnostic-warning': { color: 'var(--notice)' },
});
