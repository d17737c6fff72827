// The credential bodies that tenants upload, one schema a name, and the checks that catch a wrong
// one on upload instead of at the first send: a private key must parse and be of the right kind, a
// token must have its form. Provider addresses are never part of a credential; they are the
// operator's. Nothing here is ever written to a log, and no problem text repeats what was uploaded.

import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Fault } from '../../engine/base/fault.ts';
import { hasControlCharacter, phoneNumber } from './address.ts';
import type { CredentialName } from './catalog.ts';

/**
 * Google's service account key file; members that are not needed are dropped, `token_uri` among
 * them. The other kinds of file that Google gives hold no key of our own to sign with, and are told
 * by their `type`.
 */
export const serviceAccountSchema = z
  .object({
    type: z.literal(
      'service_account',
      'must be "service_account": upload the key file of a Google service account',
    ),
    project_id: z.string().regex(/^[a-z0-9:.-]{4,64}$/, 'must be a Google project id'),
    client_email: z
      .string()
      .regex(
        /^[A-Za-z0-9._-]{1,128}@[A-Za-z0-9.-]{1,128}$/,
        "must be the service account's email address",
      ),
    private_key: privateKey('rsa', 'must be an RSA private key in PEM form'),
    private_key_id: z
      .string()
      .regex(/^[A-Za-z0-9]{1,128}$/, 'must be 1 to 128 letters or digits')
      .optional(),
  })
  .transform(({ type: _type, ...account }) => account);
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

const apnsSchema = z.object({
  teamId: z.string().regex(/^[A-Z0-9]{10}$/, 'must be ten capital letters or digits'),
  keyId: z.string().regex(/^[A-Z0-9]{10}$/, 'must be ten capital letters or digits'),
  p8: privateKey('p256', 'must be the P-256 private key in PEM form from the .p8 file'),
  bundleId: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,155}$/, 'must be a bundle id, such as com.example.app'),
  environment: z.enum(['production', 'sandbox']).default('production'),
});

const senderNumber = z
  .string()
  .overwrite(phoneForm)
  .refine(
    (raw) =>
      /^\d{3,8}$/.test(raw) || /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/.test(raw) || isPhone(raw),
    'must be a phone number in E.164 form, a short code, or a sender name of up to 11 letters',
  );
const carrierSchema = z
  .object({
    accountSid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits'),
    authToken: token(16, 256),
    apiKeySid: z
      .string()
      .regex(/^SK[0-9a-fA-F]{32}$/, 'must be SK and 32 hexadecimal digits')
      .optional(),
    apiKeySecret: token(16, 256).optional(),
    from: senderNumber.optional(),
    messagingServiceSid: z
      .string()
      .regex(/^MG[0-9a-fA-F]{32}$/, 'must be MG and 32 hexadecimal digits')
      .optional(),
    voiceFrom: z
      .string()
      .overwrite(phoneForm)
      .refine(isPhone, 'must be a phone number in E.164 form')
      .optional(),
  })
  .refine((body) => (body.apiKeySid === undefined) === (body.apiKeySecret === undefined), {
    path: ['apiKeySecret'],
    message: 'apiKeySid and apiKeySecret must be given together',
  })
  .refine((body) => body.from ?? body.messagingServiceSid ?? body.voiceFrom, {
    path: ['from'],
    message: 'one of from, messagingServiceSid and voiceFrom is required',
  });

const whatsappSchema = z.object({
  phoneNumberId: z
    .string()
    .regex(/^\d{5,32}$/, 'must be the numeric phone number id, not the phone number'),
  accessToken: token(16, 1024),
  /** Without it the callbacks of the number are refused. */
  appSecret: token(16, 256).optional(),
  verifyToken: line(1, 256),
});

const telegramSchema = z.object({
  botToken: z
    .string()
    .regex(/^\d{5,20}:[A-Za-z0-9_-]{30,64}$/, 'must be a bot token, such as 123456:ABC-DEF…'),
  secretToken: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/, 'must be 1 to 256 letters, digits, _ or -')
    .optional(),
});

const rcsSchema = z.object({
  serviceAccount: serviceAccountSchema,
  agentId: z.string().regex(/^[A-Za-z0-9._@-]{1,256}$/, 'must be an agent id'),
  region: z.enum(['us', 'europe', 'asia']),
  clientToken: line(1, 256).optional(),
});

const lineSchema = z.object({
  channelAccessToken: token(16, 1024),
  channelSecret: token(16, 128).optional(),
});

export const zaloSchema = z.object({
  appId: z.string().regex(/^\d{5,32}$/, 'must be the numeric app id'),
  appSecret: token(8, 256),
  /**
   * Good for one use: the provider gives another with each, and that one takes its place in what is
   * stored.
   */
  refreshToken: token(16, 2048),
  oaSecretKey: token(8, 256).optional(),
});
export type ZaloApp = z.infer<typeof zaloSchema>;

const viberSchema = z.object({
  authToken: z.string().regex(/^[0-9a-f-]{16,128}$/i, 'must be the bot token, in hexadecimal'),
  senderName: line(1, 28),
});

const kakaoSchema = z.object({
  // It stands in a header beside commas.
  apiKey: z.string().regex(/^[A-Za-z0-9_-]{8,128}$/, 'must be 8 to 128 letters, digits, _ or -'),
  apiSecret: token(8, 128),
  pfId: token(4, 128),
  from: z
    .string()
    .overwrite(koreanForm)
    .regex(/^\d{8,15}$/, 'must be a registered sender number in Korean format, such as 0212345678'),
});

const contactForm = 'must be a mailto: or https: address of at most 256 characters';

/**
 * A VAPID key pair, in base64url. Made per app on first use; uploaded to keep subscriptions made
 * elsewhere alive.
 */
export const webPushKeysSchema = z
  .object({
    publicKey: z
      .string()
      .regex(/^[A-Za-z0-9_-]{87}=?$/, 'must be a P-256 public key: 65 bytes in base64url'),
    privateKey: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}=?$/, 'must be a P-256 private key: 32 bytes in base64url'),
    subject: z
      .string()
      .max(256, { error: contactForm, abort: true })
      .regex(/^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s<>]+)$/, contactForm)
      .optional(),
  })
  .refine((body) => isKeyPair(body.publicKey, body.privateKey), {
    path: ['privateKey'],
    message: 'does not match publicKey',
  });
export type WebPushKeys = z.infer<typeof webPushKeysSchema>;

/** The schema of every credential body. Unknown members are ignored and not kept. */
export const credentialSchemas = {
  fcm: serviceAccountSchema,
  apns: apnsSchema,
  carrier: carrierSchema,
  whatsapp: whatsappSchema,
  telegram: telegramSchema,
  rcs: rcsSchema,
  line: lineSchema,
  zalo: zaloSchema,
  viber: viberSchema,
  kakao: kakaoSchema,
  webpush: webPushKeysSchema,
} as const satisfies Record<CredentialName, z.ZodType>;

/** A checked credential of this name. */
export type Credential<Name extends CredentialName> = z.infer<(typeof credentialSchemas)[Name]>;

/**
 * What may be shown of an uploaded credential: enough to tell two apart, nothing to use one with.
 */
export interface CheckedCredential {
  /** The body as it is sealed and later handed to the adapter. */
  readonly credential: Readonly<Record<string, unknown>>;
  readonly fingerprint: string;
}

/**
 * Checks an uploaded body. The fault names the first wrong member (`private_key: must be an RSA
 * private key in PEM form`) and lists all of them in `issues`.
 */
export function checkCredential(name: CredentialName, body: unknown): CheckedCredential | Fault {
  const parsed = credentialSchemas[name].safeParse(body, { error: formProblem });
  if (parsed.success) return { credential: parsed.data, fingerprint: fingerprintOf(parsed.data) };
  const issues = parsed.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    error: issue.message,
  }));
  const first = issues[0] ?? { field: '', error: 'is not a valid credential' };
  const message =
    first.field === '' ? 'the body must be a JSON object' : `${first.field}: ${first.error}`;
  return { code: 'invalid', message, ...(first.field !== '' && { field: first.field }), issues };
}

/**
 * The first 64 bits of a SHA-256 over the credential, as 16 hexadecimal digits. Equal for equal
 * members in any order. It tells credentials apart; it is neither a secret nor a proof of one.
 */
export function fingerprintOf(credential: unknown): string {
  return createHash('sha256').update(canonical(credential)).digest('hex').slice(0, 16);
}

/** `fingerprintOf`, found once for each credential: adapters ask at every call. */
export function fingerprints(): (credential: object) => string {
  const known = new WeakMap<object, string>();
  return (credential) => {
    let fingerprint = known.get(credential);
    if (fingerprint === undefined) known.set(credential, (fingerprint = fingerprintOf(credential)));
    return fingerprint;
  };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/**
 * What is said where a schema says nothing itself: of a member that is not there, of another type,
 * or no known name.
 */
function formProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') {
    return `must be ${issue.expected === 'string' ? 'text' : `an ${issue.expected}`}`;
  }
  if (issue.code !== 'invalid_value') return undefined;
  return `must be ${issue.values
    .map(String)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')}`;
}

/** A secret in one piece: printable ASCII without spaces, so that it can stand in a header. */
function token(lengthMin: number, lengthMax: number) {
  const form = new RegExp(`^[\\x21-\\x7e]{${lengthMin},${lengthMax}}$`);
  return z
    .string()
    .regex(form, `must be ${lengthMin} to ${lengthMax} printable characters without spaces`);
}

/** One line of text. */
function line(lengthMin: number, lengthMax: number) {
  const problem = `must be ${lengthMin} to ${lengthMax} characters`;
  return z
    .string()
    .min(lengthMin, problem)
    .max(lengthMax, problem)
    .refine((text) => !hasControlCharacter(text), 'must not contain control characters');
}

/** A phone number as the carrier wants it; any other text as it is. */
function phoneForm(raw: string): string {
  const checked = phoneNumber(raw);
  return 'value' in checked ? checked.value : raw;
}

/** A Korean number as the aggregator has registered it: digits alone, dialled at home. */
function koreanForm(raw: string): string {
  return raw.replace(/[ \-.()]/g, '').replace(/^\+82/, '0');
}

function isPhone(raw: string): boolean {
  return 'value' in phoneNumber(raw);
}

/**
 * A PEM private key of this kind. Key files pasted through a shell or a form often hold `\n` as two
 * characters.
 */
function privateKey(kind: 'rsa' | 'p256', problem: string) {
  return z
    .string()
    .max(16_384, { error: problem, abort: true })
    .overwrite((pem) => pem.replaceAll('\\n', '\n'))
    .refine((pem) => keyKind(pem) === kind, problem);
}

function keyKind(pem: string): 'rsa' | 'p256' | undefined {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return undefined; // OpenSSL's text would only confuse; the caller says what is expected
  }
  if (key.asymmetricKeyType === 'rsa') return 'rsa';
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'p256' : undefined;
}

function isKeyPair(publicKey: string, secretKey: string): boolean {
  const ecdh = createECDH('prime256v1');
  try {
    ecdh.setPrivateKey(Buffer.from(secretKey, 'base64url'));
  } catch {
    return false;
  }
  return ecdh.getPublicKey().equals(Buffer.from(publicKey, 'base64url'));
}
