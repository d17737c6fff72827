// The pages behind an email's links. Self-contained: no script, nothing loaded, and a policy that
// allows only the page's own style, by its hash.

import { createHash } from 'node:crypto';
import { preferencesLabel } from '../../actors/channels/port/wording.ts';
import type { OptOutScope } from '../../actors/tenants/accounts/records.ts';
import { type Branding, serviceName } from '../../actors/tenants/accounts/records.ts';

import { isRightToLeft, type PageWords } from './page-words.ts';

export type UnsubscribePage =
  | {
      readonly kind: 'confirm';
      readonly appName: string;
      readonly address: string;
      readonly scope: OptOutScope;
      /** Name of the message's topic, which can be left alone. */
      readonly topic?: string;
      readonly preferences?: string;
    }
  | {
      readonly kind: 'done';
      readonly address: string;
      readonly scope: OptOutScope;
      /** Name of the topic that was left; nothing else was. */
      readonly topic?: string;
      /** Path of the person's preferences, if somebody has the address. */
      readonly preferences?: string;
    }
  /** This server did not make the link, or its app is deleted. */
  | { readonly kind: 'unknown' }
  /** The same of a tracked link, of a link to preferences, and of a form's page. */
  | { readonly kind: 'unknown_link' | 'unknown_preferences' | 'unknown_form' }
  /** The opt-out failed for now. */
  | { readonly kind: 'later' };

const style = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#14171f;--soft:#5b6472;--line:#e3e6ea;--edge:#8a93a3;--bad:#b3261e;--act:#1f4fd8;--on:#fff}
@media (prefers-color-scheme:dark){:root{--page:#0f1116;--card:#181b22;--text:#eef0f4;--soft:#a2abba;--line:#2a2f3a;--edge:#6b7484;--bad:#ff9a92;--act:#8ab0ff;--on:#0b1020}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;justify-items:center;align-content:center;gap:16px;padding:24px;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:26rem;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:32px;text-align:center}
h1{margin:0 0 8px;font-size:1.375rem;line-height:1.3;letter-spacing:-.01em;text-wrap:balance}
p{margin:0;color:var(--soft);overflow-wrap:anywhere;text-wrap:pretty}
b{color:var(--text);font-weight:600}
form{margin:24px 0 0}
ul{margin:16px 0 0;padding-inline-start:20px;text-align:start}
.agreed{margin-top:16px;text-align:start}
fieldset{border:0;margin:0 0 24px;padding:0;text-align:start}
legend{font-weight:600;padding:0;margin:0 0 4px}
label{display:flex;gap:12px;align-items:start;padding:8px 0;text-align:start;overflow-wrap:anywhere}
label small{display:block;color:var(--soft);font-size:.875rem}
label.field{display:block;padding:0;margin:0 0 20px}
label.field>*{margin-top:4px}
label.field>span:first-child{display:block;margin:0;font-weight:600}
label .error{display:block;color:var(--bad);font-size:.875rem}
input[type=checkbox]{inline-size:20px;block-size:20px;margin:2px 0 0;flex:none;accent-color:var(--act)}
input[type=email],input[type=text],select{font:inherit;display:block;inline-size:100%;min-height:48px;padding:0 12px;border:1px solid var(--edge);border-radius:10px;background:var(--card);color:var(--text)}
input:focus-visible,select:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.more{margin-top:20px}
a{color:var(--act)}
.away{position:absolute;inset-inline-start:-200vw}
button{font:inherit;font-weight:600;width:100%;min-height:48px;border:0;border-radius:10px;background:var(--act);color:var(--on);cursor:pointer}
button.also{margin-top:12px;background:transparent;color:var(--act);border:1px solid var(--line)}
button:hover{filter:brightness(1.08)}
button:focus-visible{outline:3px solid var(--act);outline-offset:3px}
.logo{display:block;max-width:70%;max-height:48px;margin:0 auto 24px;color:var(--soft)}
.brand{margin:0 0 24px;color:var(--text);font-weight:600}
.by{font-size:.8125rem;color:var(--soft)}
.mark{width:44px;height:44px;margin:0 auto 16px;border-radius:50%;display:grid;place-items:center;background:var(--page);color:var(--act);font-size:1.375rem}
`;

/**
 * Of a page; its policy allows its own style and the logo's origin, and nothing else. Browsers hold
 * the target of a form to the policy through every redirect of the answer, so `leaves`: the answer
 * sends on to a site of the tenant's, which may send on from there.
 */
export function pageHeaders(
  branding?: Branding,
  { leaves = false } = {},
): readonly (readonly [string, string])[] {
  const logo = branding?.logoUrl ?? null;
  const styleHash = createHash('sha256').update(styleOf(branding)).digest('base64');
  return [
    [
      'content-security-policy',
      [
        "default-src 'none'",
        `style-src 'sha256-${styleHash}'`,
        ...(logo === null ? [] : [`img-src ${new URL(logo).origin}`]),
        `form-action 'self'${leaves ? ' https: http:' : ''}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    ],
    ['referrer-policy', 'no-referrer'],
    ['x-content-type-options', 'nosniff'],
    ['x-robots-tag', 'noindex, nofollow'],
    ['cache-control', 'no-store'],
  ];
}

/** With an accent color, only surfaces have it: on texts it may be too pale to read. */
function styleOf(branding: Branding | undefined): string {
  const accent = branding?.accentColor ?? null;
  if (accent === null) return style;
  const colors = `--act:${accent};--on:${readableOn(accent)}`;
  return `${style}:root{${colors}}
@media (prefers-color-scheme:dark){:root{${colors}}}
button{border:1px solid var(--line)}
button.also,.mark,a{color:var(--text)}
button:focus-visible{outline-color:var(--text)}
`;
}

/** Black or white, by contrast. WCAG 2.2, relative luminance. */
function readableOn(color: string): '#000000' | '#ffffff' {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? '#000000' : '#ffffff';
}

/**
 * Escapes names and addresses, which come from outside. Without branding, as where the link names
 * no app, the page names nobody.
 */
export function unsubscribePage(
  page: UnsubscribePage,
  words: PageWords,
  branding?: Branding,
): string {
  const { form, ...parts } = partsOf(page, words);
  return cardPage({ ...parts, form: form + toPreferences(page, words) }, words.language, branding);
}

/** `parts` are HTML. */
export function cardPage(
  { mark, title, text, form }: Parts,
  language: string,
  branding?: Branding,
): string {
  return `<!doctype html>
<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title.replace(/<\/?b>/g, '')}</title>
<style>${styleOf(branding)}</style>
<main>${branding === undefined ? '' : header(branding)}
<div class="mark" aria-hidden="true">${mark}</div>
<h1>${title}</h1>
<p>${text}</p>${form}
</main>${branding === undefined || branding.hideServiceBranding ? '' : sentWith}
</html>
`;
}

const sentWith = `\n<footer class="by" lang="en" dir="ltr">Sent with ${escapedText(serviceName)}</footer>`;

/** The logo, else the name; nothing for the service itself, which the last line names. */
function header({ productName, logoUrl }: Branding): string {
  const name = escapedText(productName);
  if (logoUrl !== null)
    return `\n<img class="logo" src="${escapedText(logoUrl)}" alt="${name}" referrerpolicy="no-referrer">`;
  return productName === serviceName ? '' : `\n<p class="brand">${name}</p>`;
}

interface Parts {
  readonly mark: string;
  readonly title: string;
  readonly text: string;
  readonly form: string;
}

function partsOf(page: UnsubscribePage, words: PageWords): Parts {
  const say = (name: Parameters<PageWords['say']>[0]) => filled(words.say(name), page);
  const isMarketing = 'scope' in page && page.scope === 'marketing';
  if ('topic' in page && page.topic !== undefined) return topicPartsOf(page, say, isMarketing);
  switch (page.kind) {
    case 'confirm':
      return {
        mark: '&#9993;',
        title: say('confirmTitle'),
        text: say(isMarketing ? 'confirmMarketingText' : 'confirmText'),
        form: formSaying(say('unsubscribe')) + (isMarketing ? all('all', say('everything')) : ''),
      };
    case 'done':
      return {
        mark: '&#10003;',
        title: say('doneTitle'),
        text: say(isMarketing ? 'doneMarketingText' : 'doneText'),
        form: isMarketing ? all('all', say('everything')) : '',
      };
    case 'unknown':
      return { mark: '?', title: say('unknownTitle'), text: say('unknownText'), form: '' };
    case 'unknown_link':
      return { mark: '?', title: say('unknownTitle'), text: say('unknownLinkText'), form: '' };
    case 'unknown_preferences':
      return { mark: '?', title: say('unknownTitle'), text: say('preferencesLinkText'), form: '' };
    case 'unknown_form':
      return { mark: '?', title: say('formGoneTitle'), text: say('formGoneText'), form: '' };
    case 'later':
      return {
        mark: '!',
        title: say('laterTitle'),
        text: say('laterText'),
        form: formSaying(say('tryAgain')),
      };
  }
}

/** The topic of the message, and all the rest. */
function topicPartsOf(
  page: Extract<UnsubscribePage, { kind: 'confirm' | 'done' }>,
  say: (name: Parameters<PageWords['say']>[0]) => string,
  isMarketing: boolean,
): Parts {
  const marketing = isMarketing ? all('marketing', say('allMarketing')) : '';
  const rest = marketing + all('all', say('everything'));
  if (page.kind === 'done')
    return { mark: '&#10003;', title: say('doneTitle'), text: say('doneTopicText'), form: rest };
  const form = formSaying(say('onlyTopic')) + rest;
  return { mark: '&#9993;', title: say('confirmTitle'), text: say('topicText'), form };
}

function toPreferences(page: UnsubscribePage, { language }: PageWords): string {
  if (!('preferences' in page) || page.preferences === undefined) return '';
  const label = escapedText(preferencesLabel({ language }));
  return `\n<p class="more"><a href="${escapedText(page.preferences)}">${label}</a></p>`;
}

/** The words as HTML, with the names of app and topic, and the address. */
function filled(text: string, page: UnsubscribePage): string {
  const app = 'appName' in page ? escapedText(page.appName) : '';
  const address = 'address' in page ? `<b>${escapedText(page.address)}</b>` : '';
  const topic = 'topic' in page ? escapedText(page.topic ?? '') : '';
  const values: Readonly<Record<string, string>> = { app, address, topic };
  return escapedText(text).replace(/\{(app|address|topic)\}/g, (_, name) => values[name] ?? '');
}

/** Posts to the page's own address, as a mail program would. */
function formSaying(label: string): string {
  return `
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>${label}</button>
</form>`;
}

/** Beside or after something narrower. */
function all(scope: OptOutScope, label: string): string {
  return `
<form method="post">
<input type="hidden" name="scope" value="${scope}">
<button class="also">${label}</button>
</form>`;
}

export function escapedText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
