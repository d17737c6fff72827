// The words of the table of people.

export const words = {
  title: 'People',
  search: 'External id',
  who: 'Who',
  channels: 'Channels',
  lastActive: 'Last active',
  created: 'Created',
  never: 'never',
  empty: 'No people yet',
  emptyText: 'Import a file, or create people by the API as they sign up.',
} as const;
