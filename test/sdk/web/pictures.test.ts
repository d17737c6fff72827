// In-app messages and the inbox look as they did when a person last looked, and axe finds nothing;
// `npm run pictures:sdk` draws them anew. And what the comparison sees here.

import t from 'tap';
import { axeFindings } from '../../dashboard/support/axe.ts';
import { keptSignatures } from '../../dashboard/support/kept-signatures.ts';
import { differences, signatureOf } from '../../dashboard/support/picture-signature.ts';
import { pixelsOf } from '../../dashboard/support/png.ts';
import { needsLetters } from '../../dashboard/support/still-place.ts';
import { drawnInboxes, inboxFile } from './support/drawn-inbox.ts';
import { drawnMessages, messagesFile } from './support/drawn-messages.ts';

t.setTimeout(300_000);

const blockSide = 20;
/** What a change of the look would do; each must be seen. */
const restyled = [
  '.box { translate: 16px 0 }',
  '.action { display: none }',
  'h2 { display: none }',
];

t.test('each in-app message looks as it was kept', needsLetters, async (t) => {
  const kept = keptSignatures(messagesFile);
  const seen: string[] = [];
  for await (const { name, drawn, page } of drawnMessages(t)) {
    seen.push(name);
    const was = kept[name];
    const found = was === undefined ? ['no signature is kept'] : differences(was, drawn);
    t.strictSame(found, [], `${name}: as it was; if it shall change, npm run pictures:sdk`);
    t.strictSame(await axeFindings(page), [], name);
    if (!name.endsWith('-light')) continue;
    for (const css of restyled) {
      await page.evaluate(`(() => {
        const {shadowRoot} = document.querySelector('engage-in-app');
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(${JSON.stringify(css)});
        shadowRoot.adoptedStyleSheets = [shadowRoot.adoptedStyleSheets[0], sheet];
      })()`);
      const now = signatureOf(pixelsOf(await page.screenshot()), blockSide);
      t.not(differences(drawn, now).length, 0, `${name}: ${css}`);
    }
  }
  t.strictSame(seen.sort(), Object.keys(kept).sort(), 'each kept picture is drawn');
});

t.test('the open inbox looks as it was kept, and nothing is cut off', needsLetters, async (t) => {
  const kept = keptSignatures(inboxFile);
  const seen: string[] = [];
  for await (const { name, drawn, page } of drawnInboxes(t)) {
    seen.push(name);
    const was = kept[name];
    const found = was === undefined ? ['no signature is kept'] : differences(was, drawn);
    t.strictSame(found, [], `${name}: as it was; if it shall change, npm run pictures:sdk`);
    t.strictSame(await axeFindings(page), [], name);
  }
  t.strictSame(seen.sort(), Object.keys(kept).sort(), 'each kept picture is drawn');
});
