// The benchmark's sink takes mail from a real sender and from one that pipelines everything.

import { createConnection } from 'node:net';
import { createTransport } from 'nodemailer';
import t from 'tap';
import { startSmtpSink } from '../../sandbox/email/smtp-sink.ts';

t.test('a real sender is satisfied', async (test) => {
  const sink = await startSmtpSink();
  test.teardown(() => sink.close());
  const transport = createTransport(sink.url);
  await transport.sendMail({
    from: 'a@x.test',
    to: 'b@y.test',
    subject: 'x',
    text: 'line\n.dot\n..two',
  });
  test.equal(sink.accepted(), 1);
  transport.close();
});

t.test('pipelined commands and mails are counted, whatever the packets', async (test) => {
  const sink = await startSmtpSink();
  test.teardown(() => sink.close());
  const mail = 'MAIL FROM:<a@x>\r\nRCPT TO:<b@y>\r\nDATA\r\nSubject: x\r\n\r\nbody\r\n.\r\n';
  const empty = 'MAIL FROM:<a@x>\r\nRCPT TO:<b@y>\r\nDATA\r\n.\r\n';
  const conversation = `EHLO me\r\n${mail}${empty}${mail}QUIT\r\n`;
  for (const packetBytes of [1, 7, 1000]) {
    const before = sink.accepted();
    const socket = createConnection(Number(new URL(sink.url).port), '127.0.0.1');
    for (let at = 0; at < conversation.length; at += packetBytes)
      socket.write(conversation.slice(at, at + packetBytes));
    const text = await new Promise<string>((resolve) => {
      let replies = '';
      socket.on('data', (chunk) => {
        replies += chunk;
      });
      socket.on('end', () => resolve(replies));
    });
    test.equal(sink.accepted() - before, 3, `packets of ${packetBytes}`);
    test.equal(text.match(/queued/g)?.length, 3);
    test.match(text, /221 2\.0\.0 bye\r\n$/);
  }
});
