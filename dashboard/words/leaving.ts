// Words of leaving an organization, and of declining its invitation.

export const leavingWords = {
  title: (org: string) => `Leave ${org}?`,
  text: 'Your sign-ins there end at once. To come back, somebody there has to add you again.',
  action: 'Leave',
  done: (org: string) => `You left ${org}.`,
  declineTitle: (org: string) => `Decline the invitation of ${org}?`,
  declineText: 'It goes away. Somebody there can add you again.',
  decline: 'Decline',
  declined: (org: string) => `You declined the invitation of ${org}.`,
};
