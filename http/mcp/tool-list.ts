// Every tool, in the order of the list, and how a client sees them: input schemas made of the
// routes' own, and hints that follow from what a tool does.

import { z } from 'zod';
import type { Route } from '../call/route.ts';
import { type JsonSchema, selfContained } from '../call/schemas/json-schema.ts';
import type { Tool } from './tool.ts';
import { campaignTools } from './tools/campaign-tools.ts';
import { journeyTools } from './tools/journey-tools.ts';
import { messageTools } from './tools/message-tools.ts';
import { orgTools } from './tools/org-tools.ts';
import { segmentTools } from './tools/segment-tools.ts';

const tools: readonly Tool[] = [
  ...campaignTools,
  ...messageTools,
  ...segmentTools,
  ...journeyTools,
  ...orgTools,
];
const byName = new Map(tools.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}

/** Whether a client should ask its user first: what was sent cannot be taken back. */
const hints = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  sends: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  sends_once: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
} as const;

type Listed = ReturnType<typeof listed>;
let list: readonly Listed[] | undefined;

/** As `tools/list` answers it; made once. */
export function toolList(): readonly Listed[] {
  list ??= tools.map(listed);
  return list;
}

function listed({ name, title, description, effect, routes, input }: Tool) {
  return {
    name,
    title,
    description: `${description} ${scopeText(routes)}`,
    inputSchema: {
      ...withoutNegations(selfContained(z.object(input))),
      type: 'object' as const,
      additionalProperties: false,
    },
    annotations: { title, ...hints[effect] },
  };
}

/**
 * Without `not`: the filter kinds forbid each other's fields, which triples what a model has to
 * read, and the route refuses such a mix with a sentence.
 */
function withoutNegations(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === 'not' ? undefined : value)));
}

/** `Scopes: write and read.` */
function scopeText(routes: readonly Route[]): string {
  const wanted = new Set(
    routes.map(({ access }) => (access.kind === 'key' ? access.anyOf.join(' or ') : 'none')),
  );
  return `${wanted.size > 1 ? 'Scopes' : 'Scope'}: ${[...wanted].join(' and ')}.`;
}
