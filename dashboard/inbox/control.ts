// The sandbox's control routes, as the inbox reads and changes them. An answer is kept by its path.

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LookMessage } from '../preview/look-of.ts';

/** A message as lists have it: its text is cut. */
export interface ReceivedMessage extends LookMessage {
  readonly id: number;
  /** What it arrives on. */
  readonly look: 'phone' | 'browser' | 'email' | 'chat' | 'call';
  readonly sendId?: string;
  readonly deviceId?: string;
  /** The sending app's number. */
  readonly app?: number;
  readonly outcome: 'accepted' | 'refused' | 'unanswered';
  /** HTTP or SMTP code; absent without a response. */
  readonly status?: number;
  /** Name or rule of the simulated fault. */
  readonly fault?: string;
  /** The link that a tap opens. */
  readonly link?: string;
  /** Why the message cannot be shown, or an oddity. */
  readonly note?: string;
  /** It came while the list was shown. */
  readonly isFresh?: true;
}

type Pairs = readonly (readonly [name: string, value: string])[];

export interface WholeMessage extends ReceivedMessage {
  /** Files of an email, with the path to save each. */
  readonly files?: readonly {
    readonly name: string;
    readonly type: string;
    readonly bytes: number;
    readonly path: string;
  }[];
  readonly details: Pairs;
  readonly exchange: {
    readonly request: string;
    readonly requestHeaders: Pairs;
    readonly requestBody: string;
    readonly requestBodyEncoding: 'utf8' | 'base64';
    readonly requestBodyBytes: number;
    readonly answer: {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    } | null;
  };
}

export interface MessageList {
  readonly messages: readonly ReceivedMessage[];
  /** How many the sandbox holds. */
  readonly held: number;
}

interface StandInChannel {
  readonly channel: string;
  readonly label: string;
  /** `null` for a stand-in without messages to people. */
  readonly look: ReceivedMessage['look'] | null;
  /** Recipient names that fail. */
  readonly faults: readonly { readonly prefix: string; readonly says: string }[];
}

export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Rejects with the route's own sentence. */
async function control(
  path: string,
  { method = 'GET', body, signal }: { method?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<unknown> {
  const response = await fetch(`/control${path}`, {
    method,
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { readonly error?: string };
  if (response.ok) return answer;
  throw new ControlError(response.status, answer.error ?? String(response.status));
}

interface ControlOptions {
  readonly isEnabled?: boolean;
  /** Shows the answer of another path until the new one is there. */
  readonly keepsPrevious?: boolean;
}

export function useControl<Answer>(
  path: string,
  { isEnabled = true, keepsPrevious = false }: ControlOptions = {},
) {
  return useQuery<Answer>({
    queryKey: [path],
    queryFn: ({ signal }) => control(path, { signal }) as Promise<Answer>,
    enabled: isEnabled,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Changes what is below a path, and what went wrong with the last change. */
export function useControlChange(path: string) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();
  /** Whether it succeeded. */
  const change = async (method: 'POST' | 'DELETE', body?: unknown, below = '') => {
    setProblem(undefined);
    try {
      await control(path + below, { method, body });
      void client.invalidateQueries({ queryKey: [path] });
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    }
  };
  return { problem, setProblem, change };
}

/** Stand-ins with messages to people, in their order. */
export function useStandIns(): readonly StandInChannel[] {
  const { data } = useControl<{ readonly channels: readonly StandInChannel[] }>('/channels');
  return data?.channels.filter(({ look }) => look !== null) ?? [];
}

/** What the sandbox calls a channel. */
export function useChannelName(): (channel: string) => string {
  const channels = useStandIns();
  return (channel) => channels.find((one) => one.channel === channel)?.label ?? channel;
}
