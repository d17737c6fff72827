// A provider's refusal as it is kept, `reason: its words`, taken apart again. Either may be
// missing; a text whose beginning is no stable word is all of it words.

interface Said {
  readonly reason?: string;
  readonly detail?: string;
}

export function splitSaid(said: string | undefined): Said {
  if (said === undefined || said === '') return {};
  const [, reason, detail] = /^([a-z][a-z0-9_]*)(?:: (.*))?$/s.exec(said) ?? [];
  if (reason === undefined) return { detail: said };
  return detail === undefined ? { reason } : { reason, detail };
}
