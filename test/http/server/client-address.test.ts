// Who is asking: addresses in one form, proxies believed only as far as they were told to be.

import t from 'tap';
import {
  addressFromBytes,
  clientAddress,
  normalAddress,
  rateKey,
} from '../../../http/server/client-address.ts';

const behind = (peer: string, forwarded: string) => ({
  method: 'GET',
  path: '/',
  query: '',
  header: (name: string) => (name === 'x-forwarded-for' ? forwarded : ''),
  has: (name: string) => name === 'x-forwarded-for',
  remoteAddress: peer,
});

t.test('only as many entries of x-forwarded-for are believed as there are proxies', async (t) => {
  const request = behind('10.0.0.1', '6.6.6.6, 1.2.3.4,  10.0.0.2');
  t.equal(clientAddress(request, 0), '10.0.0.1');
  t.equal(clientAddress(request, 1), '10.0.0.2');
  t.equal(clientAddress(request, 2), '1.2.3.4');
  t.equal(clientAddress(request, 3), '6.6.6.6');
  t.equal(clientAddress(request, 9), '6.6.6.6', 'a shorter list gives its first entry');
});

t.test('a forged entry in front does not move the client', async (t) => {
  for (const forged of ['', '9.9.9.9, ', 'x, ', '::1, 127.0.0.1, ', ',,, ']) {
    t.equal(clientAddress(behind('10.0.0.1', `${forged}1.2.3.4`), 1), '1.2.3.4');
  }
});

t.test('what is no address falls back to the last good hop', async (t) => {
  t.equal(clientAddress(behind('10.0.0.1', ''), 1), '10.0.0.1');
  t.equal(clientAddress(behind('10.0.0.1', 'unknown'), 1), '10.0.0.1');
  t.equal(clientAddress(behind('10.0.0.1', 'evil, 10.0.0.2'), 2), '10.0.0.2');
  t.equal(
    clientAddress(behind('10.0.0.1', '127.1'), 1),
    '10.0.0.1',
    'short forms are not addresses',
  );
});

t.test('ports, brackets and mapped addresses of proxies are understood', async (t) => {
  t.equal(clientAddress(behind('10.0.0.1', '1.2.3.4:5678'), 1), '1.2.3.4');
  t.equal(clientAddress(behind('10.0.0.1', '[2001:db8::1]:443'), 1), '2001:db8::1');
  t.equal(clientAddress(behind('10.0.0.1', '::ffff:1.2.3.4'), 1), '1.2.3.4');
});

t.test('addresses have one form', async (t) => {
  t.equal(normalAddress('::ffff:7f00:1'), '127.0.0.1');
  t.equal(normalAddress('2001:0DB8:0:0:0:0:0:1'), '2001:db8::1');
  t.equal(normalAddress('fe80::1%eth0'), 'fe80::1');
  t.equal(normalAddress('1.2.3.4'), '1.2.3.4');
  t.equal(normalAddress(''), '');
  t.equal(addressFromBytes(Uint8Array.of(1, 2, 3, 4)), '1.2.3.4');
  t.equal(
    addressFromBytes(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4)),
    '1.2.3.4',
  );
  t.equal(
    addressFromBytes(Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
    '2001:db8::1',
  );
  t.equal(addressFromBytes(new Uint8Array(0)), '');
});

t.test('a rate limit counts an IPv4 address, and the /64 of an IPv6 one', async (t) => {
  t.equal(rateKey('1.2.3.4'), '1.2.3.4');
  t.equal(rateKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.equal(rateKey('2001:db8:1:2:ffff::'), rateKey('2001:db8:1:2::1'));
  t.not(rateKey('2001:db8:1:3::1'), rateKey('2001:db8:1:2::1'));
  t.equal(rateKey('::1'), '0:0:0:0::/64');
  t.equal(rateKey(''), '');
});
