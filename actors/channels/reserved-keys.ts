// The keys of `data` that are not the app's to set: a push service keeps some for itself and
// refuses the whole message for them, and two carry our own ids. Every message is held to them, not
// only one for Android: which channels a person has is not the caller's to know. Source: FCM HTTP
// v1, `Message.data`; Apple, "Generating a remote notification" (`aps`); specification, "Errors".

/** Whether a key of custom data is taken. Case counts: `From` is free. */
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
