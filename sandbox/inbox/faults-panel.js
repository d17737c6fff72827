// The faults panel: rules in force, a form to add one, and the recipient names that always fail.

import { channelName, control, dialogHeader, make } from './dom.js';

const kinds = {
  status: { label: 'Respond with a status', value: 'Status', initial: '503', retry: true },
  latency: { label: 'Respond late', value: 'Milliseconds', initial: '2000' },
  hang: { label: 'Never respond' },
  drop: { label: 'Close the connection without a response' },
};

/** `onCount` receives the number of active rules. */
export function createFaultsPanel(dialog, onCount) {
  const rules = make('ul', { className: 'rules' });
  const names = make('div', { className: 'names' });
  const channelSelect = make(
    'select',
    { name: 'channel' },
    make('option', { value: '*' }, 'All channels'),
  );
  const problem = make('p', { className: 'problem', role: 'alert' });

  dialog.append(
    dialogHeader(dialog, 'faults-title', 'Simulated faults'),
    make(
      'p',
      {},
      'Rules apply to calls that the stand-in would accept. The newest rule comes first.',
    ),
    rules,
    ruleForm(channelSelect, problem, refresh),
    make('h3', {}, 'By recipient name'),
    make('p', {}, 'Recipients whose name starts with one of these fail without a rule.'),
    names,
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // a click beside the panel
  });

  async function refresh() {
    const { faults } = await control('/faults');
    onCount(faults.length);
    rules.replaceChildren(...faults.map((rule) => ruleRow(rule, refresh)));
    if (faults.length === 0) rules.append(make('li', { className: 'none' }, 'No rules.'));
  }

  return {
    refresh,
    /** Whether counts may have changed. */
    isWatching: () => rules.querySelector('button') !== null,
    setChannels(channels) {
      channelSelect.append(
        ...channels.map(({ channel }) => make('option', { value: channel }, channelName(channel))),
      );
      names.replaceChildren(
        ...channels.map((one) => failingNames(one, one.channel === channels[0].channel)),
      );
    },
    async open() {
      await refresh();
      dialog.showModal();
    },
  };
}

function failingNames({ channel, faults }, isOpen) {
  const rows = faults.flatMap(({ prefix, says }) => [
    make('dt', {}, make('code', {}, `${prefix}…`)),
    make('dd', {}, says),
  ]);
  return make(
    'details',
    { open: isOpen },
    make('summary', {}, channelName(channel)),
    make('dl', {}, rows),
  );
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
    make('span', {}, 'Retry-After (s)'),
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
      make('input', { name: 'match', placeholder: 'anyone', autocomplete: 'off' }),
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
  const where = channel === '*' ? 'all channels' : channelName(channel);
  const what = {
    status: `status ${value}`,
    latency: `${value ?? 2000} ms late`,
    hang: 'no response',
    drop: 'connection closed',
  }[fault];
  const retry = retryAfterSeconds === undefined ? '' : `, Retry-After ${retryAfterSeconds} s`;
  return make(
    'li',
    {},
    make(
      'span',
      {},
      make('b', {}, what),
      `${retry} · ${where}, ${match === '*' ? 'anyone' : `“${match}”`}`,
    ),
    make(
      'span',
      { className: 'hits' },
      count === undefined ? `used ${hits} times` : `used ${hits} of ${count} times`,
    ),
    make(
      'button',
      {
        type: 'button',
        className: 'quiet',
        'aria-label': `Remove rule: ${what}`,
        onclick: async () => {
          await control(`/faults/${id}`, 'DELETE');
          await refresh();
        },
      },
      'Remove',
    ),
  );
}
