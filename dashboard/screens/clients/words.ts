// The words of Clients.

export const words = {
  title: 'Clients',
  isolation:
    'Each client has a separate workspace. You see only its usage, which is on your invoice. Its people, messages and campaigns are hidden from your keys and members. To work in it, become a member of it.',
  search: 'Find a client by name',
  name: 'Client',
  id: 'ID',
  mau: 'Active users',
  emails: 'Emails',
  beyond: 'Over the allowance',
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
    'They get a sign-in link by email. It works once, within 15 minutes. They can request another on the sign-in page.',
  madeTitle: (name: string) => `${name} is ready`,
  key: 'First API key of the workspace',
  env: 'For a .env file',
  keyHint: 'It has full access to the workspace. Use it for setup by a script, or delete it there.',
  memberFailed: (email: string, why: string) => `${email} could not be added: ${why}`,
  open: 'Open the workspace',
  openByKey: 'Open it with its key',
  byKeyHint:
    'You are signed in with an API key. Opening the workspace signs this browser in with the key of the workspace.',
  usageOf: (users: string, emails: string) => `${users} active · ${emails} emails`,
  invoice: 'View on your invoice',
  invited: (email: string) => `A sign-in link was sent to ${email}.`,
  mailFailed: (email: string, why: string) => `${email} is an owner, but no link was sent: ${why}`,
  switch: 'Open',
  notMember: 'You are not a member of this workspace.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the workspace ${name}?`,
  deleteText:
    'Its apps, people and messages are deleted immediately, and its keys stop working. Its usage this month stays on your invoice.',
  deleted: (name: string) => `The workspace ${name} was deleted.`,
  actions: (name: string) => `Actions for ${name}`,
  empty: 'No clients yet',
  emptyText:
    'If you are an agency, give each client a workspace: isolated data, your branding, one invoice for you.',
  details: {
    workspace: 'Workspace',
    ofIncluded: (delivered: string, included: string) => `${delivered} of ${included} included`,
    member: 'You are a member of this workspace.',
    stranger:
      'Its people, messages and campaigns are hidden from you. An owner of the workspace can add you.',
  },
  isClient: 'This is a client workspace. It cannot have its own clients.',
} as const;
