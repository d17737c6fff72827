// Checks before a start: configured files and directories, master key, ports. Reports all problems
// at once, before sandbox and engine start. They keep their own checks, as things may change.

import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { contactProblem } from '../actors/channels/webpush/contact.ts';
import { type Config, ConfigError } from '../http/process/config.ts';
import { loadUws } from '../http/server/uws-library.ts';
import { lockDataDirectory } from '../storage/lock.ts';
import { directoryProblem, fileWords } from './directory.ts';
import { configuredKeyIds } from './master-keys.ts';
import { portProblems, type WantedPort } from './ports.ts';

/** Throws one `ConfigError` with all problems. Makes the data and erasures directories. */
export async function checkStart(config: Config): Promise<void> {
  const directories = directoryProblems(config);
  const problems = [
    ...tlsProblems(config),
    ...dkimProblems(config),
    ...subjectProblems(config),
    ...directories,
    ...(directories.length > 0 ? [] : masterKeyProblems(config)),
    ...(await httpProblems(config)),
  ];
  // A directory in use is the only problem: its server has the ports.
  const inUse = directories.length > 0 ? [] : await lockProblems(config.dataDir);
  problems.push(...inUse);
  if (inUse.length === 0) problems.push(...(await portProblems(portsOf(config))));
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Throws for busy ports of the sandbox alone. */
export async function checkSandboxPorts(config: Config): Promise<void> {
  const problems = await portProblems(sandboxPortsOf(config));
  if (problems.length > 0) throw new ConfigError(problems);
}

function portsOf(config: Config): WantedPort[] {
  const { host, port, ingestPort, metricsPort, bouncePort } = config;
  return [
    { setting: 'ENGAGE_PORT', host, port },
    ...(ingestPort === undefined
      ? []
      : [{ setting: 'ENGAGE_INGEST_PORT', host, port: ingestPort }]),
    ...(bouncePort ? [{ setting: 'ENGAGE_BOUNCE_SMTP_PORT', host, port: bouncePort }] : []),
    { setting: 'ENGAGE_METRICS_PORT', host: loopback, port: metricsPort },
    ...(config.mode === 'sandbox' ? sandboxPortsOf(config) : []),
  ];
}

const loopback = '127.0.0.1';

function sandboxPortsOf({ sandboxPort, sandboxSmtpPort }: Config): WantedPort[] {
  return [
    { setting: 'ENGAGE_SANDBOX_PORT', host: loopback, port: sandboxPort },
    { setting: 'ENGAGE_SANDBOX_SMTP_PORT', host: loopback, port: sandboxSmtpPort },
  ];
}

function directoryProblems({ dataDir, erasuresDir }: Config): string[] {
  const named = [
    ['ENGAGE_DATA_DIR', dataDir],
    ['ENGAGE_ERASURES_DIR', erasuresDir],
  ] as const;
  return named.flatMap(([setting, path]) => {
    const problem = path === undefined ? undefined : directoryProblem(path);
    return problem === undefined ? [] : [`${setting} is ${JSON.stringify(path)}: ${problem}.`];
  });
}

function tlsProblems({ tls }: Config): string[] {
  if (tls === undefined) return [];
  const cert = readPem('ENGAGE_TLS_CERT', tls.certFile, 'a PEM certificate chain');
  const key = readPem('ENGAGE_TLS_KEY', tls.keyFile, 'a PEM private key without a passphrase');
  const problems = [
    cert.problem ?? unfit(cert, (text) => void createSecureContext({ cert: text })),
    key.problem ?? unfit(key, (text) => void createPrivateKey(text)),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return problems;
  const mismatch = unfit(
    { ...key, expected: `the private key of the certificate in ${tls.certFile}` },
    () => void createSecureContext({ cert: cert.text, key: key.text }),
    'it contains a different one',
  );
  return mismatch === undefined ? [] : [mismatch];
}

function dkimProblems({ dkim }: Config): string[] {
  if (dkim === undefined) return [];
  const key = readPem(
    'ENGAGE_SMTP_DKIM_KEY_FILE',
    dkim.keyFile,
    'a PEM private key (RSA or Ed25519) without a passphrase',
  );
  const problem =
    key.problem ??
    unfit(key, (text) => {
      const { asymmetricKeyType: type } = createPrivateKey(text);
      if (type !== 'rsa' && type !== 'ed25519') throw new Error(`a key of type ${type}`);
    });
  return problem === undefined ? [] : [problem];
}

/** Stand-ins accept any contact. */
function subjectProblems({ mode, vapidSubject, publicUrl }: Config): string[] {
  const problem = mode === 'live' ? contactProblem(vapidSubject) : undefined;
  if (problem === undefined) return [];
  return [
    `ENGAGE_VAPID_SUBJECT is ${JSON.stringify(vapidSubject)}: Apple's web push refuses ${problem}. Set ENGAGE_PUBLIC_URL (now ${publicUrl}) to the public address, or ENGAGE_VAPID_SUBJECT to a contact such as mailto:ops@example.com.`,
  ];
}

function masterKeyProblems({ dataDir, masterKey }: Config): string[] {
  try {
    configuredKeyIds(dataDir, masterKey);
    return [];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [code === undefined ? message : `${dataDir}/master-key: ${fileWords(error)}.`];
  }
}

async function lockProblems(dataDir: string): Promise<string[]> {
  try {
    const lock = await lockDataDirectory(dataDir);
    await lock.release();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Only if configured by name: otherwise node:http replaces it. */
async function httpProblems({ http }: Config): Promise<string[]> {
  if (http !== 'uws') return [];
  const load = await loadUws();
  return load.ok
    ? []
    : [`ENGAGE_HTTP is "uws", but its binary does not load here (${load.reasons.join(' | ')}).`];
}

interface Pem {
  readonly setting: string;
  readonly path: string;
  readonly expected: string;
  readonly text: string;
  readonly problem?: string;
}

function readPem(setting: string, path: string, expected: string): Pem {
  const pem = { setting, path, expected };
  try {
    return { ...pem, text: readFileSync(path, 'utf8') };
  } catch (error) {
    return { ...pem, text: '', problem: sentence(pem, fileWords(error)) };
  }
}

/** The error of using a file, if any. */
function unfit(
  pem: Pem,
  use: (text: string) => void,
  problem = 'it contains none',
): string | undefined {
  try {
    use(pem.text);
    return undefined;
  } catch {
    return sentence(pem, problem); // the message of OpenSSL helps no one
  }
}

function sentence(pem: Pick<Pem, 'setting' | 'path' | 'expected'>, problem: string): string {
  return `${pem.setting} is ${JSON.stringify(pem.path)}: expected a file with ${pem.expected}, but ${problem}.`;
}
