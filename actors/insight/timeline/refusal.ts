// Splits a stored refusal, `reason: detail`. Either may be missing; without a leading code all is
// detail.

interface Refusal {
  readonly reason?: string;
  readonly detail?: string;
}

export function splitRefusal(text: string | undefined): Refusal {
  if (text === undefined || text === '') return {};
  const [, reason, detail] = /^([a-z][a-z0-9_]*)(?:: (.*))?$/s.exec(text) ?? [];
  if (reason === undefined) return { detail: text };
  return detail === undefined ? { reason } : { reason, detail };
}
