import t from 'tap';
import { bannerText } from '../../cli/banner.ts';
import { readConfig } from '../../http/process/config.ts';

const live = {
  ENGAGE_MODE: 'live',
  ENGAGE_HOST: '0.0.0.0',
  ENGAGE_PUBLIC_URL: 'https://engage.example.com',
  ENGAGE_DATA_DIR: '/var/lib/engage',
};
const row = (text: string, name: string) =>
  new RegExp(`^  ${name} +(.*)$`, 'm').exec(text)?.[1] ?? '';

t.test('a live server says where it listens, where its token is, and that email is off', (t) => {
  const text = bannerText(readConfig(live), undefined, { port: 8400 });
  t.equal(row(text, 'Engage is ready'), 'https://engage.example.com  (live mode)');
  t.equal(row(text, 'Listening on'), 'http://0.0.0.0:8400');
  t.equal(row(text, 'Metrics'), 'http://127.0.0.1:8401/metrics');
  t.equal(row(text, 'Operator’s token'), 'in the file /var/lib/engage/bootstrap-token');
  t.equal(row(text, 'Email'), 'NOT CONFIGURED, no email is sent: set ENGAGE_SMTP_URL');
  t.end();
});

t.test('no secret is in it', (t) => {
  const config = readConfig({
    ...live,
    ENGAGE_HOST: '::',
    ENGAGE_INGEST_PORT: '8403',
    ENGAGE_BOOTSTRAP_TOKEN: 'the-token-of-the-operator',
    ENGAGE_SMTP_URL: 'smtp://someone:hunter2@smtp.example.com:587',
  });
  const text = bannerText(config, undefined, { port: 8400, warnings: ['Look here.'] });
  t.notMatch(text, /the-token|someone|hunter2/);
  t.equal(row(text, 'Listening on'), 'http://[::]:8400, http://[::]:8403');
  t.equal(row(text, 'Operator’s token'), 'the value of ENGAGE_BOOTSTRAP_TOKEN');
  t.equal(row(text, 'Email'), 'through smtp.example.com:587');
  t.match(text, /WARNING {2}Look here\./);
  t.end();
});

t.test('a sandbox has its inbox and its demo app, and nothing of email', (t) => {
  const demo = { appId: 'app_1', apiKey: 'ek_1' };
  const text = bannerText(readConfig({}), { url: 'http://127.0.0.1:8402' }, { port: 8400, demo });
  t.equal(row(text, 'Sandbox inbox'), 'http://127.0.0.1:8402');
  t.match(text, /ENGAGE_KEY=ek_1/);
  t.notMatch(text, /Email/);
  t.end();
});
