// Colors JSON while one types. Strings may hold Liquid, which is shown as such.

import type { StreamParser } from '@codemirror/language';

export const jsonMode: StreamParser<{ isInString: boolean }> = {
  name: 'json',
  startState: () => ({ isInString: false }),
  token(stream, state) {
    if (stream.sol()) state.isInString = false;
    if (!state.isInString) {
      if (stream.eatSpace()) return null;
      if (stream.match(/^"(\\.|[^"\\])*"(?=\s*:)/)) return 'propertyName';
      if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?/)) return 'number';
      if (stream.match(/^(true|false|null)\b/)) return 'atom';
      if (stream.eat('"')) state.isInString = true;
      else {
        stream.next();
        return null;
      }
    }
    if (stream.match(/^\{\{.*?\}\}|^\{%.*?%\}/)) return 'variableName';
    const start = stream.pos;
    while (!stream.eol() && !stream.match(/^\{[{%]/, false)) {
      const sign = stream.next();
      if (sign === '\\') stream.next();
      if (sign === '"') {
        state.isInString = false;
        break;
      }
    }
    // An output without an end.
    if (stream.pos === start) stream.next();
    return 'string';
  },
};
