// What the package exports.

export { ByteStream } from './byte-stream.ts';
export { type Answered, type AnswerInfo, Call, type CallOptions } from './call.ts';
export { Engage, type EngageOptions } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  EngageError,
  InvalidRequestError,
  type Issue,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
export { identityHash } from './identity-hash.ts';
export { List, type Page } from './list.ts';
export type * from './methods.generated.ts';
export type { Uploadable } from './operation.ts';
export { unsubscribeHeaders } from './unsubscribe-headers.ts';
export {
  verifyWebhook,
  type WebhookChecks,
  WebhookError,
  type WebhookHeaders,
} from './verify-webhook.ts';
