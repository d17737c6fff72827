// The key pair with which the stand-in of SendGrid signs its events, the same at every start. It
// protects nothing.

export const eventKey = {
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQu6kEe1a7rIM3KxA
0r8N63+ocB7MLO9mmfaw0oWUlRahRANCAATjeQS0unUnsJXCMdGyDRfi1g/2sAws
BeLrwvIQWTwnW30/S7jqn/fMY4NhrpGFmSFkx22LtFJl/9kO9LYN8NRa
-----END PRIVATE KEY-----
`,
  /** As SendGrid shows it: the `publicKey` of a relay. */
  publicKey:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE43kEtLp1J7CVwjHRsg0X4tYP9rAM' +
    'LAXi68LyEFk8J1t9P0u46p/3zGODYa6RhZkhZMdti7RSZf/ZDvS2DfDUWg==',
};
