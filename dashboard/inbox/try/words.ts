// What the page to try the web SDK says.

export const words = {
  title: 'Try it in this browser',
  inbox: 'Back to the inbox',
  lines: {
    title: 'Three lines',
    text: 'This page runs them. Put them on yours.',
  },
  who: {
    title: '1. Log in',
    text: 'Until then you are an anonymous person; what you did before moves along.',
    id: 'Your id of a person',
    go: 'Log in',
    done: (id: string) => `Logged in as ${id}.`,
  },
  push: {
    title: '2. Subscribe to push',
    text: 'In the sandbox nothing leaves your machine, so the push service of your browser’s vendor is not asked. Chromium, started like this, takes the sandbox for it:',
    profile:
      'Chrome and Edge take the same switches. It is a window of its own, with its own profile.',
    go: 'Subscribe',
    done: 'This browser is subscribed.',
    elsewhere:
      'This browser subscribed at its vendor, and the sandbox sends nothing there. Open this page in a Chromium that was started with the command above.',
  },
  send: {
    title: '3. Send yourself a message',
    text: 'The sandbox calls the API for you, with the key of the demo app.',
    push: 'A push',
    popup: 'An in-app message',
    inbox: 'An inbox message',
    received: (title: string) => `The worker received “${title}” and showed it.`,
  },
  more: {
    title: '4. Tags and events',
    tag: 'Tag',
    value: 'Value',
    set: 'Set tag',
    event: 'Event',
    track: 'Track',
  },
  calls: {
    title: 'HTTP calls of this page',
    none: 'None yet.',
    bySandbox: 'by the sandbox',
    status: (status: number) => (status === 0 ? 'no answer' : String(status)),
  },
} as const;
