// What each kind of relay asks for, in the words of its service. Secrets are only written.

import type { Relay } from '../api/generated.ts';

/** `http` is for SMS, and has a form of its own. */
export type RelayKind = Exclude<Relay['kind'], 'http'>;

interface RelayField {
  readonly label: string;
  /** Where its value is found. */
  readonly hint: string;
  readonly kind: 'text' | 'number' | 'secret' | 'choice' | 'switch';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly isOptional?: boolean;
}

interface RelayForm {
  readonly label: string;
  /** Where its events' address is pasted. */
  readonly events: string;
  readonly fields: Readonly<Record<string, RelayField>>;
}

const optional = { isOptional: true } as const;

export const relayForms: Readonly<Record<RelayKind, RelayForm>> = {
  smtp: {
    label: 'SMTP server',
    events: '',
    fields: {
      host: { label: 'Host', hint: 'Such as smtp.example.com.', kind: 'text' },
      port: { label: 'Port', hint: '587 if it is empty.', kind: 'number', ...optional },
      implicitTls: {
        label: 'TLS from the start',
        hint: 'For port 465. Otherwise STARTTLS is used if the server offers it.',
        kind: 'switch',
        ...optional,
      },
      user: {
        label: 'User',
        hint: 'Empty if the server asks for none.',
        kind: 'text',
        ...optional,
      },
      password: { label: 'Password', hint: 'Of that user.', kind: 'secret', ...optional },
    },
  },
  ses: {
    label: 'Amazon SES',
    events:
      'In Amazon SNS, create a topic and an HTTPS subscription with this address. In SES, publish the events of your configuration set to that topic.',
    fields: {
      region: { label: 'Region', hint: 'Such as us-east-1.', kind: 'text' },
      accessKeyId: {
        label: 'Access key id',
        hint: 'IAM → Users → Security credentials.',
        kind: 'text',
      },
      secretAccessKey: {
        label: 'Secret access key',
        hint: 'Shown once, when the access key is created.',
        kind: 'secret',
      },
      configurationSet: {
        label: 'Configuration set',
        hint: 'SES → Configuration sets. Its event destination publishes to your topic.',
        kind: 'text',
        ...optional,
      },
      topicArn: {
        label: 'SNS topic',
        hint: 'Its ARN. Without it no events are accepted.',
        kind: 'text',
        ...optional,
      },
    },
  },
  sendgrid: {
    label: 'SendGrid',
    events: 'Settings → Mail Settings → Event Webhook. Turn on the signed event webhook.',
    fields: {
      apiKey: { label: 'API key', hint: 'Settings → API Keys, with “Mail Send”.', kind: 'secret' },
      region: {
        label: 'Region',
        hint: 'EU only for subusers whose data stay there.',
        kind: 'choice',
        choices: [
          { value: 'global', label: 'Global' },
          { value: 'eu', label: 'European Union' },
        ],
        ...optional,
      },
      publicKey: {
        label: 'Verification key',
        hint: 'The public key of the signed event webhook. Without it no events are accepted.',
        kind: 'text',
        ...optional,
      },
    },
  },
  postmark: {
    label: 'Postmark',
    events:
      'Servers → your server → your stream → Webhooks. Put engage: and the password before the host: https://engage:password@…',
    fields: {
      serverToken: {
        label: 'Server API token',
        hint: 'Servers → your server → API Tokens.',
        kind: 'secret',
      },
      transactionalStream: {
        label: 'Stream for transactional emails',
        hint: 'outbound if it is empty.',
        kind: 'text',
        ...optional,
      },
      marketingStream: {
        label: 'Stream for marketing emails',
        hint: 'A broadcast stream; broadcast if it is empty.',
        kind: 'text',
        ...optional,
      },
      eventsPassword: {
        label: 'Password of its webhooks',
        hint: 'Make one of 16 characters or more. Without it no events are accepted.',
        kind: 'secret',
        ...optional,
      },
    },
  },
  mailgun: {
    label: 'Mailgun',
    events: 'Sending → Webhooks, for every kind of event.',
    fields: {
      apiKey: {
        label: 'API key',
        hint: 'Of the account, or the domain’s sending key.',
        kind: 'secret',
      },
      domain: { label: 'Sending domain', hint: 'As Mailgun has it.', kind: 'text' },
      region: {
        label: 'Region',
        hint: 'Where the domain was created.',
        kind: 'choice',
        choices: [
          { value: 'us', label: 'United States' },
          { value: 'eu', label: 'European Union' },
        ],
        ...optional,
      },
      signingKey: {
        label: 'HTTP webhook signing key',
        hint: 'Settings → API security. Without it no events are accepted.',
        kind: 'secret',
        ...optional,
      },
    },
  },
  resend: {
    label: 'Resend',
    events: 'Webhooks → Add webhook, for every kind of event.',
    fields: {
      apiKey: { label: 'API key', hint: 'API Keys; sending access is enough.', kind: 'secret' },
      signingSecret: {
        label: 'Signing secret',
        hint: 'Of the webhook, whsec_…. Without it no events are accepted.',
        kind: 'secret',
        ...optional,
      },
    },
  },
  brevo: {
    label: 'Brevo',
    events: 'Transactional → Settings → Webhook. Choose token authentication.',
    fields: {
      apiKey: { label: 'API key', hint: 'SMTP & API → API Keys, xkeysib-….', kind: 'secret' },
      eventsToken: {
        label: 'Token of its webhook',
        hint: 'Make one of 16 characters or more. Without it no events are accepted.',
        kind: 'secret',
        ...optional,
      },
    },
  },
};

export const relayKinds = Object.keys(relayForms) as readonly RelayKind[];

/** The label of a kind, also of one that has no form here. */
export function kindLabel(kind: Relay['kind']): string {
  return kind === 'http' ? 'HTTP gateway' : relayForms[kind].label;
}

/** What was typed, by the name of its field. */
export type TypedConfig = Readonly<Record<string, string>>;

/** What of a stored configuration may be shown; secrets are empty. */
export function shownConfig(
  kind: RelayKind,
  config: Readonly<Record<string, unknown>>,
): TypedConfig {
  const shown = Object.keys(relayForms[kind].fields).map((name) => [name, textOf(config[name])]);
  return Object.fromEntries(shown);
}

/**
 * The members that differ from what was shown. An empty secret stays as it is; `null` takes back
 * what was shown. What is no number is sent as it was typed: the server says so at its field.
 */
export function configOf(kind: RelayKind, typed: TypedConfig, shown: TypedConfig = {}) {
  const config: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(relayForms[kind].fields)) {
    const text = (typed[name] ?? '').trim();
    if (text === (shown[name] ?? '')) continue;
    if (text === '') config[name] = null;
    else if (field.kind === 'number') config[name] = numberIn(text);
    else if (field.kind === 'switch') config[name] = text === 'true';
    else config[name] = text;
  }
  return config;
}

/** The number that a text is, or the text. */
export function numberIn(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
