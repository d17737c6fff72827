// How in-app messages look. Sites change the colors by the variables and the rest by `::part`.

export const look = `
:host {
  --background: var(--engage-background, #fff);
  --text: var(--engage-text, #1c1e21);
  --soft: var(--engage-soft-text, #56595e);
  --line: var(--engage-line, #d9dce0);
  --radius: var(--engage-radius, 14px);
  color-scheme: light dark;
  font: 400 16px/1.45 var(--engage-font, system-ui, sans-serif);
}
@media (prefers-color-scheme: dark) {
  :host {
    --background: var(--engage-background, #1f2125);
    --text: var(--engage-text, #f1f2f4);
    --soft: var(--engage-soft-text, #b4b8be);
    --line: var(--engage-line, #3c4046);
  }
}
* { box-sizing: border-box; }
.box {
  background: var(--background);
  color: var(--text);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  box-shadow: 0 12px 40px rgb(0 0 0 / .22);
  padding: 0;
  overflow: auto;
  overflow-wrap: anywhere;
}
dialog.box { width: min(420px, calc(100vw - 32px)); max-height: calc(100dvh - 32px); }
dialog::backdrop { background: rgb(0 0 0 / .5); }
.banner, .card, .push-prompt { position: fixed; z-index: 2147483000; max-height: calc(100dvh - 32px); }
.banner { inset-inline: 16px; max-width: 880px; margin-inline: auto; }
.card, .push-prompt { inset-inline-end: 16px; width: min(360px, calc(100vw - 32px)); }
.bottom { bottom: max(16px, env(safe-area-inset-bottom)); }
.top { top: max(16px, env(safe-area-inset-top)); }
img { display: block; width: 100%; max-height: 40dvh; object-fit: cover; }
.banner img { display: none; }
.texts { padding: 20px; padding-inline-end: 52px; color: inherit; text-decoration: none; display: block; }
h2 { font-size: 1.15em; line-height: 1.3; margin: 0 0 6px; }
p { margin: 0; color: var(--soft); white-space: pre-line; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; padding: 0 20px 20px; }
button { font: inherit; cursor: pointer; min-height: 44px; border-radius: 10px; padding: 8px 18px; }
.action { border: 1px solid var(--line); background: none; color: var(--text); flex: 1 1 auto; }
.action:first-child { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.banner .action { flex: 0 1 auto; min-width: 120px; }
.close {
  position: absolute; inset-block-start: 4px; inset-inline-end: 4px;
  width: 44px; min-height: 44px; padding: 0; border: 0; color: inherit;
  background: radial-gradient(circle, var(--background) 15px, transparent 16px);
  font-size: 24px; line-height: 1;
}
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
@media (prefers-reduced-motion: no-preference) {
  .box { animation: in .2s ease-out; }
  @keyframes in { from { opacity: 0; transform: translateY(8px); } }
}
`;

/** White or black on a color, whichever is read more easily. */
export function textOn(hex: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#fff' : '#000';
}
