package dev.engage.sdk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One of the people of this device, and what is still to be told to the server about them. */
final class Person {
  /** Which of this device's people; rises. */
  final long n;
  String id;
  String token;
  String externalUserId;
  /** A login with a hash proved it. */
  boolean isProven;
  /** A login that was asked for and has not ended: externalUserId, identityHash. */
  Map<String, Object> wants;
  /** A login that was or may have been sent: key, body, claim. */
  Map<String, Object> attempt;
  /** Why the last login failed. */
  EngageException refused;
  String refusedUser;
  /** Without time zone and language, because the server does not know one of them. */
  boolean isPlain;
  long seenMs;
  Map<String, Object> tags;
  /** channel, endpoint, and id once it is registered. */
  Map<String, Object> device;
  /** Devices that are to be unregistered. */
  List<String> former = new ArrayList<>();
  boolean isGone;

  Person(long n) {
    this.n = n;
  }

  Map<String, Object> toJson() {
    return Json.object(
        "n", n, "id", id, "token", token, "externalUserId", externalUserId,
        "isProven", isProven ? true : null, "wants", wants, "attempt", attempt,
        "isPlain", isPlain ? true : null, "seenMs", seenMs == 0 ? null : seenMs, "tags", tags,
        "device", device, "former", former.isEmpty() ? null : former, "isGone", isGone ? true : null);
  }

  static Person fromJson(Map<String, Object> json) {
    Person person = new Person(((Number) json.get("n")).longValue());
    person.id = Json.asText(json.get("id"));
    person.token = Json.asText(json.get("token"));
    person.externalUserId = Json.asText(json.get("externalUserId"));
    person.isProven = json.containsKey("isProven");
    person.wants = part(json, "wants");
    person.attempt = part(json, "attempt");
    person.isPlain = json.containsKey("isPlain");
    person.seenMs = json.get("seenMs") instanceof Number ms ? ms.longValue() : 0;
    person.tags = part(json, "tags");
    person.device = part(json, "device");
    for (Object one : Json.asList(json.get("former"))) person.former.add((String) one);
    person.isGone = json.containsKey("isGone");
    return person;
  }

  private static Map<String, Object> part(Map<String, Object> json, String name) {
    return json.containsKey(name) ? new LinkedHashMap<>(Json.asObject(json.get(name))) : null;
  }

  String deviceId() {
    return device == null ? null : Json.asText(device.get("id"));
  }

  /** The device is to be registered anew, for this person. */
  static Map<String, Object> unregistered(Map<String, Object> device) {
    return device == null
        ? null
        : Json.object("channel", device.get("channel"), "endpoint", device.get("endpoint"));
  }
}
