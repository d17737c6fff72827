// The words of Home.

export const words = { title: 'Home' } as const;
