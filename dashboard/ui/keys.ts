// Keyboard shortcuts. A screen lends its keys while it is shown; the newest holder of a key gets
// it. Single letters rest while one types, and can be switched off (WCAG 2.1.4).

import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** `c`, `?`, `mod+k`, or two letters one after the other: `g p`. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
  /** A field that one types in keeps this key: undo, for one. */
  readonly isFieldsOwn?: true;
}

const storeKey = 'engage.letters';
const sequenceMs = 1_200;
const held: (readonly Shortcut[])[] = [];
let before: { readonly key: string; readonly atMs: number } | undefined;

/** All shortcuts that work now, the newest holder first. */
export function activeShortcuts(): readonly Shortcut[] {
  const seen = new Set<string>();
  return held
    .toReversed()
    .flat()
    .filter(({ keys }) => !seen.has(keys) && seen.add(keys));
}

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `signature` stands for the list
  useEffect(() => {
    const own = latest.current.map((shortcut, at) => ({
      ...shortcut,
      run: () => latest.current[at]?.run(),
    }));
    held.push(own);
    return () => {
      held.splice(held.indexOf(own), 1);
    };
  }, [signature]);
}

export function lettersAreOn(): boolean {
  return localStorage.getItem(storeKey) !== 'off';
}

export function setLetters(isOn: boolean): void {
  localStorage.setItem(storeKey, isOn ? 'on' : 'off');
}

/** Handles the keys of the whole page; called once. Returns how to stop. */
export function listenToKeys(): () => void {
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const hasMod = event.metaKey || event.ctrlKey;
  const shift = event.shiftKey ? 'shift+' : '';
  const name = hasMod ? `mod+${shift}${event.key.toLowerCase()}` : event.key;
  if (!hasMod) {
    if (event.altKey || isTyping(event.target) || isInPopup(event.target)) return;
    if (!lettersAreOn() && name.length === 1) return;
  }
  const nowMs = Date.now();
  const sequence =
    before !== undefined && nowMs - before.atMs < sequenceMs ? `${before.key} ${name}` : undefined;
  before = { key: name, atMs: nowMs };
  const active = activeShortcuts();
  const found =
    active.find(({ keys }) => keys === sequence) ?? active.find(({ keys }) => keys === name);
  if (found === undefined || (found.isFieldsOwn === true && isTyping(event.target))) return;
  before = undefined;
  event.preventDefault();
  found.run();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest('input, textarea, select, [contenteditable="true"], [data-editor]');
  return field !== null && !(field instanceof HTMLInputElement && field.type === 'checkbox');
}

const popups = ['menu', 'listbox', 'dialog', 'alertdialog']
  .map((role) => `[role="${role}"]`)
  .join(', ');

/**
 * Menus and dialogs have keys of their own: a letter there must not leave the screen behind them.
 */
function isInPopup(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(popups) !== null;
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

/** A shortcut's keys as they are written on a keyboard: `⌘K`, `g` and `p`. */
export function keyCaps(keys: string): readonly string[] {
  return keys === ' ' ? ['Space'] : keys.split(' ').map(keyCap);
}

function keyCap(key: string): string {
  const parts = key.split('+');
  const last = parts.pop() ?? '';
  if (parts.length === 0) return last === 'Escape' ? 'Esc' : last;
  const name = last.length === 1 ? last.toUpperCase() : last;
  if (isApple()) return parts.map((part) => (part === 'mod' ? '⌘' : '⇧')).join('') + name;
  return [...parts.map((part) => (part === 'mod' ? 'Ctrl' : 'Shift')), name].join(' ');
}
