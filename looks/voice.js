// Voice: a call in progress, with what is said as captions. `said` has one text per sentence
// group; pauses lie between them.

import { lineArt, make } from './element.js';
import { phone } from './parts.js';

const keys = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['*', ''],
  ['0', '+'],
  ['#', ''],
];
const handset =
  'M3 14c5-5.500 13-5.500 18 0l-1.500 2.500-4-1.500v-2.500a10 10 0 0 0-7 0V15l-4 1.500z';

export function voiceLook(message) {
  const { at, sender = 'Unknown number', text } = message;
  const said = message.said ?? (text ? [text] : []);
  return phone(
    'voice',
    'ios',
    at,
    make(
      'div',
      { className: 'call' },
      make('p', { className: 'call-from' }, sender.replace(/^Call from /, '')),
      make('p', { className: 'call-state' }, 'Incoming call · 00:07'),
      make(
        'ol',
        { className: 'call-said', 'aria-label': 'What the voice says' },
        said.map((words) => make('li', {}, words)),
      ),
      make(
        'div',
        { className: 'call-keys', 'aria-hidden': 'true' },
        keys.map(([key, letters]) => make('span', {}, make('b', {}, key), make('i', {}, letters))),
      ),
      make('span', { className: 'call-end', 'aria-hidden': 'true' }, lineArt(handset, 'glyph')),
    ),
  );
}
