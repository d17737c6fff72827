// Every screen looks as it did when a person last looked. `npm run pictures` draws them anew, with
// the old picture beside each new one.

import t from 'tap';
import { drawnScreens } from './support/drawn-screens.ts';
import { keptSignatures } from './support/kept-signatures.ts';
import { differences } from './support/picture-signature.ts';
import { needsLetters } from './support/still-place.ts';

t.test('each screen looks as it was kept', needsLetters, async (t) => {
  const kept = keptSignatures();
  const seen = new Set<string>();
  for await (const { name, drawn } of drawnScreens(t)) {
    seen.add(name);
    const was = kept[name];
    const found = was === undefined ? ['no signature is kept'] : differences(was, drawn);
    t.strictSame(found, [], `${name}: as it was; if it shall change, npm run pictures`);
  }
  t.strictSame([...seen].sort(), Object.keys(kept), 'each kept picture is drawn');
});
