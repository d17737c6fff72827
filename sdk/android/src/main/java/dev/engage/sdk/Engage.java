package dev.engage.sdk;

import dev.engage.sdk.Platform.PushToken;
import dev.engage.sdk.Session.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The surface of the SDK, the same on every platform. Every call may be made on any thread, and
 * before init has ended; it then waits for it. A future fails with an {@link EngageException}.
 */
public final class Engage {
  private static final int NAME_CHARS_MAX = 128;
  private static final int PROPS_BYTES_MAX = 8_192;

  /** Null until the server has answered for the first time; externalUserId for nobody. */
  public record User(String subscriberId, String externalUserId) {}

  public final Flags flags = new Flags(this);
  public final Inbox inbox = new Inbox(this);
  public final Preferences preferences = new Preferences(this);
  public final Push push = new Push(this);
  final Platform platform;
  private final Addresses addresses = new Addresses(this);
  private final List<Consumer<EngageException>> errorListeners = new CopyOnWriteArrayList<>();
  private String appId;
  private String baseUrl;
  private boolean isPending;
  private Session session;
  private String known = "";
  private CompletableFuture<Session> started = new CompletableFuture<>();

  public Engage(Platform platform) {
    this.platform = platform;
  }

  /** Restores the person of this device and logs in. Completes after the first try. */
  public CompletableFuture<Void> init(String appId, String baseUrl) {
    return init(appId, baseUrl, false);
  }

  /** With isConsentPending nothing is stored or sent before setConsent(true). */
  public CompletableFuture<Void> init(String appId, String baseUrl, boolean isConsentPending) {
    return run(
        () -> {
          if (appId == null || appId.isEmpty())
            throw EngageException.invalid("appId", "expected a text");
          if (baseUrl == null || !baseUrl.matches("https?://.+"))
            throw EngageException.invalid(
                "baseUrl", "expected an address that begins with https:// or http://");
          if (this.appId != null && !this.appId.equals(appId))
            throw EngageException.invalid(
                "appId", "init was called with another one; call reset() first");
          if (this.appId != null) return done();
          this.appId = appId;
          this.baseUrl = baseUrl;
          isPending = isConsentPending;
          return isPending ? done() : begin();
        });
  }

  private CompletableFuture<Void> begin() {
    if (session != null || appId == null) return done();
    Session begun = new Session(appId, baseUrl, platform, this::failed, this::noticePerson);
    session = begun;
    begun.begin();
    started.complete(begun);
    platform.after(1_000, begun::need);
    if (begun.state.current().token != null) begun.isNeeded = true;
    return begun.round();
  }

  private void failed(EngageException problem) {
    for (Consumer<EngageException> listener : errorListeners) listener.accept(problem);
  }

  /** Flags are of a person: another one has others. */
  private void noticePerson() {
    if (session == null) return;
    flags.read(session.state);
    Person person = session.state.current();
    String now = person.n + " " + person.token;
    if (person.token == null || now.equals(known)) return;
    known = now;
    platform.executor().execute(flags::refresh);
  }

  /** Gives or takes back what a pending init waits for. */
  public CompletableFuture<Void> setConsent(boolean isGranted) {
    return run(
        () -> {
          if (isGranted) return begin();
          isPending = true;
          forget();
          return done();
        });
  }

  /** Forgets everything on this device. init begins anew. */
  public CompletableFuture<Void> reset() {
    return run(
        () -> {
          forget();
          appId = null;
          return done();
        });
  }

  private void forget() {
    if (session != null) session.erase();
    session = null;
    known = "";
    started = new CompletableFuture<>();
    flags.read(State.fromJson(null));
  }

  public CompletableFuture<User> login(String externalUserId) {
    return login(externalUserId, null);
  }

  /** Makes this device's person the one with your id; identityHash comes from your server. */
  public CompletableFuture<User> login(String externalUserId, String identityHash) {
    return withSession(
        () -> {
          if (externalUserId == null || externalUserId.isEmpty())
            throw EngageException.invalid(
                "externalUserId", "expected a text; call logout() for nobody");
        },
        (session) -> {
          session.state.claim(
              Json.object("externalUserId", externalUserId, "identityHash", identityHash));
          long n = session.state.current().n;
          session.store();
          session.need();
          return session
              .until(
                  () -> {
                    // They logged out, or the token is another person's by now.
                    Person person = session.state.person(n);
                    if (person == null) return true;
                    if (person.refused != null && externalUserId.equals(person.refusedUser))
                      throw person.refused;
                    return person.wants == null;
                  })
              .thenCompose((done) -> userOf(session));
        });
  }

  /** Ends the person's session on this device, and begins an anonymous one. */
  public CompletableFuture<Void> logout() {
    return withSession(
        (session) -> {
          if (session.state.leave()) {
            session.store();
            session.wakeIn(0);
          }
          return done();
        });
  }

  /** Who uses this device. */
  public CompletableFuture<User> user() {
    return withSession(Engage::userOf);
  }

  private static CompletableFuture<User> userOf(Session session) {
    CompletableFuture<Void> known = done();
    if (session.state.current().id == null) {
      session.isNeeded = true;
      known = session.round();
    }
    return known.thenApply(
        (done) -> {
          Person person = session.state.current();
          return new User(person.id, person.externalUserId);
        });
  }

  /** Merges tags into the person's; sent once a second at most. A null value removes one. */
  public CompletableFuture<Void> setTags(Map<String, Object> tags) {
    Map<String, Object> plain = new LinkedHashMap<>();
    return withSession(
        () -> plain.putAll(plainObject("tags", tags)),
        (session) -> {
          Person person = session.state.current();
          if (person.tags == null) person.tags = new LinkedHashMap<>();
          person.tags.putAll(plain);
          session.store();
          session.wakeIn(0);
          return done();
        });
  }

  public CompletableFuture<Void> removeTags(List<String> names) {
    Map<String, Object> tags = new LinkedHashMap<>();
    for (String name : names) tags.put(name, null);
    return setTags(tags);
  }

  public CompletableFuture<String> track(String name) {
    return track(name, null);
  }

  /** Completes with the event's id once it is stored; it is sent within a second, or later. */
  public CompletableFuture<String> track(String name, Map<String, Object> props) {
    Map<String, Object> plain = new LinkedHashMap<>();
    return withSession(
        () -> {
          if (name == null || name.isEmpty() || name.length() > NAME_CHARS_MAX)
            throw EngageException.invalid("name", "expected 1 to " + NAME_CHARS_MAX + " characters");
          if (props != null) plain.putAll(plainObject("props", props));
          if (EventQueue.sizeOf(Json.write(plain)) > PROPS_BYTES_MAX)
            throw EngageException.invalid(
                "props", "expected at most " + PROPS_BYTES_MAX + " bytes as JSON");
          if (session == null && isPending)
            throw EngageException.of("no_consent", "call setConsent(true) first");
        },
        (session) ->
            CompletableFuture.completedFuture(
                session.track(name, props == null ? null : plain, null)));
  }

  /**
   * Gives the person an email address. Completes with whether a mail asks its owner first; nothing
   * is sent there before. The answer is the same for an address that is somebody else's.
   */
  public CompletableFuture<Boolean> addEmail(String address) {
    return addEmail(address, null, null);
  }

  /** The topics are signed up for; the language is the mail's. Null leaves one out. */
  public CompletableFuture<Boolean> addEmail(String address, List<String> topics, String language) {
    return run(() -> addresses.addEmail(address, topics, language));
  }

  /** Gives the person a phone number, in any form that people write. */
  public CompletableFuture<Boolean> addPhone(String number) {
    return run(() -> addresses.addPhone(number));
  }

  /** The person is not reached there any more. The channel is email or sms. */
  public CompletableFuture<Void> removeAddress(String channel, String address) {
    return run(() -> addresses.remove(channel, address));
  }

  /** Sends what waits now. Completes after the try, whether the server answered or not. */
  public CompletableFuture<Void> flush() {
    return withSession(Session::round);
  }

  /** Call it when the network is back, or the app is shown: waiting events are tried at once. */
  public void networkIsBack() {
    run(
        () -> {
          if (session != null) session.networkIsBack();
          return done();
        });
  }

  /** What goes wrong in the background. Returns how to stop listening. */
  public Platform.Cancel onError(Consumer<EngageException> listener) {
    errorListeners.add(listener);
    return () -> errorListeners.remove(listener);
  }

  /** Android has no Live Activities. */
  public CompletableFuture<String> registerLiveActivity(String activityType, String pushToken) {
    return CompletableFuture.failedFuture(noLiveActivities());
  }

  public CompletableFuture<Void> rotateLiveActivity(String id, String pushToken) {
    return CompletableFuture.failedFuture(noLiveActivities());
  }

  private static EngageException noLiveActivities() {
    return EngageException.of("unsupported", "this platform has no Live Activities");
  }

  /** Null before init and without consent. */
  Session session() {
    return session;
  }

  static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  /** Asks once the person is logged in; completes with the object of the answer. */
  CompletableFuture<Map<String, Object>> askAsPerson(
      Function<Session, CompletableFuture<Answer>> call) {
    return withSession(
        (session) ->
            session
                .settled()
                .thenCompose((done) -> call.apply(session))
                .thenApply((answer) -> Json.asObject(orThrow(answer).body())));
  }

  static Answer orThrow(Answer answer) {
    if (answer.problem() != null) throw answer.problem();
    return answer;
  }

  <Value> CompletableFuture<Value> withSession(
      Function<Session, CompletableFuture<Value>> work) {
    return withSession(() -> {}, work);
  }

  private <Value> CompletableFuture<Value> withSession(
      Runnable check, Function<Session, CompletableFuture<Value>> work) {
    return run(
        () -> {
          check.run();
          return started.thenCompose(work);
        });
  }

  <Value> CompletableFuture<Value> run(Supplier<CompletableFuture<Value>> work) {
    CompletableFuture<Value> result = new CompletableFuture<>();
    platform
        .executor()
        .execute(
            () -> {
              try {
                work.get()
                    .whenComplete(
                        (value, error) -> {
                          if (error == null) result.complete(value);
                          else result.completeExceptionally(causeOf(error));
                        });
              } catch (RuntimeException error) {
                result.completeExceptionally(error);
              }
            });
    return result;
  }

  private static Throwable causeOf(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  /** As it will be sent, whatever the caller does with theirs. */
  private static Map<String, Object> plainObject(String field, Object value) {
    if (!(value instanceof Map)) throw EngageException.invalid(field, "expected an object");
    try {
      return Json.asObject(Json.parse(Json.write(value)));
    } catch (IllegalArgumentException | ClassCastException error) {
      throw EngageException.invalid(field, "cannot be written as JSON: " + error.getMessage());
    }
  }

  /** What the system says of push, and what people do with notifications. */
  public static final class Push {
    private final Engage engage;

    Push(Engage engage) {
      this.engage = engage;
    }

    /** Registers the push token of the system for this person. */
    public CompletableFuture<Void> subscribe() {
      return engage.withSession(
          (session) ->
              session
                  .settled()
                  .thenCompose((done) -> engage.platform.pushToken())
                  .thenCompose(
                      (token) -> {
                        if (token == null)
                          throw EngageException.of("no_token", "the system has no push token");
                        use(session, token);
                        return session.round();
                      }));
    }

    /** This device gets nothing more. */
    public CompletableFuture<Void> unsubscribe() {
      return engage.withSession(
          (session) -> {
            session.state.leaveDevice();
            session.store();
            return session.round();
          });
    }

    /** From onNewToken: an app that has subscribed registers it. */
    public void onNewToken(PushToken token) {
      engage.withSession(
          (session) -> {
            if (session.state.current().device == null) return done();
            use(session, token);
            session.wakeIn(0);
            return done();
          });
    }

    /** With the data of a notification that a person opened; one that is not Engage's is left alone. */
    public void onOpened(Map<String, String> data) {
      String send = data.get("engageSendId");
      if (send == null) return;
      Map<String, Object> about =
          Json.object("sendId", send, "deviceId", data.get("engageDeviceId"));
      engage.withSession(
          (session) -> CompletableFuture.completedFuture(session.track("clicked", null, about)));
    }

    private static void use(Session session, PushToken token) {
      session.state.useDevice(token.channel(), token.endpoint());
      session.store();
      session.isNeeded = true;
    }
  }
}
