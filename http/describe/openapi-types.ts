// The parts of OpenAPI 3.1 that this server writes and its reference reads.

import type { Route } from '../call/route.ts';
import type { JsonSchema } from '../call/schemas/json-schema.ts';

/** The described part of a route, plus what only operations outside the pipeline have. */
export interface Operation extends Omit<Route, 'handle'> {
  /** Public, but a key changes what it does. */
  readonly optionalKey?: true;
  /** Public to API keys; a write key comes by Basic authentication. */
  readonly writeKey?: true;
  /** Accepts JSON under any content type, mainly `text/plain`. */
  readonly anyContentType?: true;
  /** Of one with any content type: its answers name unknown members. */
  readonly namesUnknown?: true;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export type OpenApiContent = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly examples?: OpenApiExamples }>
>;
export type OpenApiExamples = Readonly<Record<string, { readonly value: unknown }>>;

export interface OpenApiResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: OpenApiContent;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-engage-lane': Route['lane'];
  readonly 'x-engage-scopes': readonly string[];
}

/** A request that this server makes to a receiver. */
export interface OpenApiWebhook {
  readonly post: {
    readonly operationId: string;
    readonly summary: string;
    readonly description: string;
    readonly parameters: readonly OpenApiParameter[];
    readonly requestBody: { readonly required: boolean; readonly content: OpenApiContent };
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly security: readonly [];
  };
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, OpenApiWebhook>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}
