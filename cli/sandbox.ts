// `engage sandbox`: the stand-ins and the inbox alone, for work on another sender.

import { readConfig } from '../http/process/config.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import type { Command } from './command.ts';
import { checkSandboxPorts } from './preflight.ts';
import { noWords } from './words.ts';

export const command: Command = {
  name: 'sandbox',
  summary: 'Run only the simulated providers and their inbox page.',
  usage: 'engage sandbox',
  help: [
    'Listens on ENGAGE_SANDBOX_PORT (8402) and ports for SMTP and DNS, and prints the values of',
    'ENGAGE_<PROVIDER>_URL, ENGAGE_SMTP_URL and ENGAGE_DNS_SERVERS. Web push has no such setting: messages go to',
    'the URL in the subscription. The printed control URL creates subscriptions that point',
    'here and that the inbox can decrypt. A server in live mode accepts them only with',
    'ENGAGE_ALLOW_PRIVATE_NETWORKS=1, because they are on this machine.',
  ].join('\n'),
  run: async (words) => {
    noWords(words, 'engage sandbox');
    const config = readConfig(process.env);
    await checkSandboxPorts(config);
    const sandbox = await startSandbox({
      port: config.sandboxPort,
      smtpPort: config.sandboxSmtpPort,
    });
    const lines = [
      `inbox                    ${sandbox.url}`,
      `ENGAGE_SMTP_URL=${sandbox.smtpUrl}`,
      ...Object.entries(sandbox.providerUrls).map(
        ([name, address]) => `ENGAGE_${name}_URL=${address}`,
      ),
      `ENGAGE_DNS_SERVERS=${sandbox.dnsServers.join(',')}`,
      `web push subscriptions   POST ${sandbox.url}/control/webpush/subscriptions  {"name": "a-browser"}`,
      `   their messages go to   ${sandbox.webPushUrl}/s/a-browser`,
    ];
    // Before the lines: who reads them may end this at once.
    const ended = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    process.stdout.write(`${lines.join('\n')}\n`);
    await ended;
    await sandbox.close();
    return 0;
  },
};
