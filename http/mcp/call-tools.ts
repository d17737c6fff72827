// `POST /mcp`: the agent tools over the Model Context Protocol's streamable HTTP, without sessions.
// A response is always JSON and complete, so there is nothing to stream: GET and DELETE are 405.

import { z } from 'zod';
import { fault } from '../../actors/faults.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Call } from '../call/call.ts';
import { key, route } from '../call/route.ts';
import { isLoopbackName } from '../server/loopback-name.ts';

/** Version 2025-03-26 lets a client send several messages at once. */
const messagesMax = 16;

const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).optional().describe('Absent in a notification.'),
    method: z
      .string()
      .optional()
      .describe('`initialize`, `ping`, `tools/list`, `tools/call`, or a notification.'),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage' });

const response = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
});

export const callTools = route({
  method: 'POST',
  path: '/mcp',
  summary: 'Call agent tools (MCP)',
  description:
    'The Model Context Protocol over streamable HTTP, without sessions: each request gets its own JSON response. `tools/list` lists the tools with their input schemas. Each tool is a route of this API with its scope, its validation and its errors; a refusal is a result with `isError` and the error body as structured content. A request costs one unit of the standard lane per message; `send_transactional` costs one of the transactional lane as well. A request that a web page of another origin makes is a 403.',
  tag: 'Agent tools',
  access: key('read', 'write', 'send', 'admin'),
  reads: ['campaign', 'journey', 'segment', 'subscriber', 'notification'],
  changes: ['campaign', 'message', 'dry-run', 'notification'],
  unitsOf: (body) => (Array.isArray(body) ? body.length : 1),
  requestHeaders: {
    'MCP-Protocol-Version': 'The version from the response to `initialize`.',
  },
  body: z.union([message, z.array(message).min(1).max(messagesMax)]).meta({
    examples: [
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ],
  }),
  judgesTexts: true,
  responses: {
    200: {
      description: 'The response to each request of the body.',
      schema: z
        .union([response, z.array(response)])
        .meta({ examples: [{ jsonrpc: '2.0', id: 2, result: {} }] }),
    },
    202: { description: 'The body had no request, only notifications or responses.' },
  },
  async handle(call) {
    refuseOrigin(call);
    const { body } = call;
    const messages = Array.isArray(body) ? body : [body];
    const { answerMessage } = await import('./answer-message.ts');
    const answers: unknown[] = [];
    // One after the other: a later call may use what an earlier one has made.
    for (const one of messages) {
      const answer = await answerMessage(call, one);
      if (answer !== undefined) answers.push(answer);
    }
    if (answers.length === 0) return { status: 202 };
    return { status: 200, body: Array.isArray(body) ? answers : answers[0] };
  },
});

/**
 * Programs send no `Origin`, and pages of this server send its own. A page that leads a name of its
 * own to this server (DNS rebinding) sends that name.
 */
function refuseOrigin(call: Call<unknown, unknown>): void {
  const [origin, host = ''] = [call.header('origin'), call.header('host')];
  if (origin === undefined || origin === new URL(call.edge.config.publicUrl).origin) return;
  if (isLoopbackName(host) && [`http://${host}`, `https://${host}`].includes(origin)) return;
  throw new FaultError(
    fault('forbidden', 'Origin: pages of other origins may not call this route', {
      field: 'Origin',
    }),
  );
}
