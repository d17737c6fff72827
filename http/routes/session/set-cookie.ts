// The response header of sign-ins and sign-outs, for the description.

export const setCookieHeader = {
  'set-cookie':
    '`__Host-engage`, or `engage` where the public URL is plain http: HttpOnly, SameSite=Strict.',
} as const;
