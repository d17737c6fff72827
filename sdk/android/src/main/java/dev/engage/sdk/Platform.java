package dev.engage.sdk;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** What the core needs of the machine it runs on; {@link JvmPlatform} has all of it but the token. */
public interface Platform {
  /** One call at a time: everything of the SDK runs here. */
  Executor executor();

  /** Completes with the answer, or exceptionally if nobody answered; on any thread. */
  CompletableFuture<HttpAnswer> send(HttpRequest request);

  /** Runs the work once after so many milliseconds, in the executor. */
  Cancel after(long ms, Runnable work);

  /** Milliseconds since 1970 by a clock that people may set. */
  long now();

  /** Milliseconds by a clock that nobody sets; it begins anew with the process. */
  long monotonic();

  /** At least 122 random bits. */
  String uuid();

  /** From 0 up to 1. */
  double random();

  /** Null if it is not known. */
  String timezone();

  /** Null if it is not known. */
  String language();

  /** Opened when it is first used, so that nothing is stored before consent. */
  Store store();

  /** The push token of the system; completes with null if it has none. */
  CompletableFuture<PushToken> pushToken();

  /** What stops something. */
  interface Cancel {
    void cancel();
  }

  record HttpRequest(String method, String url, Map<String, String> headers, String body) {}

  /** Header names are in lower case. */
  record HttpAnswer(int status, Map<String, String> headers, String text) {}

  /** A channel of Engage, fcm or apns, and the token there. */
  record PushToken(String channel, String endpoint) {}

  /** What outlives the process. A call returns once what it writes is safe. */
  interface Store {
    /** Null if there is none. */
    String readState();

    void writeState(String json);

    /** The events that wait, by their keys, oldest first. */
    List<Map.Entry<Long, String>> readEvents();

    void putEvent(long key, String json);

    void removeEvents(List<Long> keys);

    void erase();
  }
}
