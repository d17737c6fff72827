// The webhooks panel: the URL of the sandbox's receiver, how it answers, and each delivery that it
// got, with its headers and whether its signature is right.

import { control, dialogHeader, make, timeOf } from './dom.js';

const answers = {
  200: 'Accept (200)',
  410: 'Not wanted (410)',
  500: 'Fail (500)',
  hang: 'Never respond',
};

const verdicts = {
  right: 'signature right',
  wrong: 'signature wrong',
  unsigned: 'not signed',
  unknown: 'not checked',
};

/** `onCount` receives the number of deliveries. */
export function createWebhooksPanel(dialog, onCount) {
  const url = make('code', {});
  const paths = make('dl', {});
  const list = make('ol', { className: 'deliveries', 'aria-label': 'Newest first' });
  const summary = make('p', { role: 'status' });
  const settings = settingsForm(draw);
  dialog.append(
    dialogHeader(dialog, 'webhooks-title', 'Webhooks'),
    make(
      'p',
      {},
      'A receiver of webhooks. Connect it with PUT /v1/apps/:appId/integrations/webhook and this URL:',
    ),
    make('p', { className: 'address' }, url, copyButton(url)),
    settings.element,
    make('h3', {}, 'By URL'),
    make('p', {}, 'URLs with one of these ends always answer the same.'),
    make('div', { className: 'names' }, paths),
    make(
      'div',
      { className: 'deliveries-top' },
      make('h3', {}, 'Deliveries'),
      make(
        'button',
        {
          type: 'button',
          className: 'quiet',
          'aria-label': 'Clear deliveries',
          onclick: async () => draw(await control('/webhooks', 'DELETE')),
        },
        'Clear',
      ),
    ),
    summary,
    list,
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // a click beside the panel
  });

  function draw(answer) {
    const { deliveries } = answer;
    onCount(deliveries.length);
    url.textContent = answer.url;
    settings.show(answer);
    paths.replaceChildren(
      ...answer.paths.flatMap((one) => [
        make('dt', {}, make('code', {}, one.path)),
        make('dd', {}, answers[one.answer]),
      ]),
    );
    const open = new Set([...list.querySelectorAll('details[open]')].map((one) => one.dataset.id));
    list.replaceChildren(...deliveries.map((one) => deliveryRow(one, open.has(String(one.id)))));
    summary.textContent = deliveries.length === 0 ? 'No deliveries yet.' : '';
  }

  async function refresh() {
    draw(await control('/webhooks'));
  }

  return {
    refresh,
    async open() {
      await refresh();
      dialog.showModal();
    },
  };
}

function copyButton(url) {
  const button = make(
    'button',
    {
      type: 'button',
      className: 'quiet',
      onclick: () =>
        navigator.clipboard.writeText(url.textContent).then(() => (button.textContent = 'Copied')),
    },
    'Copy',
  );
  return button;
}

/** Changes apply at once for the answer, and on submit for the secrets. */
function settingsForm(draw) {
  const problem = make('p', { className: 'problem', role: 'alert' });
  const known = make('span', { className: 'hint' });
  const answer = make(
    'select',
    { name: 'answer' },
    Object.entries(answers).map(([value, label]) => make('option', { value }, label)),
  );
  const secrets = make('textarea', {
    name: 'secrets',
    rows: 2,
    spellcheck: false,
    autocomplete: 'off',
    placeholder: 'whsec_…',
  });
  const change = async (body) => {
    problem.textContent = '';
    try {
      draw(await control('/webhooks', 'POST', body));
      return true;
    } catch (error) {
      problem.textContent = error.message;
      return false;
    }
  };
  answer.addEventListener('change', () => change({ answer: answer.value }));
  const element = make(
    'form',
    { className: 'rule-form', 'aria-label': 'Receiver' },
    make('label', { className: 'wide' }, make('span', {}, 'Answer'), answer),
    make(
      'label',
      { className: 'wide' },
      make('span', {}, 'Signing secrets, one per line'),
      secrets,
    ),
    make('button', { type: 'submit', className: 'primary' }, 'Check with these'),
    known,
    problem,
  );
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const given = secrets.value.split(/\s+/).filter((text) => text !== '');
    if (await change({ secrets: given })) secrets.value = '';
  });
  return {
    element,
    show(state) {
      if (document.activeElement !== answer) answer.value = state.answer;
      known.textContent =
        state.secrets === 0
          ? 'No secret: signatures are not checked.'
          : `Checked with ${state.secrets === 1 ? 'one secret' : `${state.secrets} secrets`}.`;
    },
  };
}

function deliveryRow(delivery, isOpen) {
  const { id, at, event, path, attempt, answer, signature, headers, body } = delivery;
  const note = [
    answer === 'hang' ? 'no response' : `answered ${answer}`,
    attempt > 1 ? `attempt ${attempt}` : '',
    path,
  ].filter((one) => one !== '');
  return make(
    'li',
    {},
    make(
      'details',
      { open: isOpen, data: { id } },
      make(
        'summary',
        {},
        make(
          'span',
          { className: 'delivery-top' },
          make('b', {}, event ?? 'no event kind'),
          make('time', { dateTime: at }, timeOf(at)),
        ),
        make(
          'span',
          { className: 'delivery-note' },
          make('span', {}, note.join(' · ')),
          make(
            'span',
            { className: 'chip', data: { verdict: signature.verdict } },
            verdicts[signature.verdict],
          ),
        ),
      ),
      make('p', {}, signature.says),
      make(
        'dl',
        { className: 'headers' },
        headers.flatMap(([name, value]) => [
          make('dt', {}, make('code', {}, name)),
          make('dd', {}, make('code', {}, value)),
        ]),
      ),
      make('pre', { tabIndex: 0 }, pretty(body)),
    ),
  );
}

/** Only for reading: what is signed are the bytes as they came. */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
