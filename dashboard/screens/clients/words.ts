// The words of Clients.

export const words = {
  title: 'Clients',
  isolation:
    'Each client is a workspace of its own. You see its usage here, which is on your invoice, and nothing else: its people, messages and campaigns are hidden from your keys and members. To work in it, be a member of it.',
  search: 'Find a client by name',
  name: 'Client',
  id: 'Id',
  mau: 'Active users',
  emails: 'Emails',
  beyond: 'Beyond the allowance',
  created: 'Created',
  thisMonth: 'This month',
  create: 'Create client',
  createTitle: 'Create a client workspace',
  nameLabel: 'Name',
  nameHint: 'Your client’s company or brand.',
  join: 'Make me an owner of it',
  joinHint: (email: string) => `${email} can then open it from the menu at the top right.`,
  invite: 'Also invite as owner',
  inviteHint:
    'They get a sign-in link by email. It works once, for 15 minutes; the sign-in page mails another.',
  madeTitle: (name: string) => `${name} is ready`,
  key: 'First API key of the workspace',
  env: 'For a .env file',
  keyHint:
    'It allows everything in the workspace. Keep it for set-up by a script, or delete it there.',
  memberFailed: (email: string, why: string) => `${email} could not be added: ${why}`,
  open: 'Open the workspace',
  openByKey: 'Open it with its key',
  byKeyHint: 'You are signed in with an API key. Opening it signs this browser in with its key.',
  usageOf: (users: string, emails: string) => `${users} active · ${emails} emails`,
  invoice: 'See it on your invoice',
  invited: (email: string) => `A sign-in link was mailed to ${email}.`,
  mailFailed: (email: string, why: string) =>
    `${email} is an owner, but no link was mailed: ${why}`,
  switch: 'Open',
  notMember: 'You are not a member of this workspace.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the workspace ${name}?`,
  deleteText:
    'Its apps, people and messages are gone at once, and its keys stop working. What it used this month stays on your invoice.',
  deleted: (name: string) => `The workspace ${name} was deleted.`,
  actions: (name: string) => `Actions for ${name}`,
  empty: 'No clients yet',
  emptyText:
    'Agencies give each client a workspace: isolated data, your branding, one invoice for you.',
  details: {
    workspace: 'Workspace',
    ofIncluded: (delivered: string, included: string) => `${delivered} of ${included} included`,
    member: 'You are a member of this workspace.',
    stranger: 'Its people, messages and campaigns are hidden from you. An owner of it can add you.',
  },
  isClient: 'This is a client workspace. It cannot have clients of its own.',
} as const;
