// Words of leaving an organization, and of declining its invitation.

export const leavingWords = {
  title: (org: string) => `Leave ${org}?`,
  text: 'You are signed out of it immediately. To come back, an owner must add you again.',
  action: 'Leave',
  done: (org: string) => `You left ${org}.`,
  declineTitle: (org: string) => `Decline the invitation from ${org}?`,
  declineText: 'The invitation is removed. An owner can invite you again.',
  decline: 'Decline',
  declined: (org: string) => `You declined the invitation from ${org}.`,
};
