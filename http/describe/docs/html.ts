// Writes HTML from data: escaping, `code` and **bold** in descriptions, and colored JSON.

/** HTML that is safe on a page. All other text goes through `escaped`. */
export type Html = string;

/** Safe between tags and in quoted attributes. */
export function escaped(text: string): Html {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** A sentence, escaped, with `code` and **bold** marked up. */
export function inline(text: string): Html {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
}

/** Paragraphs, separated by empty lines. */
export function paragraphs(text: string): Html {
  return text
    .split('\n\n')
    .map((part) => `<p>${inline(part)}</p>`)
    .join('\n');
}

/** `Send a message` → `send-a-message`. */
export function slug(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function jsonHtml(value: unknown): Html {
  const source = JSON.stringify(value, null, 2);
  let html = '';
  let from = 0;
  for (const match of source.matchAll(token)) {
    const [whole, string, colon, word] = match;
    html += escaped(source.slice(from, match.index));
    const kind =
      string === undefined ? (word === undefined ? 'n' : 'w') : colon === undefined ? 's' : 'k';
    html += `<span class="j-${kind}">${escaped(string ?? whole)}</span>${colon ?? ''}`;
    from = match.index + whole.length;
  }
  return html + escaped(source.slice(from));
}
