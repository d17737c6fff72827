// The words for naming a person.

export const words = {
  person: 'Person',
  placeholder: 'External id, address or id',
} as const;
