// A JSON list of members that are encoded already, so that none is encoded twice. Pure.

const comma = Buffer.from(',');

export function jsonList(members: readonly Uint8Array[]): Buffer {
  const pieces = members.flatMap((member) => [comma, member]);
  return Buffer.concat([Buffer.from('['), ...pieces.slice(1), Buffer.from(']')]);
}
