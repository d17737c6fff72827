// Draws every in-app message and the inbox anew and keeps the signatures. Each picture that changed
// is written for a person to look at:
//   npm run build && npm run pictures:sdk

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { keptSignatures, writeSignatures } from '../../../dashboard/support/kept-signatures.ts';
import { differences, type Signature } from '../../../dashboard/support/picture-signature.ts';
import { root } from '../../../support/places.ts';
import { drawnInboxes, inboxFile } from './drawn-inbox.ts';
import { drawnMessages, messagesFile } from './drawn-messages.ts';

t.setTimeout(0);
await t.test('drawn anew', async (t) => {
  const folder = join(root, 'dist/pictures-changed');
  mkdirSync(folder, { recursive: true });
  for (const [what, file, pictures] of [
    ['in-app', messagesFile, drawnMessages],
    ['inbox', inboxFile, drawnInboxes],
  ] as const) {
    const kept = keptSignatures(file);
    const now: Record<string, Signature> = {};
    for await (const { name, png, drawn } of pictures(t)) {
      const was = kept[name];
      const found = was === undefined ? ['new'] : differences(was, drawn);
      now[name] = was === undefined || found.length > 0 ? drawn : was;
      if (found.length > 0) writeFileSync(join(folder, `${what}-${name}.png`), png);
    }
    writeSignatures(now, file);
    t.comment(`${what}: the signatures of ${Object.keys(now).length} pictures; look at ${folder}`);
  }
});
