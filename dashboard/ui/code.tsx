// Ids and commands, which copy with one click.

import { useState } from 'react';
import { words } from '../words/en.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { tellError } from './toast.tsx';

const shownMs = 1_500;

function useCopy(): readonly [boolean, (text: string) => void] {
  const [isCopied, setCopied] = useState(false);
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), shownMs);
      },
      () => tellError(words.copy.failed),
    );
  return [isCopied, (text) => void copy(text)];
}

/** An id or another short text. `shown` is a shorter form of it. */
export function Copyable({ text, shown }: { readonly text: string; readonly shown?: string }) {
  const [isCopied, copy] = useCopy();
  return (
    <button
      type="button"
      className="copyable"
      title={words.copy.it(text)}
      onClick={(event) => {
        event.stopPropagation();
        copy(text);
      }}
    >
      <span>{shown ?? text}</span>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span className="sr-only" role="status">
        {isCopied ? words.copy.done : ''}
      </span>
    </button>
  );
}

/** A command or a secret in a box of its own. */
export function CodeLine({ text }: { readonly text: string }) {
  const [isCopied, copy] = useCopy();
  return (
    <div className="code-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <IconButton
        label={isCopied ? words.copy.done : words.copy.command}
        icon={isCopied ? 'check' : 'copy'}
        size="small"
        onClick={() => copy(text)}
      />
    </div>
  );
}
