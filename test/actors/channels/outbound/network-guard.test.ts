// Which URLs and addresses are refused: the vectors of the SSRF literature, one by one.

import t from 'tap';
import { isPublicAddress, judgeUrl } from '../../../../actors/channels/outbound/network-guard.ts';

t.test('no address outside public unicast passes', async (t) => {
  const refused = `0.0.0.1 10.1.2.3 100.64.0.1 100.100.100.200 127.0.0.1 127.1.2.3 168.63.129.16 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.1.1 192.175.48.1
    198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:168.63.129.16
    ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:2::1
    2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254
    fe80::1 fe80::1%eth0 fec0::1 ff02::1 nonsense 1.2.3`;
  for (const address of refused.split(/\s+/)) t.equal(isPublicAddress(address), false, address);
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ]) {
    t.equal(isPublicAddress(address), true, address);
  }
});

t.test('a host is a name that DNS can have, and ends no directive of a policy', async (t) => {
  const wrong = ['cdn.example.com;sandbox', '*', '*.example.com', 'a,b.example', 'a..b', "a'b.c"];
  for (const host of [...wrong, '-a.example', 'a-.example', `${'a'.repeat(64)}.example`, 'a$b.c'])
    for (const isPrivate of [false, true])
      t.match(judgeUrl(`https://${host}/x.png`, isPrivate), { refused: 'invalid_url' }, host);
  for (const host of ['cdn.example.com', 'bücher.example', 'my_bucket.s3.example', 'a.example.'])
    t.ok('url' in judgeUrl(`https://${host}/x.png`, false), host);
  t.ok('url' in judgeUrl('https://[2606:4700::1111]/x.png', false));
  t.ok('url' in judgeUrl('http://localhost:3000/hook', true));
});

t.test('no URL gets by in disguise', async (t) => {
  const refusals: Record<string, string> = {
    'https://127.0.0.1/': 'private_address',
    'https://127.1/': 'private_address',
    'https://0x7f.1/': 'private_address',
    'https://2130706433/': 'private_address',
    'https://017700000001/': 'private_address',
    'https://0/': 'private_address',
    'https://[::1]/': 'private_address',
    'https://[::ffff:127.0.0.1]/': 'private_address',
    'https://[::ffff:7f00:1]/': 'private_address',
    'https://[::127.0.0.1]/': 'private_address',
    'https://[64:ff9b::7f00:1]/': 'private_address',
    'https://169.254.169.254/latest/meta-data/': 'private_address',
    'https://①②⑦.⓪.⓪.①/': 'private_address',
    'https://localhost/': 'private_address',
    'https://localhost./': 'private_address',
    'https://a.localhost/': 'private_address',
    'https://metadata.google.internal/': 'private_address',
    'https://printer.local/': 'private_address',
    'https://evil.com@127.0.0.1/': 'userinfo_not_allowed',
    'https://user:password@example.com/': 'userinfo_not_allowed',
    'http://example.com/': 'scheme_not_allowed',
    'ftp://example.com/': 'scheme_not_allowed',
    'file:///etc/passwd': 'scheme_not_allowed',
    'javascript:alert(1)': 'scheme_not_allowed',
    'https://example.com:22/': 'port_not_allowed',
    'https://example.com:80/': 'port_not_allowed',
    'https://[fe80::1%25lo]/': 'invalid_url',
    'https://127.0.0.1%2f@evil.com/': 'userinfo_not_allowed',
    'not a url': 'invalid_url',
    '': 'invalid_url',
    [`https://example.com/${'x'.repeat(2048)}`]: 'invalid_url',
  };
  for (const [url, reason] of Object.entries(refusals)) {
    t.match(judgeUrl(url, false), { refused: reason }, url.slice(0, 60));
  }
  for (const url of [
    'https://example.com/hook?a=1',
    'https://example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://127.0.0.1.nip.io/', // a name: judged again when it resolves
    'https://evil.com#@127.0.0.1/',
  ]) {
    t.ok('url' in judgeUrl(url, false), url);
  }
});

t.test('development lets private addresses and http pass, and nothing else', async (t) => {
  t.ok('url' in judgeUrl('http://127.0.0.1:9999/', true));
  t.ok('url' in judgeUrl('http://localhost:3000/hook', true));
  t.match(judgeUrl('file:///etc/passwd', true), { refused: 'scheme_not_allowed' });
  t.match(judgeUrl('http://user@127.0.0.1/', true), { refused: 'userinfo_not_allowed' });
});
