// The script of a `<script>` tag: the global `Engage`, and what the page pushed to `engageReady`
// before it was there.

import { Engage } from './engage.ts';

type Ready = (engage: typeof Engage) => void;
const page = globalThis as {
  Engage?: typeof Engage;
  engageReady?: { push(ready: Ready): unknown };
};
const waiting = page.engageReady;

page.Engage = Engage;
page.engageReady = { push: (ready) => ready(Engage) };
if (Array.isArray(waiting)) for (const ready of waiting as Ready[]) ready(Engage);
