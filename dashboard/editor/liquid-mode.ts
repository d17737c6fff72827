// Colors Liquid within HTML while one types. A reader of single lines that keeps where it is; what
// is right or wrong is the server's to say.

import type { StreamParser, StringStream } from '@codemirror/language';

/** What the reader is inside of; an HTML tag goes on after the Liquid within it. */
interface LiquidState {
  /** Behind `{{` or `{%`, up to their end. */
  liquid: 'none' | 'output' | 'tag';
  /** The name of a Liquid tag comes next. */
  isTagStart: boolean;
  /** The name of a filter comes next. */
  isFilter: boolean;
  html: 'text' | 'tag' | 'comment';
  /** The quote that ends an attribute's value. */
  quote: '' | '"' | "'";
  /** Between `{% raw %}` or `{% comment %}` and its end. */
  block: '' | 'raw' | 'comment';
}

const keywords = new Set([
  'and',
  'or',
  'not',
  'contains',
  'in',
  'by',
  'limit',
  'offset',
  'reversed',
]);
const constants = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);

export const liquidMode: StreamParser<LiquidState> = {
  name: 'liquid',
  startState: () => ({
    liquid: 'none',
    isTagStart: false,
    isFilter: false,
    html: 'text',
    quote: '',
    block: '',
  }),
  token(stream, state) {
    if (state.liquid !== 'none') return insideLiquid(stream, state);
    if (state.block !== '') return insideBlock(stream, state);
    const opened = stream.match(/^\{([{%])-?/) as RegExpMatchArray | null;
    if (opened !== null) {
      state.liquid = opened[1] === '{' ? 'output' : 'tag';
      state.isTagStart = state.liquid === 'tag';
      state.isFilter = false;
      return 'brace';
    }
    if (state.html === 'comment') return insideComment(stream, state);
    return state.html === 'tag' ? insideTag(stream, state) : text(stream, state);
  },
  languageData: { closeBrackets: { brackets: ['{'] } },
};

function insideLiquid(stream: StringStream, state: LiquidState): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(state.liquid === 'output' ? /^-?\}\}/ : /^-?%\}/)) {
    state.liquid = 'none';
    return 'brace';
  }
  if (stream.match(/^"[^"]*"?|^'[^']*'?/)) return 'string';
  if (stream.match(/^-?\d+(\.\d+)?/)) return 'number';
  if (stream.eat('|')) {
    state.isFilter = true;
    return 'operator';
  }
  const name = stream.match(/^[\p{L}_][\p{L}\p{N}_-]*\??/u) as RegExpMatchArray | null;
  if (name !== null) return nameWithin(name[0], state);
  stream.next();
  return 'operator';
}

function nameWithin(name: string, state: LiquidState): string {
  if (state.isTagStart) {
    state.isTagStart = false;
    if (name === 'raw' || name === 'comment') state.block = name;
    return 'keyword';
  }
  if (state.isFilter) {
    state.isFilter = false;
    return 'function';
  }
  if (keywords.has(name)) return 'keyword';
  return constants.has(name) ? 'atom' : 'variable';
}

/** Raw text and comments hold what looks like Liquid and is none. */
function insideBlock(stream: StringStream, state: LiquidState): string | null {
  const end = new RegExp(`\\{%-?\\s*end${state.block}`);
  const style = state.block === 'comment' ? 'comment' : null;
  const at = stream.string.slice(stream.pos).search(end);
  if (at === 0) {
    stream.match(/^\{%-?/);
    state.block = '';
    state.liquid = 'tag';
    state.isTagStart = true;
    return 'brace';
  }
  if (at > 0) stream.pos += at;
  else stream.skipToEnd();
  return style;
}

function insideComment(stream: StringStream, state: LiquidState): string {
  if (stream.match(/^.*?-->/)) state.html = 'text';
  else stream.skipToEnd();
  return 'comment';
}

function insideTag(stream: StringStream, state: LiquidState): string | null {
  if (state.quote !== '') {
    while (!stream.eol() && !stream.match(/^\{[{%]/, false))
      if (stream.next() === state.quote) {
        state.quote = '';
        break;
      }
    return 'string';
  }
  if (stream.eatSpace()) return null;
  if (stream.match(/^\/?>/)) {
    state.html = 'text';
    return 'angle';
  }
  const quote = stream.match(/^["']/) as RegExpMatchArray | null;
  if (quote !== null) {
    state.quote = quote[0] as '"' | "'";
    return 'string';
  }
  if (stream.match(/^[\w:-]+/)) return 'attribute';
  stream.next();
  return null;
}

function text(stream: StringStream, state: LiquidState): string | null {
  if (stream.match('<!--')) {
    state.html = 'comment';
    return 'comment';
  }
  if (stream.match(/^<\/?[a-zA-Z][\w:-]*|^<!\w*/)) {
    state.html = 'tag';
    return 'tag';
  }
  if (stream.match(/^&(#\d+|#x[\da-f]+|\w+);/i)) return 'entity';
  stream.next();
  stream.eatWhile(/[^{<&]/);
  return null;
}
