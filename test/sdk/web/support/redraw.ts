// Draws every in-app message anew and keeps the signatures. Each picture is written for a person to
// look at:
//   npm run build && npm run pictures:sdk

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { keptSignatures, writeSignatures } from '../../../dashboard/support/kept-signatures.ts';
import { differences, type Signature } from '../../../dashboard/support/picture-signature.ts';
import { root } from '../../../support/places.ts';
import { drawnMessages, messagesFile } from './drawn-messages.ts';

t.setTimeout(0);
await t.test('drawn anew', async (t) => {
  const folder = join(root, 'dist/pictures-changed');
  mkdirSync(folder, { recursive: true });
  const kept = keptSignatures(messagesFile);
  const now: Record<string, Signature> = {};
  for await (const { name, png, drawn } of drawnMessages(t)) {
    const was = kept[name];
    const found = was === undefined ? ['new'] : differences(was, drawn);
    now[name] = was === undefined || found.length > 0 ? drawn : was;
    if (found.length > 0) writeFileSync(join(folder, `in-app-${name}.png`), png);
  }
  writeSignatures(now, messagesFile);
  t.comment(`the signatures of ${Object.keys(now).length} pictures are kept; look at ${folder}`);
});
