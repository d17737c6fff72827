import t from 'tap';
import { contactProblem } from '../../../../actors/channels/webpush/contact.ts';

t.test('a contact that the public cannot reach is refused, and says why', async (t) => {
  const machine = 'a contact on this machine';
  const address = 'a contact at a private address or on this machine';
  const only = (host: string) => `a contact at ${host}, which only a private network can have`;
  const refused: Readonly<Record<string, string>> = {
    'mailto:postmaster@localhost': machine,
    'mailto:postmaster@LOCALHOST.': machine,
    'mailto:root@localhost.localdomain?subject=a': machine,
    'mailto:root@app.localhost': machine,
    'https://localhost': machine,
    'https://engage.localhost:8443': machine,
    'mailto:root@[127.0.0.1]': address,
    'mailto:root@[IPv6:fd00::1]': address,
    'mailto:root@10.1.2.3': address,
    'mailto:root@127.1': address,
    'https://127.0.0.1': address,
    'https://127.8.8.8': address,
    'https://0.0.0.0': address,
    'https://0x7f.1': address,
    'https://192.168.1.10': address,
    'https://172.16.0.1/path': address,
    'https://169.254.169.254': address,
    'https://100.64.0.1': address,
    'https://[::1]': address,
    'https://[::]': address,
    'https://[fe80::1]': address,
    'https://[::ffff:10.0.0.1]': address,
    'mailto:ops@x.invalid': only('x.invalid'),
    'mailto:ops@Mac.LOCAL': only('mac.local'),
    'https://nas.local.': only('nas.local'),
    'https://engage.internal': only('engage.internal'),
    'https://router.home.arpa': only('router.home.arpa'),
    'https://engage': only('engage'),
    'mailto:root@server?subject=x@example.com': only('server'),
    'mailto:root@': 'a contact without a host',
  };
  for (const [contact, problem] of Object.entries(refused))
    t.equal(contactProblem(contact), problem, contact);
});

t.test('a public contact is taken', async (t) => {
  for (const contact of [
    'mailto:ops@example.com',
    'MAILTO:ops@Example.COM',
    'mailto:localhost@example.com?subject=localhost',
    'mailto:a@local.example.com',
    'https://engage.example.com',
    'https://localhost.example.com',
    'https://127.0.0.1.example.com',
    'https://8.8.8.8',
    'https://[2606:4700::1111]/contact',
    'mailto:ops@xn--mnchen-3ya.de',
  ])
    t.equal(contactProblem(contact), undefined, contact);
});
