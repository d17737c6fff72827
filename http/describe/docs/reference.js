// The script of the API reference: search, curl requests, and calls to this server. It keeps only
// the key and the app id, for this tab. Responses appear as text, never as HTML.

import { curlOf } from './curl.js';
import { fillIds, forgetIds, readerHeaders } from './first-ids.js';

const key = document.getElementById('key');
const app = document.getElementById('app');
const search = document.getElementById('search');
const nav = document.getElementById('contents');
const menu = document.querySelector('.menu');
/** The app and the message of all examples; the reader's own take their place. */
const { exampleApp, exampleMessage } = document.querySelector('main').dataset;
const examples = { app: exampleApp, message: exampleMessage };

for (const [field, name] of [
  [key, 'engage.key'],
  [app, 'engage.app'],
]) {
  field.value = sessionStorage.getItem(name) ?? '';
  field.addEventListener('input', () => {
    sessionStorage.setItem(name, field.value.trim());
    showCurls();
  });
  field.addEventListener('change', () => {
    delete field.dataset.filled;
    forgetIds();
    void fill(...document.querySelectorAll('form.try:has(> details[open])'));
  });
}

for (const form of document.querySelectorAll('form.try')) {
  showCurl(form);
  form.addEventListener('input', ({ target }) => {
    delete target.dataset.filled;
    showCurl(form);
  });
  form.querySelector('details').addEventListener('toggle', ({ currentTarget }) => {
    if (currentTarget.open) void fill(form);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void call(form);
  });
  form.querySelector('.copy').addEventListener('click', (event) => copy(form, event.currentTarget));
}
document.querySelector('.access').addEventListener('submit', (event) => event.preventDefault());

menu.addEventListener('click', () => openMenu(!nav.classList.contains('open')));
nav.addEventListener('click', (event) => {
  if (event.target.closest('a')) openMenu(false);
});
search.addEventListener('input', () => {
  filter();
  scrollTo({ top: 0 });
});
search.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') showAll();
});
document.querySelector('.clear').addEventListener('click', showAll);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return;
  event.preventDefault();
  search.focus();
});

// Marks the operation in view in the contents.
const links = new Map(
  [...nav.querySelectorAll('li a')].map((link) => [link.getAttribute('href').slice(1), link]),
);
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const link = links.get(target.id);
      if (isIntersecting) link?.setAttribute('aria-current', 'true');
      else link?.removeAttribute('aria-current');
    }
  },
  { rootMargin: '-30% 0px -65% 0px' },
);
for (const section of document.querySelectorAll('.op')) seen.observe(section);

function showCurls() {
  for (const form of document.querySelectorAll('form.try')) showCurl(form);
}

async function fill(...forms) {
  for (const form of forms) await fillIds(form);
  showCurls(); // of all forms, for the app may have been filled in
}

/** A form's request; `missing` names the empty fields. */
async function requestOf(form) {
  const { method, access } = form.dataset;
  let { path } = form.dataset;
  const missing = [];
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll('input[data-in]')) {
    const value = input.value.trim() || ('app' in input.dataset ? app.value.trim() : '');
    if (value === '' && 'required' in input.dataset) missing.push(input.name);
    if (input.dataset.in === 'path') {
      if (value !== '') path = path.replace(`{${input.name}}`, encodeURIComponent(value));
    } else if (value !== '') {
      if (input.dataset.in === 'query') query.set(input.name, value);
      else headers[input.name] = value;
    }
  }
  const token = key.value.trim();
  if (access === 'write-key') {
    if (token.startsWith('wk_')) headers.Authorization = `Basic ${btoa(`${token}:`)}`;
    else missing.push('the write key, at the top of the page');
  } else if (access !== 'none') {
    const reader = await readerHeaders();
    Object.assign(headers, reader);
    const isRefused = access === 'bootstrap' ? token === '' : reader === undefined;
    if (isRefused && access !== 'optional') missing.push('the key, at the top of the page');
  }
  const body = ownApp(form.querySelector('textarea[data-in]')?.value);
  const file = form.querySelector('input[type=file]')?.files[0];
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const target = query.size === 0 ? path : `${path}?${query}`;
  return { method, target, headers, body: file ?? body, missing };
}

function showCurl(form) {
  const { method, access, path } = form.dataset;
  for (const input of form.querySelectorAll('input[data-app]'))
    input.placeholder = app.value.trim() || exampleApp;
  const inputs = [...form.querySelectorAll('input[data-in]')].map((input) => ({
    name: input.name,
    place: input.dataset.in,
    required: 'required' in input.dataset,
    value: input.value.trim() || ('app' in input.dataset ? app.value.trim() : ''),
    example: input.placeholder,
  }));
  const body = ownApp(form.querySelector('textarea[data-in]')?.value);
  const chosen = form.querySelector('input[type=file]');
  const file = chosen?.files[0]?.name ?? chosen?.dataset.file;
  const { origin } = location;
  const curl = curlOf({ origin, method, path, access, inputs, body, file, examples });
  form
    .querySelector('.curl code')
    .replaceChildren(...curl.split('\n').map((line) => element('span', '', `${line}\n`)));
}

function ownApp(text) {
  return app.value.trim() === '' ? text : text?.replaceAll(exampleApp, app.value.trim());
}

async function call(form) {
  const note = form.querySelector('.note');
  const { method, target, headers, body, missing } = await requestOf(form);
  if (missing.length > 0) {
    note.textContent = `Missing: ${missing.join(', ')}.`;
    return;
  }
  // Nobody chose what the page filled in, so a change of it wants a yes.
  const isFilled =
    form.querySelector('[data-filled]') !== null ||
    (method === 'DELETE' && 'filled' in app.dataset);
  if (method !== 'GET' && isFilled && !confirm(`Send ${method} ${target}?`)) return;
  const button = form.querySelector('.go button');
  button.disabled = true;
  note.textContent = '';
  const startedMs = performance.now();
  try {
    const answer = await fetch(target, { method, headers, body, redirect: 'manual' });
    const text = await answer.text();
    showAnswer(form.querySelector('.result'), answer, text, performance.now() - startedMs);
  } catch (error) {
    note.textContent = `No response: ${error.message}`;
  }
  button.disabled = false;
}

function showAnswer(place, answer, text, durationMs) {
  const { status, statusText } = answer;
  const bar = element('div', 'bar', '');
  const words = element('span', '', '');
  words.append(
    element('span', `status s${String(status)[0]}`, `${status} ${statusText}`.trim()),
    ` in ${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`,
  );
  bar.append(words);
  const shown = element('pre', '', '');
  shown.tabIndex = 0;
  if (text === '') shown.append('(no body)');
  else shown.append(...colored(pretty(text)));
  const headers = element('details', 'headers', '');
  headers.append(element('summary', '', 'Headers'));
  headers.append(element('pre', '', [...answer.headers].map((pair) => pair.join(': ')).join('\n')));
  place.replaceChildren(bar, shown, headers);
  place.hidden = false;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // a page, or a proxy's error
  }
}

function colored(source) {
  const token =
    /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const parts = [];
  let from = 0;
  for (const match of source.matchAll(token)) {
    const [whole, string, colon] = match;
    parts.push(source.slice(from, match.index));
    const kind = string ? (colon ? 'k' : 's') : /^[tfn]/.test(whole) ? 'w' : 'n';
    parts.push(element('span', `j-${kind}`, string ?? whole), colon ?? '');
    from = match.index + whole.length;
  }
  parts.push(source.slice(from));
  return parts;
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}

async function copy(form, button) {
  try {
    await navigator.clipboard.writeText(form.querySelector('.curl').textContent.trim());
    button.textContent = 'Copied';
  } catch {
    // Without a secure context there is no clipboard: select the text for copying.
    getSelection().selectAllChildren(form.querySelector('.curl'));
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

function filter() {
  const words = search.value.trim().toLowerCase().split(/\s+/);
  let found = 0;
  for (const chapter of document.querySelectorAll('.chapter')) {
    let here = 0;
    for (const section of chapter.querySelectorAll('.op')) {
      const matches = words.every((word) => section.dataset.search.includes(word));
      section.hidden = !matches;
      links.get(section.id).parentElement.hidden = !matches;
      if (matches) here++;
    }
    chapter.hidden = here === 0;
    found += here;
  }
  for (const group of nav.querySelectorAll('.group')) {
    group.hidden = group.querySelector('li:not([hidden])') === null;
  }
  unfold(words.filter((word) => word !== ''));
  document.querySelector('.lead').hidden = search.value.trim() !== '';
  document.querySelector('.nothing').hidden = found > 0;
}

function unfold(words) {
  for (const folded of document.querySelectorAll('.doc details:not(.refusals)')) {
    const text = words.length === 0 ? '' : folded.textContent.toLowerCase();
    const isFound = words.some((word) => text.includes(word));
    if (isFound && !folded.open) {
      folded.open = true;
      folded.dataset.opened = '';
    } else if (!isFound && 'opened' in folded.dataset) {
      folded.open = false;
      delete folded.dataset.opened;
    }
  }
}

function showAll() {
  search.value = '';
  filter();
}

function openMenu(open) {
  nav.classList.toggle('open', open);
  menu.setAttribute('aria-expanded', String(open));
}
