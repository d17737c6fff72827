// How the inbox looks. Nothing moves. Sites change the colors by the variables and the rest by
// `::part`.

export const inboxLook = `
:host {
  --background: var(--engage-background, #fff);
  --text: var(--engage-text, #1c1e21);
  --soft: var(--engage-soft-text, #56595e);
  --line: var(--engage-line, #d9dce0);
  --accent: var(--engage-accent, #2f5fe0);
  --on-accent: var(--engage-on-accent, #fff);
  color-scheme: light dark;
  display: inline-block;
  position: relative;
  font: 400 15px/1.45 var(--engage-font, system-ui, sans-serif);
  text-align: start;
}
@media (prefers-color-scheme: dark) {
  :host {
    --background: var(--engage-background, #1f2125);
    --text: var(--engage-text, #f1f2f4);
    --soft: var(--engage-soft-text, #b4b8be);
    --line: var(--engage-line, #3c4046);
    --accent: var(--engage-accent, #8fb0ff);
    --on-accent: var(--engage-on-accent, #10131a);
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, a { font: inherit; color: inherit; cursor: pointer; }
button { border: 0; background: none; min-height: 44px; padding: 8px 12px; border-radius: 10px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.bell { position: relative; width: 44px; padding: 10px; color: var(--engage-bell, inherit); }
svg { display: block; width: 24px; stroke-width: 1.8; }
.count {
  position: absolute; inset-block-start: 2px; inset-inline-end: 0; min-width: 20px; height: 20px;
  padding: 0 5px; border-radius: 10px; background: var(--accent); color: var(--on-accent);
  font-size: 12px; font-weight: 600; line-height: 20px; text-align: center;
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.panel {
  position: absolute; z-index: 2147483000; inset-block-start: calc(100% + 6px);
  inset-inline-end: 0; width: min(400px, calc(100vw - 24px));
  max-height: min(620px, var(--room, 80dvh));
  display: flex; flex-direction: column; background: var(--background); color: var(--text);
  border: 1px solid var(--line); border-radius: var(--engage-radius, 14px);
  box-shadow: 0 12px 40px rgb(0 0 0 / .22); overflow-wrap: anywhere;
}
.panel.start { inset-inline: 0 auto; }
header { display: flex; align-items: center; padding-block: 6px; padding-inline: 16px 4px;
  border-block-end: 1px solid var(--line); }
h2 { flex: 1; margin: 0; font-size: 1.05em; line-height: 1.3; }
h2:focus { outline: 0; }
.quiet { color: var(--soft); font-size: .9em; }
.quiet:hover, .open:hover { background: color-mix(in srgb, currentColor 7%, transparent); }
.scroll { overflow: auto; flex: 1; }
ul { list-style: none; margin: 0; padding: 0; }
li { position: relative; display: flex; align-items: flex-start; padding: 4px;
  border-block-end: 1px solid var(--line); }
li:last-child { border: 0; }
.texts { flex: 1; min-width: 0; }
.open { display: block; width: 100%; padding: 8px 12px; padding-inline-start: 22px; text-align: start;
  text-decoration: none; border-radius: 10px; }
.unread .open::before { content: ''; position: absolute; inset-inline-start: 11px;
  inset-block-start: 19px; width: 8px; height: 8px; border-radius: 50%; background: var(--accent); }
.title { display: block; }
.unread .title { font-weight: 600; }
.body { display: block; color: var(--soft); white-space: pre-line; }
time { display: block; color: var(--soft); font-size: .85em; margin-block-start: 2px; }
img { display: block; width: 100%; max-height: 160px; object-fit: cover; border-radius: 8px;
  margin-block-end: 6px; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; padding-block: 0 8px; padding-inline: 22px 12px; }
.action { border: 1px solid var(--line); border-radius: 10px; padding: 8px 14px; min-height: 40px;
  text-decoration: none; }
.archive, .close { width: 44px; padding: 12px; color: var(--soft); }
.archive svg, .close svg { width: 20px; }
.note { margin: 0; padding: 28px 16px; text-align: center; color: var(--soft); }
.more { display: block; margin: 4px auto; }
footer { padding: 4px 8px; border-block-start: 1px solid var(--line); }
footer a { display: block; padding: 10px 8px; }
@media (max-width: 480px) {
  .panel { position: fixed; inset: 12px; width: auto; max-height: none; }
}
`;
