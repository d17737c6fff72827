// Whether a `Host` names this machine by itself. A page in a browser can lead a name of its own to
// this machine (DNS rebinding); the `Host` then has that name.

export function isLoopbackName(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);
}
