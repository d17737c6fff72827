// Fills a form of the reference, when it is opened, with ids that exist: the first of each list it
// needs. It asks only for who has given a key or is signed in. What is not there stays an example.

const main = document.querySelector('main');
const { exampleApp } = main.dataset;
const lists = JSON.parse(main.dataset.lists);
const appField = document.getElementById('app');
const keyField = document.getElementById('key');

/** Lists that were asked for, by target; made new with every key. */
let asked = new Map();
/** Whether this browser has a session, once somebody wanted to know. */
let session;

/** What a call carries of the reader; `undefined` of a stranger. */
export async function readerHeaders() {
  const token = keyField.value.trim();
  if (token !== '') return { Authorization: `Bearer ${token}` };
  session ??= json('/v1/session', {}).then((answer) => answer?.signedIn === true);
  return (await session) ? { 'X-Engage-Dashboard': '1' } : undefined;
}

/** Takes back what another key's lists filled in. */
export function forgetIds() {
  asked = new Map();
  for (const field of document.querySelectorAll('[data-filled]')) {
    delete field.dataset.filled;
    field.value = field.defaultValue;
  }
}

/** Resolves when all is filled in. */
export async function fillIds(form) {
  const headers = await readerHeaders();
  if (headers === undefined) return;
  const body = form.querySelector('textarea[data-in]');
  const isUntouched = body !== null && body.value === body.defaultValue;
  const inputs = [...form.querySelectorAll('input[data-required]:not([data-app])')].filter(
    ({ value, placeholder }) => value === '' && placeholder in lists,
  );
  const inBody = isUntouched ? Object.keys(lists).filter((id) => isIdIn(body.value, id)) : [];
  const isOfApp =
    form.querySelector('input[data-app]') !== null || body?.value.includes(exampleApp) === true;
  const wanted = new Set([...inputs.map(({ placeholder }) => placeholder), ...inBody]);
  const now = asked;
  if (isOfApp || [...wanted].some((id) => lists[id][0].includes('{appId}'))) {
    await fillApp(headers);
    if (appField.value.trim() === '') return;
  }
  const real = new Map();
  await Promise.all(
    [...wanted].map(async (example) => real.set(example, await first(example, headers))),
  );
  if (now !== asked) return; // the key changed meanwhile
  for (const input of inputs) put(input, real.get(input.placeholder));
  if (isUntouched && body.value === body.defaultValue)
    put(
      body,
      inBody.reduce((text, id) => text.replaceAll(id, real.get(id) ?? id), body.value),
    );
}

async function fillApp(headers) {
  if (appField.value.trim() !== '') return;
  const now = asked;
  const app = await first(exampleApp, headers);
  if (now === asked && appField.value.trim() === '') put(appField, app);
}

/** The member of the newest item, or of the first where the list has another order. */
async function first(example, headers) {
  const [target, member] = lists[example];
  const path = target.replace('{appId}', encodeURIComponent(appField.value.trim()));
  if (!asked.has(path)) asked.set(path, json(path, headers));
  return (await asked.get(path))?.items?.[0]?.[member];
}

/** Another text than an id, such as a name, may stand in a body for something else. */
function isIdIn(text, id) {
  return /^[a-z]+_[0-9a-z]{26}$/.test(id) && id !== exampleApp && text.includes(id);
}

function put(field, value) {
  if (typeof value !== 'string' || value === field.value) return;
  field.value = value;
  field.dataset.filled = '';
}

/** `undefined` for a refusal, or without an answer. */
async function json(target, headers) {
  try {
    const answer = await fetch(target, { headers, redirect: 'manual' });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
