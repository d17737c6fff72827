// What stands where a message would while there is none: how to send the first one.

import { Button } from '../ui/button.tsx';
import { CodeLine } from '../ui/code.tsx';
import { words } from './words.ts';

const path = '/fcm/v1/projects/demo/messages:send';
const body = JSON.stringify({
  message: { token: 'phone-1', notification: { title: 'Hello', body: 'It works' } },
});

export function Welcome() {
  const text = words.welcome;
  const command = [
    `curl ${location.origin}${path} \\`,
    `  -H 'authorization: Bearer sandbox' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
  const send = () =>
    fetch(path, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
      body,
    });
  const [before, token, after] = text.dead;
  const [faults, list] = text.faults;
  return (
    <div className="inbox-welcome stack">
      <h2>{text.title}</h2>
      <p>{text.text}</p>
      <p>{text.direct}</p>
      <CodeLine text={command} />
      <p>
        <Button kind="primary" icon="send" onClick={() => void send()}>
          {text.send}
        </Button>
      </p>
      <p className="soft">
        {before}
        <code>{token}</code>
        {after}
        <strong>{faults}</strong>
        {list}
      </p>
    </div>
  );
}
