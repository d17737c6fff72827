// The org's accent color, within the bounds that keep text on it readable in both schemes.

import type { SignedIn } from '../api/session-context.tsx';
import { words } from '../words/en.ts';

/** Lightness that leaves 4.5:1 to white text on it, and to it on white. */
const darkest = 0.52;
/** The same for a dark page. */
const lightest = 0.74;

export function wearBranding({ productName, accentColor }: SignedIn['branding']): void {
  document.title = productName || words.product;
  const { style } = document.documentElement;
  const names = ['--accent', '--accent-strong', '--accent-wash', '--accent-line'];
  for (const name of names) style.removeProperty(name);
  if (accentColor === null) return;
  const from = (light: string, dark: string) =>
    `light-dark(oklch(from ${accentColor} ${light}), oklch(from ${accentColor} ${dark}))`;
  style.setProperty('--accent', from(`min(l, ${darkest}) c h`, `max(l, ${lightest}) c h`));
  style.setProperty(
    '--accent-strong',
    from(`min(l - 0.06, ${darkest - 0.06}) c h`, `max(l + 0.06, ${lightest + 0.06}) c h`),
  );
  style.setProperty('--accent-wash', from('0.955 min(c, 0.02) h', '0.29 min(c, 0.045) h'));
  style.setProperty('--accent-line', from('0.8 min(c, 0.08) h', '0.45 min(c, 0.09) h'));
}
