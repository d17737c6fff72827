// What stands where a message would while there is none: how to send the first one.

import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/note.tsx';
import { words } from './words.ts';

const path = '/fcm/v1/projects/demo/messages:send';
const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' };
const body = JSON.stringify({
  message: { token: 'phone-1', notification: { title: 'Hello', body: 'It works' } },
});

export function Welcome() {
  const command = [
    `curl ${location.origin}${path}`,
    ...Object.entries(headers).map(([name, value]) => `  -H '${name}: ${value}'`),
    `  -d '${body}'`,
  ].join(' \\\n');
  return (
    <Empty
      icon="inbox"
      title={words.welcome.title}
      action={
        <Button
          kind="primary"
          icon="send"
          onClick={() => void fetch(path, { method: 'POST', headers, body })}
        >
          {words.welcome.send}
        </Button>
      }
      curl={command}
    >
      {words.welcome.text}
    </Empty>
  );
}
