// Every screen looks as it did when a person last looked; `npm run pictures` draws them anew, with
// the old picture beside each new one. And what the comparison sees, on real screens: a panel that
// moved, a column that is gone, a token of another color; not that letters are drawn otherwise.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { root } from '../support/places.ts';
import { desk } from './support/browser.ts';
import { answersOf, drawn, drawnScreens, stillScreens } from './support/drawn-screens.ts';
import { keptSignatures } from './support/kept-signatures.ts';
import { differences } from './support/picture-signature.ts';
import { show } from './support/screen-list.ts';
import { liberation, needsLetters, type StillPlace, stillPlace } from './support/still-place.ts';

/** The server's clock is slow, and so is what waits by it. */
t.setTimeout(600_000);

t.test('pictures', needsLetters, async (t) => {
  const place = await stillPlace(t);
  await t.test('each screen looks as it was kept', (t) => areAsKept(t, place));
  const seen = await opened(place);
  await t.test('a panel that moves 16 pixels is seen', (t) => movesPanels(t, seen));
  await t.test('a column that is gone is seen', (t) => hidesColumns(t, seen));
  await t.test('a token of another color is seen', (t) => changesTokens(t, seen));
  await t.test('letters that are drawn otherwise are not', (t) => seesNoLetters(t, place, seen));
});

async function areAsKept(t: Test, place: StillPlace): Promise<void> {
  const kept = keptSignatures();
  const seen = new Set<string>();
  for await (const { name, drawn } of drawnScreens(place)) {
    seen.add(name);
    const was = kept[name];
    const found = was === undefined ? ['no signature is kept'] : differences(was, drawn);
    t.strictSame(found, [], `${name}: as it was; if it shall change, npm run pictures`);
  }
  t.strictSame([...seen].sort(), Object.keys(kept), 'each kept picture is drawn');
}

const side = 30;

/** A page of the place, and what opens one of its screens there and draws it. */
async function opened(place: StillPlace) {
  const page = await place.open('home', { size: desk });
  const answered = answersOf(page);
  return {
    page,
    async first(name: string) {
      const screen = stillScreens(place).find((one) => one.name === name);
      if (screen === undefined) throw new Error(`no screen ${name}`);
      await show(page, place, screen);
      await answered();
      return (await drawn(page, side)).drawn;
    },
    now: async () => (await drawn(page, side)).drawn,
  };
}

/** As a changed style sheet of the dashboard would; the sheet before it goes. */
async function restyle(page: Page, css: string): Promise<void> {
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets = [sheet];
  })()`);
}

type Seen = Awaited<ReturnType<typeof opened>>;

async function movesPanels(t: Test, { page, first, now }: Seen): Promise<void> {
  const panels = { home: '.card', activity: '.table', channels: '.card', 'new-campaign': '.card' };
  for (const [name, panel] of Object.entries(panels)) {
    const was = await first(name);
    for (const move of ['translate: 16px 0', 'translate: 0 16px']) {
      await restyle(page, `:nth-child(1 of ${panel}) { ${move} }`);
      const found = differences(was, await now());
      t.not(found.length, 0, `${name}, ${move}: ${found}`);
    }
    await restyle(page, '');
    t.strictSame(differences(was, await now()), [], `${name}, back where it was`);
  }
}

/** The last of `campaigns` has three dots a row, which is less than what letters may differ by. */
async function hidesColumns(t: Test, { page, first, now }: Seen): Promise<void> {
  const columns = { activity: 6, campaigns: 7, people: 6 };
  for (const [name, last] of Object.entries(columns)) {
    const was = await first(name);
    for (let at = 2; at <= last; at++) {
      await restyle(page, `.table-cell:nth-child(${at}) { visibility: hidden }`);
      const found = differences(was, await now());
      t.not(found.length, 0, `${name}, column ${at}: ${found}`);
    }
    await restyle(page, '');
  }
}

/** Of areas and lines; others are only in letters, which may differ, or under the pointer. */
const tokens: Readonly<Record<string, readonly string[]>> = {
  home: ['ground', 'surface', 'pressed', 'line', 'ink', 'accent', 'accent-wash', 'notice-wash'],
  activity: ['line-strong', 'good-wash', 'off-wash'],
  people: ['raised'],
  campaign: ['sunken'],
};

async function changesTokens(t: Test, { page, first, now }: Seen): Promise<void> {
  const sheet = readFileSync(join(root, 'dashboard/style/tokens.css'), 'utf8');
  for (const [name, changed] of Object.entries(tokens)) {
    const was = await first(name);
    for (const token of changed) {
      await restyle(page, `:root { --${token}: ${another(sheet, token)} }`);
      const found = differences(was, await now());
      t.not(found.length, 0, `${token}, ${name}: ${found}`);
    }
    await restyle(page, '');
  }
}

/** A little darker or lighter, and a little of another hue. */
function another(sheet: string, token: string): string {
  const form = new RegExp(`--${token}: light-dark\\(oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`);
  const [light = 0, chroma = 0, hue = 0] = (form.exec(sheet)?.slice(1) ?? []).map(Number);
  return `oklch(${light > 0.7 ? light - 0.04 : light + 0.08} ${chroma} ${hue + 30})`;
}

async function seesNoLetters(t: Test, place: StillPlace, plain: Seen): Promise<void> {
  const hinted = await opened(place.lettered({ ...liberation, isHinted: true }));
  for (const name of ['home', 'person', 'settings', 'channels', 'campaign', 'message'])
    t.strictSame(differences(await plain.first(name), await hinted.first(name)), [], name);
}
