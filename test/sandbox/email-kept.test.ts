// A mail is in the inbox's file before the sender hears that it was accepted: a kill loses none.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readRelayUrl, SmtpSender } from '../../actors/channels/email/smtp-sender.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';

t.test('a mail is written before it is accepted', async (t) => {
  const directory = temporaryDirectory();
  const log = (line: string) => t.fail(line);
  const { close, smtpUrl } = await startSandbox({ port: 0, smtpPort: 0, directory, log });
  const relay = readRelayUrl(smtpUrl, 'localhost');
  if (relay === undefined) throw new Error(smtpUrl);
  const sender = new SmtpSender(relay);
  t.teardown(async () => {
    await sender.close();
    await close();
  });
  const words = `${'Hello. '.repeat(10)}\r\n`.repeat(20_000); // it takes a while to read
  for (let n = 0; n < 5; n++) {
    const to = `user-${n}@example.com`;
    const head = `From: a@shop.example\r\nTo: ${to}\r\nSubject: Hi\r\nMessage-ID: <${n}@x.example>\r\n`;
    const mail = { from: 'a@shop.example', to, data: `${head}\r\n${words}` };
    t.match(await sender.send(mail), { kind: 'accepted' });
    t.match(readFileSync(join(directory, 'inbox.jsonl'), 'utf8'), `"to":"${to}"`);
  }
});
