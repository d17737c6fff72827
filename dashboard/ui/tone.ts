// What a state means to its reader; a colour and a shape go with it.

export type Tone = 'good' | 'notice' | 'bad' | 'off' | 'accent';
