// The version that the client names in `user-agent`. A test compares it with package.json.

export const clientVersion = '0.1.0';
