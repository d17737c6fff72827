// Keys of `data` that an app may not set: push services refuse the whole message for some, and two
// carry our ids. They apply to every message, because callers need not know a person's channels.
// Source: FCM HTTP v1, `Message.data`; Apple, "Generating a remote notification" (`aps`);
// specification, "Errors".

/** Case matters: `From` is free. */
export function isReservedDataKey(key: string): boolean {
  return (
    key === 'from' ||
    key === 'message_type' ||
    key.startsWith('google') ||
    key.startsWith('gcm') ||
    key === 'aps' ||
    key === 'engageSendId' ||
    key === 'engageDeviceId'
  );
}
