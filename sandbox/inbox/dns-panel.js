// The DNS panel: the records that verify sender domains, and two ways to add one: by hand, or as
// the API returns them.

import { control, dialogHeader, make } from './dom.js';

/** `onCount` receives the number of records. */
export function createDnsPanel(dialog, onCount) {
  const records = make('ul', { className: 'rules' });
  const failing = make('dl', {});
  dialog.append(
    dialogHeader(dialog, 'dns-title', 'DNS'),
    make(
      'p',
      {},
      'Engage asks this resolver when you verify a sender domain. Add a domain with POST /v1/apps/:appId/email-domains, put its records here, then verify it.',
    ),
    records,
    pasteForm(refresh),
    make('h3', {}, 'One record'),
    recordForm(refresh),
    make('h3', {}, 'By label'),
    make(
      'p',
      {},
      'Names with one of these labels, such as timeout.example, fail without a record.',
    ),
    make('div', { className: 'names' }, failing),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // a click beside the panel
  });

  async function refresh() {
    const answer = await control('/dns');
    onCount(answer.records.length);
    records.replaceChildren(...answer.records.map((record) => recordRow(record, refresh)));
    if (answer.records.length === 0)
      records.append(make('li', { className: 'none' }, 'No records.'));
    failing.replaceChildren(
      ...answer.failingLabels.flatMap(({ label, says }) => [
        make('dt', {}, make('code', {}, label)),
        make('dd', {}, says),
      ]),
    );
  }

  return {
    refresh,
    async open() {
      await refresh();
      dialog.showModal();
    },
  };
}

/** Takes the whole response, so that nobody has to copy a key by hand. */
function pasteForm(refresh) {
  const text = make('textarea', {
    name: 'response',
    rows: 3,
    required: true,
    spellcheck: false,
    placeholder: '{"domain": "acme.example", "records": […]}',
  });
  return form('Records from the API', 'Add its records', refresh, () => parsed(text.value), [
    make(
      'label',
      { className: 'wide' },
      make('span', {}, 'Response of POST …/email-domains'),
      text,
    ),
  ]);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('expected the JSON of the response');
  }
}

function recordForm(refresh) {
  const type = make(
    'select',
    { name: 'type' },
    ['TXT', 'CNAME'].map((value) => make('option', { value }, value)),
  );
  const name = make('input', {
    name: 'name',
    required: true,
    autocomplete: 'off',
    spellcheck: false,
  });
  name.placeholder = '_dmarc.acme.example';
  const value = make('textarea', { name: 'value', rows: 2, required: true, spellcheck: false });
  const record = () => ({ type: type.value, name: name.value, value: value.value });
  return form('New DNS record', 'Add record', refresh, record, [
    make('label', {}, make('span', {}, 'Type'), type),
    make('label', {}, make('span', {}, 'Name'), name),
    make('label', { className: 'wide' }, make('span', {}, 'Value'), value),
  ]);
}

/** A form that posts what `body` returns; it may throw a sentence. */
function form(label, action, refresh, body, fields) {
  const problem = make('p', { className: 'problem', role: 'alert' });
  const element = make(
    'form',
    { className: 'rule-form', 'aria-label': label },
    fields,
    make('button', { type: 'submit', className: 'primary' }, action),
    problem,
  );
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    try {
      await control('/dns', 'POST', body());
      element.reset();
      await refresh();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  return element;
}

function recordRow({ id, type, name, value }, refresh) {
  return make(
    'li',
    {},
    make(
      'span',
      { className: 'record' },
      make('b', {}, `${type} `),
      make('code', {}, name),
      make('code', { className: 'value', title: value }, value),
    ),
    make(
      'button',
      {
        type: 'button',
        className: 'quiet',
        'aria-label': `Remove ${type} ${name}`,
        onclick: async () => {
          await control(`/dns/${id}`, 'DELETE');
          await refresh();
        },
      },
      'Remove',
    ),
  );
}
