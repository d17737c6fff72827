package dev.engage.sdk;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the SDK remembers of one app. The last person uses the device now; those before have logged
 * out and stay until their events are sent.
 */
final class State {
  private static final int PEOPLE_MAX = 30;
  private static final int OWNERS_MAX = 20;
  final List<Person> people = new ArrayList<>();
  long nextKey = 1;
  /** Of the person with this number. */
  long flagsOf;
  String flagsEtag;
  Map<String, Object> flags = Map.of();
  /** Whose a device was, for what is told of an older notification. */
  final Map<String, Object> owners = new LinkedHashMap<>();

  Person current() {
    return people.get(people.size() - 1);
  }

  /** Null for one who was forgotten. */
  Person person(long n) {
    for (Person one : people) if (one.n == n) return one;
    return null;
  }

  /** Makes the device's person the one of the claim. */
  void claim(Map<String, Object> claim) {
    Person person = current();
    person.refused = null;
    boolean hasHash = claim.containsKey("identityHash");
    String wanted = (String) claim.get("externalUserId");
    boolean isSettled =
        wanted.equals(person.externalUserId)
            && person.token != null
            && (!hasHash || person.isProven);
    if (person.wants == null && isSettled) return;
    String known =
        person.wants != null ? (String) person.wants.get("externalUserId") : person.externalUserId;
    // Somebody else: the person of before logs out, as the server would refuse their token.
    if (known != null && !known.equals(wanted)) add().wants = claim;
    else if (hasHash || person.wants == null) person.wants = claim;
  }

  /** An anonymous person has nobody to log out. */
  boolean leave() {
    if (current().externalUserId == null && current().wants == null) return false;
    add();
    return true;
  }

  Person add() {
    Person before = current();
    before.isGone = true;
    Person person = new Person(before.n + 1);
    // Push notifications of this device are for the person who uses it now.
    person.device = Person.unregistered(before.device);
    people.add(person);
    if (people.size() > PEOPLE_MAX) people.remove(0);
    return person;
  }

  /** The server does not take the token any more: a known person must log in again. */
  void loseToken(Person person) {
    person.token = null;
    person.attempt = null;
    person.isProven = false;
    if (person.isGone || person.wants != null) return;
    if (person.externalUserId != null) add();
    else person.id = null;
  }

  void setDevice(Person person, Map<String, Object> device) {
    person.device = device;
    String id = person.deviceId();
    if (id == null || person.id == null) return;
    owners.remove(id);
    owners.put(id, person.id);
    if (owners.size() > OWNERS_MAX) owners.remove(owners.keySet().iterator().next());
  }

  /** Makes it the device of the person, to be registered if it is new. */
  void useDevice(String channel, String endpoint) {
    Person person = current();
    if (person.device == null || !Objects.equals(person.device.get("endpoint"), endpoint))
      person.device = Json.object("channel", channel, "endpoint", endpoint);
  }

  void leaveDevice() {
    Person person = current();
    if (person.deviceId() != null) person.former.add(person.deviceId());
    person.device = null;
  }

  String toJson() {
    List<Object> all = new ArrayList<>();
    for (Person person : people) all.add(person.toJson());
    return Json.write(
        Json.object(
            "people", all, "nextKey", nextKey, "flagsOf", flagsOf, "flagsEtag", flagsEtag,
            "flags", flags, "owners", owners));
  }

  /** A fresh state for null, and for what is damaged. */
  static State fromJson(String text) {
    State state = new State();
    try {
      Map<String, Object> json = text == null ? Map.of() : Json.asObject(Json.parse(text));
      for (Object one : Json.asList(json.get("people")))
        state.people.add(Person.fromJson(Json.asObject(one)));
      if (json.get("nextKey") instanceof Number key) state.nextKey = key.longValue();
      if (json.get("flagsOf") instanceof Number of) state.flagsOf = of.longValue();
      state.flagsEtag = Json.asText(json.get("flagsEtag"));
      state.flags = Json.asObject(json.get("flags"));
      state.owners.putAll(Json.asObject(json.get("owners")));
    } catch (RuntimeException damaged) {
      state = new State();
    }
    if (state.people.isEmpty()) state.people.add(new Person(1));
    return state;
  }
}
