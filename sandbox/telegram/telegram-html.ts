// Telegram's HTML as its server reads it: a few tags, four entities, closed in order, Telegram's
// refusals. The text counts toward the length and is what people see.

/** Text, with its first line if bold; or the problem in Telegram's terms. */
type ReadHtml =
  | { readonly text: string; readonly boldLine?: string }
  | { readonly problem: string };

const tags = new Set([
  ...['b', 'strong', 'i', 'em', 'u', 'ins', 's', 'strike', 'del', 'a', 'code', 'pre', 'blockquote'],
  ...['tg-spoiler', 'tg-emoji', 'span'],
]);
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const piece = /<(\/?)([a-z][a-z0-9-]*)?((?:\s[^<>]*)?)>?|&(#\d{1,7}|[a-z]+);|[^<&]+|&/gi;

export function readHtml(html: string): ReadHtml {
  let text = '';
  let boldTo = 0;
  const open: string[] = [];
  for (const match of html.matchAll(piece)) {
    const [whole, slash, tag = '', , entity] = match;
    if (entity !== undefined) {
      text += decoded(entity) ?? whole;
    } else if (!whole.startsWith('<')) {
      text += whole;
    } else {
      const name = tag.toLowerCase();
      const at = `at byte offset ${Buffer.byteLength(html.slice(0, match.index))}`;
      if (!whole.endsWith('>') || !tags.has(name))
        return { problem: `Unsupported start tag "${name}" ${at}` };
      if (slash === '') {
        open.push(name);
      } else {
        if (open.pop() !== name) return { problem: `Unmatched end tag ${at}` };
        if (name === 'b' && match.index + whole.length === html.indexOf('</b>') + 4)
          boldTo = text.length;
      }
    }
  }
  const [unclosed] = open;
  if (unclosed !== undefined)
    return { problem: `Can't find end tag corresponding to start tag "${unclosed}"` };
  const isLine = html.startsWith('<b>') && (boldTo === text.length || text[boldTo] === '\n');
  return isLine ? { text, boldLine: text.slice(0, boldTo) } : { text };
}

function decoded(entity: string): string | undefined {
  if (!entity.startsWith('#')) return entities[entity.toLowerCase()];
  const code = Number(entity.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
