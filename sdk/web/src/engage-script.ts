// The script of a `<script>` tag: the global `Engage`, and what the page pushed to `engageReady`
// before it was there.

import { browser } from './browser.ts';
import { WebEngage } from './web-engage.ts';

type Ready = (engage: WebEngage) => void;
const page = globalThis as { Engage?: WebEngage; engageReady?: { push(ready: Ready): unknown } };
const waiting = page.engageReady;
/** The modules lie beside this script, which a browser does not tell a script of another origin. */
const here = (document.currentScript as HTMLScriptElement | null)?.src ?? location.href;
const load = (name: string) => () => import(new URL(`${name}.js`, here).href);
const Engage = new WebEngage(browser, {
  rare: load('rare'),
  feed: load('feed'),
  profile: load('profile'),
  inboxCalls: load('inbox-calls'),
  push: load('push'),
  inApp: load('in-app'),
});

page.Engage = Engage;
page.engageReady = { push: (ready) => ready(Engage) };
if (Array.isArray(waiting)) for (const ready of waiting as Ready[]) ready(Engage);
