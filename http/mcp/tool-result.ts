// A tool's answer or refusal as the protocol's result: a paragraph, the data as JSON text for
// clients that read only text, and the data itself.

import type { Fault } from '../../engine/base/fault.ts';
import { quoted } from './quoted.ts';
import type { ToolAnswer } from './tool.ts';

interface ToolResult {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
}

export function answerResult({ text, data }: ToolAnswer): ToolResult {
  return {
    content: [
      { type: 'text', text },
      { type: 'text', text: quoted(data) },
    ],
    structuredContent: { ...data },
  };
}

/** A refusal's body, as the route sends it, with the seconds of its `Retry-After`. */
export function refusalData({ message, code, field, issues, retryAfterSeconds }: Fault) {
  return {
    error: message,
    code,
    ...(field === undefined ? {} : { field }),
    ...(issues === undefined ? {} : { issues }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** The sentence is quoted: it can contain what people wrote, such as the name of a variable. */
export function refusalResult(refusal: Fault): ToolResult {
  const data = refusalData(refusal);
  const text = `The call was refused (${data.code}): ${quoted(data.error)}`;
  return { ...answerResult({ text, data }), isError: true };
}
