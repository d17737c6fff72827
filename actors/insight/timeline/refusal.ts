// Splits a stored refusal, `reason: detail`. Either may be missing; without a leading code all is
// detail.

interface Said {
  readonly reason?: string;
  readonly detail?: string;
}

export function splitRefusal(said: string | undefined): Said {
  if (said === undefined || said === '') return {};
  const [, reason, detail] = /^([a-z][a-z0-9_]*)(?:: (.*))?$/s.exec(said) ?? [];
  if (reason === undefined) return { detail: said };
  return detail === undefined ? { reason } : { reason, detail };
}
