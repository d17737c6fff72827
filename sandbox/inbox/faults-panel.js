// The panel of faults: rules in force, a form to add one, and the recipient names that fail without
// any rule.

import { channelName, control, icon, make } from './dom.js';

const kinds = {
  status: { label: 'Answer with a status', value: 'Status', initial: '503', retry: true },
  latency: { label: 'Answer late', value: 'Milliseconds', initial: '2000' },
  hang: { label: 'Never answer' },
  drop: { label: 'Hang up without an answer' },
};

/** The panel in `dialog`; `onCount` hears how many rules are in force. */
export function createFaultsPanel(dialog, onCount) {
  const rules = make('ul', { className: 'rules' });
  const names = make('div', { className: 'names' });
  const channelSelect = make(
    'select',
    { name: 'channel' },
    make('option', { value: '*' }, 'Every channel'),
  );
  const problem = make('p', { className: 'problem', role: 'alert' });

  dialog.append(
    make(
      'header',
      {},
      make('h2', { id: 'faults-title' }, 'Faults on demand'),
      make(
        'button',
        {
          type: 'button',
          className: 'back always',
          'aria-label': 'Close',
          onclick: () => dialog.close(),
        },
        icon('close'),
      ),
    ),
    make('p', {}, 'Rules apply to calls that would have been accepted, newest rule first.'),
    rules,
    ruleForm(channelSelect, problem, refresh),
    make('h3', {}, 'By recipient name'),
    make(
      'p',
      {},
      'A recipient whose name starts like this fails without any rule, which is what tests use.',
    ),
    names,
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // a click beside the panel
  });

  async function refresh() {
    const { faults } = await control('/faults');
    onCount(faults.length);
    rules.replaceChildren(...faults.map((rule) => ruleRow(rule, refresh)));
    if (faults.length === 0)
      rules.append(make('li', { className: 'none' }, 'No rule is in force.'));
  }

  return {
    refresh,
    /** Whether a rule may have been played since it was last shown. */
    isWatching: () => rules.querySelector('button') !== null,
    /** Fills in what the stand-ins know. */
    setChannels(channels) {
      channelSelect.append(
        ...channels.map(({ channel }) => make('option', { value: channel }, channelName(channel))),
      );
      names.replaceChildren(
        ...channels.map(({ channel, faults }) =>
          make(
            'details',
            { open: channel === channels[0].channel },
            make('summary', {}, channelName(channel)),
            make(
              'dl',
              {},
              faults.flatMap(({ prefix, says }) => [
                make('dt', {}, make('code', {}, `${prefix}…`)),
                make('dd', {}, says),
              ]),
            ),
          ),
        ),
      );
    },
    async open() {
      await refresh();
      dialog.showModal();
    },
  };
}

function ruleForm(channelSelect, problem, refresh) {
  const kind = make(
    'select',
    { name: 'fault' },
    Object.entries(kinds).map(([value, { label }]) => make('option', { value }, label)),
  );
  const valueLabel = make('span');
  const value = make('input', { name: 'value', type: 'number', min: '0', max: '60000' });
  const valueField = make('label', {}, valueLabel, value);
  const retryField = make(
    'label',
    {},
    make('span', {}, 'Retry-After, s'),
    make('input', { name: 'retryAfterSeconds', type: 'number', min: '0', placeholder: 'none' }),
  );
  const choose = () => {
    const { value: label, initial, retry } = kinds[kind.value];
    valueField.hidden = label === undefined;
    retryField.hidden = !retry;
    valueLabel.textContent = label ?? '';
    value.value = initial ?? '';
  };
  kind.addEventListener('change', choose);
  choose();
  const form = make(
    'form',
    { className: 'rule-form', 'aria-label': 'New fault rule' },
    make('label', {}, make('span', {}, 'Channel'), channelSelect),
    make(
      'label',
      {},
      make('span', {}, 'Recipient contains'),
      make('input', { name: 'match', placeholder: 'everybody', autocomplete: 'off' }),
    ),
    make('label', {}, make('span', {}, 'Fault'), kind),
    valueField,
    retryField,
    make(
      'label',
      {},
      make('span', {}, 'Times'),
      make('input', { name: 'count', type: 'number', min: '1', placeholder: 'until removed' }),
    ),
    make('button', { type: 'submit', className: 'primary' }, 'Add rule'),
    problem,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    try {
      await control('/faults', 'POST', ruleOf(new FormData(form)));
      await refresh();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  return form;
}

function ruleOf(form) {
  const kind = kinds[form.get('fault')];
  const number = (name) => (form.get(name) ? Number(form.get(name)) : undefined);
  return {
    channel: form.get('channel'),
    match: form.get('match') || '*',
    fault: form.get('fault'),
    value: kind.value && number('value'),
    retryAfterSeconds: kind.retry ? number('retryAfterSeconds') : undefined,
    count: number('count'),
  };
}

function ruleRow({ id, channel, match, fault, value, retryAfterSeconds, count, hits }, refresh) {
  const where = channel === '*' ? 'every channel' : channelName(channel);
  const what = {
    status: `status ${value}`,
    latency: `${value ?? 2000} ms late`,
    hang: 'never answered',
    drop: 'hung up on',
  }[fault];
  const retry = retryAfterSeconds === undefined ? '' : `, Retry-After ${retryAfterSeconds} s`;
  return make(
    'li',
    {},
    make(
      'span',
      {},
      make('b', {}, what),
      `${retry} · ${where}, ${match === '*' ? 'everybody' : `“${match}”`}`,
    ),
    make(
      'span',
      { className: 'hits' },
      count === undefined ? `${hits} played` : `${hits} of ${count}`,
    ),
    make(
      'button',
      {
        type: 'button',
        className: 'quiet',
        'aria-label': `Remove the rule: ${what}`,
        onclick: async () => {
          await control(`/faults/${id}`, 'DELETE');
          await refresh();
        },
      },
      'Remove',
    ),
  );
}
