// The environment as one frozen value, checked at start by one schema; wrong values stop the start
// with a sentence each. Only this file reads it. cli/preflight.ts checks the named files and ports.

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type ProviderUrlName, providerUrlNames } from '../../actors/channels/channel-ids.ts';
import { emailDomain } from '../../actors/channels/email/address.ts';
import { limits } from '../../actors/limits.ts';
import { issueWords } from '../call/answer/issue-words.ts';
import {
  type ClusterConfig,
  clusterOf,
  clusterProblems,
  clusterVariables,
} from './cluster-settings.ts';
import { fileNameOf, withSecretFiles } from './secret-files.ts';
import { vapidSubjectOf } from './vapid-subject.ts';

/** Digits alone: not `0x10`, `1e3` or ` 5`. */
const digits = (value: unknown) =>
  typeof value === 'string' && !/^-?\d{1,15}$/.test(value) ? Number.NaN : value;
const count = (min: number, max: number) =>
  z.preprocess(digits, z.coerce.number().int().min(min).max(max));
const port = count(0, 65_535);
const flag = z
  .enum(['0', '1', 'true', 'false'])
  .transform((text) => text === '1' || text === 'true');
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
const domain = z.string().transform(canonicalDomain);
const domainOrAny = z.string().transform((text, context) => {
  return text === '*' ? text : canonicalDomain(text, context);
});
const dnsServer = z
  .string()
  .refine(
    isDnsServer,
    'expected an IP address such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53',
  );
/** Providers whose address an operator may set as `ENGAGE_<NAME>_URL`. */
export const providerNames = [...providerUrlNames, 'STRIPE'] as const;
type ProviderName = ProviderUrlName | 'STRIPE';

/** Every variable: its schema, its meaning, and whether its value is a secret. */
export const variables = {
  ENGAGE_MODE: {
    schema: z.enum(['sandbox', 'live']).default('sandbox'),
    meaning:
      '`sandbox`: providers are simulated on loopback and messages show on the inbox page. `live`: real providers.',
  },
  ENGAGE_HOST: { schema: z.string().min(1).default('127.0.0.1'), meaning: 'Address to listen on.' },
  ENGAGE_PORT: {
    schema: port.default(8400),
    meaning: 'Port for the API, SDK, ingest, callbacks, tracking and `/docs`.',
  },
  ENGAGE_INGEST_PORT: {
    schema: port.optional(),
    meaning:
      'Separate port that serves only `/e`, `/i/cdp` and `/healthz`, which are also served on the main port.',
  },
  ENGAGE_METRICS_PORT: {
    schema: port.default(8401),
    meaning: 'Port for `/metrics`, `/healthz` and `/readyz`; loopback only.',
  },
  ENGAGE_SANDBOX_PORT: {
    schema: port.default(8402),
    meaning: "Port for the sandbox's inbox page and control routes.",
  },
  ENGAGE_SANDBOX_SMTP_PORT: {
    schema: port.default(0),
    meaning: "Port for the sandbox's SMTP server; 0 picks a free port.",
  },
  ENGAGE_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    meaning: 'Directory for all stored data; created with mode 0700.',
  },
  ENGAGE_PROGRAM_DIR: {
    schema: z.string().min(1).optional(),
    meaning:
      'Directory in which the single executable unpacks its program, 34 MB. Default: `<data dir>/program`; for commands away from the data, `engage` in `$XDG_CACHE_HOME` or `~/.cache`. Only the single executable uses it.',
  },
  ENGAGE_ERASURES_DIR: {
    schema: z.string().min(1).optional(),
    meaning:
      'Directory for the lists of erased people, deleted keys, changed secrets and opt-outs. A restore applies them, so that it does not undo any of these. Keep them apart from backups, ideally on another disk. Default: `<data dir>/erasures`.',
  },
  ENGAGE_BACKUP_DAYS: {
    schema: count(1, 3650).default(30),
    meaning: 'How many days you keep backups. Erased people stay on the lists for that long.',
  },
  ENGAGE_PUBLIC_URL: {
    schema: url.optional(),
    meaning:
      'Public URL of this server, used in unsubscribe links, tracked links and callbacks. Default: `http://<host>:<port>`.',
  },
  ENGAGE_INGEST_URL: {
    schema: url.optional(),
    meaning: 'URL that SDKs post events to. Default: the public URL.',
  },
  ENGAGE_BOOTSTRAP_TOKEN: {
    schema: z.string().min(16).optional(),
    meaning:
      'Token for creating orgs and setting operator limits. Default: generated once, in `<data dir>/bootstrap-token`.',
    secret: true,
  },
  ENGAGE_MASTER_KEY: {
    schema: z.string().min(1).optional(),
    meaning:
      'Key that encrypts credentials: 32 bytes in base64. While rotating, separate several with commas: the first encrypts, all decrypt. Default: generated once, in `<data dir>/master-key`.',
    secret: true,
  },
  ENGAGE_SHARDS: {
    schema: count(1, 64).optional(),
    meaning: 'Number of shard threads. Default: based on the number of cores.',
  },
  ENGAGE_DISPATCHERS: {
    schema: count(1, 64).optional(),
    meaning: 'Number of dispatch threads. Default: based on the number of cores.',
  },
  ENGAGE_CAMPAIGN_DISPATCHERS: {
    schema: count(1, 4).optional(),
    meaning:
      'How many dispatch threads share the people of one push campaign. Default: 2 where there are as many dispatch threads, else 1.',
  },
  ENGAGE_PARTITIONS: {
    schema: count(1, 256).optional(),
    meaning:
      'Number of partitions of a new data directory; cannot be changed later. Default: 8, in a cluster 24.',
  },
  ENGAGE_PER_IP_PER_MINUTE: {
    schema: count(0, 1_000_000_000).default(limits.perIpPerMinute),
    meaning:
      'Requests per minute from one address on routes without a key; 0 turns off this limit and the limit on new people per address.',
  },
  ENGAGE_CLIENTS_SHARE: {
    schema: count(0, 10_000).default(limits.clientsShare),
    meaning:
      "What all client workspaces of one agency may use together: of rate limits per minute, as a multiple of a client's own; of storage, as a multiple of the agency's own quota. 0 removes both limits.",
  },
  ENGAGE_KEYLESS_KIB_PER_MINUTE: {
    schema: count(0, 1_000_000_000)
      .refine((kib) => kib === 0 || kib >= 1024, 'expected 0, or at least 1024: one full request')
      .default(limits.keylessKibPerMinute),
    meaning:
      'KiB per minute that one address may send to one app without a key, in events, tags and registrations; 0 turns off this limit.',
  },
  ENGAGE_KEYLESS_EVENTS_PER_MINUTE: {
    schema: count(0, 1_000_000_000).default(limits.keylessEventsPerMinute),
    meaning:
      'Events per minute that one address may send to one app without a key; 0 turns off this limit.',
  },
  ENGAGE_STORAGE_QUOTA_GIB: {
    schema: z
      .string()
      .regex(/^(none|[1-9]\d{0,5})$/, 'expected 1 to 999999, or none')
      .optional(),
    meaning:
      'Storage quota of each new org, in GiB; `none` for no quota. Default: 5 in live mode, `none` in the sandbox. Existing orgs keep theirs.',
  },
  ENGAGE_UNVOUCHED_ALARM_PERCENT: {
    schema: z
      .string()
      .regex(/^(none|100|[1-9]\d?)$/, 'expected 1 to 100, or none')
      .default('80')
      .transform((text) => (text === 'none' ? undefined : Number(text))),
    meaning:
      "Alarm threshold: the maximum percentage of an app's people active in a month who may be known only from requests without a key. Applies from 1,000 such people; `none` turns the alarm off.",
  },
  ENGAGE_SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/ }).optional(),
    meaning:
      'Mail relay: `smtp://user:password@host:port`. If unset in live mode, email is `not_configured`.',
    secret: true,
  },
  ENGAGE_MAIL_FROM: {
    schema: z.email().max(254).optional(),
    meaning:
      "Sender of the platform's own mails, such as sign-in links of the dashboard, through the relay above. If unset in live mode, none are sent: `engage dashboard-link` makes links.",
  },
  ENGAGE_SIGN_IN_MAILS_PER_HOUR: {
    schema: count(1, 1_000_000).default(limits.signInMailsPerHour),
    meaning:
      'Sign-in mails per hour to members who never signed in, over all orgs. Other members have only their own limits.',
  },
  ENGAGE_SMTP_DKIM_DOMAIN: {
    schema: domain.optional(),
    meaning:
      "The platform's domain, signed with the key below. Each app may send from one address of it, `app-…@<domain>`, and does so until it sets a `fromAddress`.",
  },
  ENGAGE_SMTP_DKIM_SELECTOR: {
    schema: z.string().min(1).optional(),
    meaning: 'Selector of the DKIM key.',
  },
  ENGAGE_SMTP_DKIM_KEY_FILE: {
    schema: z.string().min(1).optional(),
    meaning: 'PEM file with the DKIM private key.',
  },
  ENGAGE_EMAIL_DOMAINS: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(domainOrAny))
      .default([]),
    meaning:
      'Domains that every app may send email from without proof, separated by commas: for a server of one company. `*` allows any domain. Email from them is signed only with a key that the app or the platform has for that domain.',
  },
  ENGAGE_DNS_SERVERS: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(dnsServer))
      .optional(),
    meaning:
      "DNS resolvers that check sender domains, as IP addresses with an optional port, separated by commas. Default: the system's; in sandbox mode the sandbox's own.",
  },
  ENGAGE_BOUNCE_DOMAIN: {
    schema: z
      .string()
      .regex(
        /^(?=.{1,190}$)([a-z0-9](-*[a-z0-9])*\.)+[a-z][a-z0-9-]*$/i,
        'expected a domain name such as bounces.example.com',
      )
      .transform((text) => text.toLowerCase())
      .optional(),
    meaning:
      'Return-path domain of every email; bounces are matched to their send through it. Sandbox default: `bounces.sandbox.example`.',
  },
  ENGAGE_BOUNCE_SMTP_PORT: {
    schema: port.optional(),
    meaning:
      'Port that receives bounces, complaints and unsubscribe mails for the bounce domain; 0 turns it off. Default: off; in sandbox mode any free port.',
  },
  ENGAGE_VAPID_SUBJECT: {
    schema: z
      .string()
      .refine(
        (text) =>
          /^mailto:[^\s@<>,;]+@[^\s@<>,;]+$/i.test(text) ||
          (/^https:\/\//i.test(text) && URL.canParse(text)),
        'expected a contact such as mailto:ops@example.com or https://example.com',
      )
      .optional(),
    meaning:
      'Contact sent to web push services. Default: `https://` and the host of the public URL. In live mode its host must be public: not localhost, `.local`, `.invalid` or a private address.',
  },
  ENGAGE_SECURITY_CONTACT: {
    schema: z
      .string()
      .refine(
        (text) =>
          /^(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+)$/i.test(text) ||
          (/^https:\/\/\S+$/i.test(text) && URL.canParse(text)),
        'expected a contact such as mailto:security@example.com or https://example.com/security',
      )
      .optional(),
    meaning:
      'Contact for reports of security problems, in `/.well-known/security.txt`. Default: none, and the file is a 404.',
  },
  ENGAGE_WHATSAPP_VERSION: {
    schema: z
      .string()
      .regex(/^v\d{1,3}\.\d$/, 'expected a version such as v25.0')
      .optional(),
    meaning:
      "Version of WhatsApp's Graph API, such as `v25.0`. Default: the version of this release.",
  },
  ENGAGE_STRIPE_SECRET_KEY: {
    schema: z.string().min(8).optional(),
    meaning:
      "Stripe's secret key. If unset in live mode, nobody can connect a payment method and nothing is charged; usage and invoices still work.",
    secret: true,
  },
  ENGAGE_STRIPE_WEBHOOK_SECRET: {
    schema: z.string().min(8).optional(),
    meaning:
      "Signing secret of Stripe's webhook to `<public URL>/v1/webhooks/stripe`. Set it together with the secret key.",
    secret: true,
  },
  ENGAGE_LINK_HOSTS: {
    schema: flag.default(false),
    meaning:
      'Lets links of emails have names below the sender domains of tenants. The proxy in front must serve these names: it asks `/tls/ask` about each.',
  },
  ENGAGE_ALLOW_PRIVATE_NETWORKS: {
    schema: flag.default(false),
    meaning:
      'Allows web push endpoints and webhooks on http or private addresses (for development).',
  },
  ENGAGE_CLOCK_SOURCES: {
    schema: z
      .string()
      .regex(
        /^(none|(kernel|providers)(,(kernel|providers))?)$/,
        'expected kernel, providers, both with a comma, or none',
      )
      .default('kernel,providers')
      .transform((text) =>
        (['kernel', 'providers'] as const).filter((source) => text.includes(source)),
      ),
    meaning:
      'Who confirms the clock after a start that finds it more than an hour past the newest data: `kernel` (synchronized by NTP), `providers` (the `Date` of their answers), or `none`. Without either, 24 hours of running confirm it.',
  },
  ...clusterVariables,
  ENGAGE_TLS_CERT: {
    schema: z.string().min(1).optional(),
    meaning: 'PEM certificate chain, for serving TLS directly.',
  },
  ENGAGE_TLS_KEY: {
    schema: z.string().min(1).optional(),
    meaning: 'PEM private key of the certificate.',
  },
  ENGAGE_TRUSTED_PROXIES: {
    schema: count(0, 16).default(0),
    meaning: 'Number of trusted proxy hops in `X-Forwarded-For`.',
  },
  ENGAGE_HTTP: {
    schema: z.enum(['auto', 'uws', 'node']).default('auto'),
    meaning: 'HTTP server to use: uWebSockets.js, `node:http`, or the first that loads.',
  },
  ENGAGE_LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    meaning: 'Log level of the JSON lines on stdout.',
  },
} as const satisfies Record<
  string,
  { readonly schema: z.ZodType; readonly meaning: string; readonly secret?: boolean }
>;

type Variables = {
  readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']>;
};

export interface Config {
  readonly mode: 'sandbox' | 'live';
  readonly host: string;
  readonly port: number;
  readonly ingestPort: number | undefined;
  readonly metricsPort: number;
  readonly sandboxPort: number;
  readonly sandboxSmtpPort: number;
  readonly dataDir: string;
  readonly erasuresDir: string | undefined;
  readonly backupDays: number;
  readonly publicUrl: string;
  readonly ingestUrl: string;
  readonly bootstrapToken: string | undefined;
  readonly masterKey: string | undefined;
  readonly partitions: number;
  /** Absent: one machine. */
  readonly cluster: ClusterConfig | undefined;
  readonly shards: number | undefined;
  readonly dispatchers: number | undefined;
  readonly campaignDispatchers: number | undefined;
  readonly cores: number;
  readonly perIpPerMinute: number;
  /** Of a client's own rate limit, for all clients of an agency together; 0 is no limit. */
  readonly clientsShare: number;
  /** Per address and app without a key; 0 is none. */
  readonly keylessKibPerMinute: number;
  readonly keylessEventsPerMinute: number;
  /** `undefined` for no alarm. */
  /** Of a new org; absent for none. */
  readonly newOrgQuotaBytes: number | undefined;
  readonly unvouchedAlarmPercent: number | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly signInMailsPerHour: number;
  readonly bounceDomain: string | undefined;
  /** This server's name, if names of tenants' domains may lead to it. */
  readonly linkHost: string | undefined;
  /** The port of that domain's listener; 0 is none, `undefined` lets the sandbox choose. */
  readonly bouncePort: number | undefined;
  readonly dkim:
    | { readonly domain: string; readonly selector: string; readonly keyFile: string }
    | undefined;
  /** The domain of that key; in sandbox mode one of its own without a key. */
  readonly platformDomain: string | undefined;
  readonly emailDomains: readonly string[];
  readonly dnsServers: readonly string[] | undefined;
  readonly vapidSubject: string;
  readonly securityContact: string | undefined;
  readonly whatsappVersion: string | undefined;
  /** Absent: nothing is charged. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | undefined;
  readonly allowPrivateNetworks: boolean;
  readonly clockSources: readonly ('kernel' | 'providers')[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly trustedProxies: number;
  readonly http: 'auto' | 'uws' | 'node';
  readonly logLevel: string;
  /** The operator's provider addresses; in sandbox mode the sandbox adds the others. */
  readonly providerUrls: Readonly<Partial<Record<ProviderName, string>>>;
}

/** Client and test variables, which a shell that starts a server may have, too. */
const notOurs = /^ENGAGE_(APP|KEY|URL|API_KEY|KILLS|SIM_SEEDS|TEST_.*)$/;

/** One line per problem, each naming its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Settings whose values may stand in a file, named by `<setting>_FILE`. */
const secretNames: readonly string[] = Object.entries(variables).flatMap(([name, entry]) =>
  'secret' in entry ? name : [],
);

/** Throws `ConfigError` with all problems at once. */
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const environment = withSecretFiles(given, secretNames, problems);
  const values: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(variables)) {
    const text = environment[name];
    const parsed = schema.safeParse(text === '' ? undefined : text);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const problem = issue === undefined ? 'invalid value' : issueWords(issue);
      problems.push(`${name} is ${shown(name, text)}: ${problem}.`);
    }
    values[name] = parsed.data;
  }
  for (const name of Object.keys(environment)) {
    if (
      name.startsWith('ENGAGE_') &&
      !(name in variables) &&
      !isSecretFile(name) &&
      !isProviderUrl(name) &&
      !notOurs.test(name)
    ) {
      problems.push(`${name} is not an Engage setting; \`engage config\` lists all settings.`);
    }
  }
  for (const names of [dkimNames, tlsNames, stripeNames]) {
    const missing = names.filter((name) => (environment[name] ?? '') === '');
    if (missing.length > 0 && missing.length < names.length)
      problems.push(`${names.join(', ')} must be set together; ${missing.join(', ')} is not set.`);
  }
  const { ENGAGE_BOUNCE_SMTP_PORT: bouncePort, ENGAGE_BOUNCE_DOMAIN: bounceDomain } = values;
  if (bouncePort && bounceDomain === undefined && values['ENGAGE_MODE'] === 'live')
    problems.push(
      'ENGAGE_BOUNCE_SMTP_PORT needs ENGAGE_BOUNCE_DOMAIN, the domain to accept mail for.',
    );
  if (values['ENGAGE_LINK_HOSTS'] === true && nameOf(values['ENGAGE_PUBLIC_URL']) === undefined)
    problems.push('ENGAGE_LINK_HOSTS needs ENGAGE_PUBLIC_URL with a domain name.');
  problems.push(...clusterProblems(values, (name) => (environment[name] ?? '') !== ''));
  const providerUrls = readProviderUrls(environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return assemble(values as Variables, providerUrls);
}

function isSecretFile(name: string): boolean {
  return secretNames.some((secret) => fileNameOf(secret) === name);
}

/** A reserved domain without a mail server (RFC 2606). */
const sandboxBounceDomain = 'bounces.sandbox.example';

const sandboxPlatformDomain = 'sandbox.example';
const sandboxMailFrom = `no-reply@${sandboxPlatformDomain}`;

/** The stand-in signs with this secret, and accepts any key. */
const sandboxStripe = { secretKey: 'sk_test_sandbox', webhookSecret: 'whsec_sandbox' };

/** The host of an address, if it is a domain name. */
function nameOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const checked = emailDomain(new URL(url).hostname);
  return 'value' in checked ? checked.value : undefined;
}

/** Must be set together. */
const dkimNames = [
  'ENGAGE_SMTP_DKIM_DOMAIN',
  'ENGAGE_SMTP_DKIM_SELECTOR',
  'ENGAGE_SMTP_DKIM_KEY_FILE',
] as const;
const stripeNames = ['ENGAGE_STRIPE_SECRET_KEY', 'ENGAGE_STRIPE_WEBHOOK_SECRET'] as const;
const tlsNames = ['ENGAGE_TLS_CERT', 'ENGAGE_TLS_KEY'] as const;

function assemble(v: Variables, providerUrls: Config['providerUrls']): Config {
  const dkim = together(v, dkimNames);
  const tls = together(v, tlsNames);
  const stripe = together(v, stripeNames);
  const publicUrl =
    v.ENGAGE_PUBLIC_URL ?? `http${tls ? 's' : ''}://${v.ENGAGE_HOST}:${v.ENGAGE_PORT}`;
  return Object.freeze({
    mode: v.ENGAGE_MODE,
    host: v.ENGAGE_HOST,
    port: v.ENGAGE_PORT,
    ingestPort: v.ENGAGE_INGEST_PORT,
    metricsPort: v.ENGAGE_METRICS_PORT,
    sandboxPort: v.ENGAGE_SANDBOX_PORT,
    sandboxSmtpPort: v.ENGAGE_SANDBOX_SMTP_PORT,
    dataDir: resolve(v.ENGAGE_DATA_DIR),
    erasuresDir: v.ENGAGE_ERASURES_DIR === undefined ? undefined : resolve(v.ENGAGE_ERASURES_DIR),
    backupDays: v.ENGAGE_BACKUP_DAYS,
    publicUrl,
    ingestUrl: v.ENGAGE_INGEST_URL ?? publicUrl,
    bootstrapToken: v.ENGAGE_BOOTSTRAP_TOKEN,
    masterKey: v.ENGAGE_MASTER_KEY,
    partitions: v.ENGAGE_PARTITIONS ?? (v.ENGAGE_CLUSTER === undefined ? 8 : 24),
    cluster: clusterOf(v),
    shards: v.ENGAGE_SHARDS,
    dispatchers: v.ENGAGE_DISPATCHERS,
    campaignDispatchers: v.ENGAGE_CAMPAIGN_DISPATCHERS,
    cores: availableParallelism(),
    perIpPerMinute: v.ENGAGE_PER_IP_PER_MINUTE,
    clientsShare: v.ENGAGE_CLIENTS_SHARE,
    keylessKibPerMinute: v.ENGAGE_KEYLESS_KIB_PER_MINUTE,
    keylessEventsPerMinute: v.ENGAGE_KEYLESS_EVENTS_PER_MINUTE,
    newOrgQuotaBytes: quotaBytesOf(v.ENGAGE_STORAGE_QUOTA_GIB, v.ENGAGE_MODE),
    unvouchedAlarmPercent: v.ENGAGE_UNVOUCHED_ALARM_PERCENT,
    smtpUrl: v.ENGAGE_SMTP_URL,
    mailFrom: v.ENGAGE_MAIL_FROM ?? (v.ENGAGE_MODE === 'sandbox' ? sandboxMailFrom : undefined),
    signInMailsPerHour: v.ENGAGE_SIGN_IN_MAILS_PER_HOUR,
    bounceDomain:
      v.ENGAGE_BOUNCE_DOMAIN ?? (v.ENGAGE_MODE === 'sandbox' ? sandboxBounceDomain : undefined),
    bouncePort: v.ENGAGE_BOUNCE_SMTP_PORT,
    linkHost: v.ENGAGE_LINK_HOSTS ? nameOf(publicUrl) : undefined,
    dkim: dkim && { domain: dkim[0], selector: dkim[1], keyFile: dkim[2] },
    platformDomain:
      v.ENGAGE_SMTP_DKIM_DOMAIN ??
      (v.ENGAGE_MODE === 'sandbox' ? sandboxPlatformDomain : undefined),
    emailDomains: v.ENGAGE_EMAIL_DOMAINS,
    dnsServers: v.ENGAGE_DNS_SERVERS,
    vapidSubject: vapidSubjectOf(v.ENGAGE_VAPID_SUBJECT, publicUrl),
    securityContact: v.ENGAGE_SECURITY_CONTACT,
    whatsappVersion: v.ENGAGE_WHATSAPP_VERSION,
    stripe:
      stripe !== undefined
        ? { secretKey: stripe[0], webhookSecret: stripe[1] }
        : v.ENGAGE_MODE === 'sandbox'
          ? sandboxStripe
          : undefined,
    allowPrivateNetworks: v.ENGAGE_ALLOW_PRIVATE_NETWORKS,
    clockSources: v.ENGAGE_CLOCK_SOURCES,
    tls: tls && { certFile: tls[0], keyFile: tls[1] },
    trustedProxies: v.ENGAGE_TRUSTED_PROXIES,
    http: v.ENGAGE_HTTP,
    logLevel: v.ENGAGE_LOG_LEVEL,
    providerUrls,
  });
}

/** The values of variables that must be set together; nothing if none is set. */
/** Data of tests and trials is bounded by the machine. */
function quotaBytesOf(text: string | undefined, mode: Config['mode']): number | undefined {
  const gib = text ?? (mode === 'live' ? `${limits.storageQuotaGib}` : 'none');
  return gib === 'none' ? undefined : Number(gib) * 1024 ** 3;
}

function together<const Names extends readonly (keyof Variables)[]>(
  v: Variables,
  names: Names,
): { -readonly [K in keyof Names]: string } | undefined {
  if (names.some((name) => v[name] === undefined)) return undefined;
  return names.map((name) => String(v[name])) as unknown as {
    -readonly [K in keyof Names]: string;
  };
}

function canonicalDomain(text: string, context: z.RefinementCtx): string {
  const checked = emailDomain(text);
  if ('value' in checked) return checked.value;
  context.addIssue({ code: 'custom', message: 'expected a domain name such as example.com' });
  return z.NEVER;
}

function isDnsServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, six, four, port = '53'] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6;
  return isAddress && Number(port) > 0 && Number(port) <= 65_535;
}

function isProviderUrl(name: string): boolean {
  return providerNames.some((provider) => name === `ENGAGE_${provider}_URL`);
}

function readProviderUrls(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Config['providerUrls'] {
  const urls: Partial<Record<ProviderName, string>> = {};
  for (const provider of providerNames) {
    const name = `ENGAGE_${provider}_URL`;
    const text = environment[name];
    if (text === undefined || text === '') continue;
    const parsed = url.safeParse(text);
    if (parsed.success) urls[provider] = parsed.data;
    else problems.push(`${name} is ${JSON.stringify(text)}: expected an http or https URL.`);
  }
  return urls;
}

function shown(name: string, text: string | undefined): string {
  const entry = variables[name as keyof typeof variables];
  return 'secret' in entry ? 'set to a value' : JSON.stringify(text ?? '');
}
