// What a state means to its reader; a color and a shape go with it.

export type Tone = 'good' | 'notice' | 'bad' | 'off' | 'accent';
