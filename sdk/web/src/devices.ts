// Whose device a registration of this browser is. A click on an older notification counts for the
// person who got it.

import { currentOf, type Device, type Person, type State } from './state.ts';

const ownersMax = 20;

/** Makes it the device of the page's person; it is registered in the next round if it is new. */
export function useDevice(state: State, channel: string, endpoint: unknown): void {
  const person = currentOf(state);
  if (JSON.stringify(person.device?.endpoint) === JSON.stringify(endpoint)) return;
  person.device = { channel, endpoint };
}

/** The device is to be unregistered in the next round. */
export function leaveDevice(state: State): void {
  const person = currentOf(state);
  const { device, former = [] } = person;
  if (device?.id !== undefined) person.former = [...former, device.id];
  delete person.device;
}

export function noteDevice(state: State, person: Person, device: Device): void {
  person.device = device;
  const { id } = device;
  if (id === undefined || person.id === undefined) return;
  const others = (state.owners ?? []).filter(([known]) => known !== id);
  state.owners = [...others, [id, person.id] as const].slice(-ownersMax);
}

/** The person of a device; undefined if it was never one of this browser. */
export function ownerOf(state: State, deviceId: string): Pick<Person, 'n' | 'id'> | undefined {
  const owner = state.owners?.find(([known]) => known === deviceId)?.[1];
  if (owner === undefined) return undefined;
  const here = state.people.find(({ id, device }) => id === owner || device?.id === deviceId);
  // 0 is nobody of this device any more: the event goes without a token.
  return { n: here?.n ?? 0, id: owner };
}
