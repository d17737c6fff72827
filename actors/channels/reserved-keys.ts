// Keys of `data` that an app may not set: push services reserve some and refuse the whole message
// for them, and two carry our ids. They apply to every message, not only to those for Android,
// because the caller need not know which channels a person has. Source: FCM HTTP v1,
// `Message.data`; Apple, "Generating a remote notification" (`aps`); specification, "Errors".

/** Whether a key of custom data is reserved. Case matters: `From` is free. */
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
