// The sandbox as a process, forked in sandbox mode. Sends its addresses to the parent and ends with
// their channel, so none stays on its port. Reports a failed start to the parent, or prints it.

import { startSandbox } from './sandbox.ts';

const portDefault = 8402;

// It goes on when whoever reads its output goes away.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const directory = process.env['SANDBOX_DIRECTORY'];
  const { close, ...addresses } = await startSandbox({
    port: portFrom('ENGAGE_SANDBOX_PORT', portDefault),
    smtpPort: portFrom('ENGAGE_SANDBOX_SMTP_PORT', 0),
    dnsPort: portFrom('SANDBOX_DNS_PORT', 0),
    bouncePort: portFrom('ENGAGE_BOUNCE_SMTP_PORT', 0),
    ...(directory === undefined ? {} : { directory }),
    ...stripeWebhook(),
    ...tryPlace(),
    log: (line) => process.stderr.write(`sandbox: ${line}\n`),
  });
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  if (process.send) {
    // Ctrl-C also reaches the parent, which still sends accepted messages; it ends us.
    process.on('SIGINT', () => undefined);
    process.send({ kind: 'sandbox.ready', ...addresses });
  } else {
    process.once('SIGINT', end);
    process.stdout.write(`${JSON.stringify(addresses)}\n`);
  }
} catch (error) {
  const problem = sentenceOf(error);
  if (process.send) process.send({ kind: 'sandbox.failed', problem }, () => process.exit(1));
  else {
    process.stderr.write(`sandbox: ${problem}\n`);
    process.exitCode = 1;
  }
}

/** Set by the parent, which knows the product's address. */
function stripeWebhook() {
  const url = process.env['SANDBOX_STRIPE_WEBHOOK'];
  const secret = process.env['SANDBOX_STRIPE_SECRET'];
  return url === undefined || secret === undefined ? {} : { stripeWebhook: { url, secret } };
}

/** Set by the parent as well. */
function tryPlace() {
  const engageUrl = process.env['SANDBOX_ENGAGE_URL'];
  const envFile = process.env['SANDBOX_DEMO_ENV'];
  return engageUrl === undefined || envFile === undefined
    ? {}
    : { tryPlace: { engageUrl, envFile } };
}

function portFrom(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new Error(`${name} must be a port number, not ${text}`);
}

function sentenceOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `a port is taken (${error.message}); set ENGAGE_SANDBOX_PORT or ENGAGE_SANDBOX_SMTP_PORT to another`;
  }
  return error instanceof Error ? error.message : String(error);
}
