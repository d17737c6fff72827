package dev.engage.sdk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A platform of what Android and every JVM have. It calls with HttpURLConnection, because Android has
 * no java.net.http. An app overrides {@link #pushToken}.
 */
public class JvmPlatform implements Platform {
  private static final int CALL_MS_MAX = 30_000;
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(daemon());
  private final Executor network = Executors.newCachedThreadPool(daemon());
  private final Store store;

  /** Keeps what must outlive the process in this folder, which is of this SDK alone. */
  public JvmPlatform(Path folder) {
    store = new FileStore(folder);
  }

  private static java.util.concurrent.ThreadFactory daemon() {
    return (work) -> {
      Thread thread = new Thread(work, "engage");
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public Executor executor() {
    return loop;
  }

  @Override
  public CompletableFuture<HttpAnswer> send(HttpRequest request) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return answerOf(request);
          } catch (IOException error) {
            throw new java.io.UncheckedIOException(error);
          }
        },
        network);
  }

  private static HttpAnswer answerOf(HttpRequest request) throws IOException {
    HttpURLConnection call =
        (HttpURLConnection) URI.create(request.url()).toURL().openConnection();
    call.setConnectTimeout(CALL_MS_MAX);
    call.setReadTimeout(CALL_MS_MAX);
    call.setRequestMethod(request.method());
    call.setInstanceFollowRedirects(false);
    request.headers().forEach(call::setRequestProperty);
    if (request.body() != null) {
      call.setDoOutput(true);
      try (OutputStream out = call.getOutputStream()) {
        out.write(request.body().getBytes(StandardCharsets.UTF_8));
      }
    }
    int status = call.getResponseCode();
    Map<String, String> headers = new LinkedHashMap<>();
    call.getHeaderFields()
        .forEach(
            (name, values) -> {
              if (name != null) headers.put(name.toLowerCase(Locale.ROOT), values.get(0));
            });
    try (InputStream in = status < 400 ? call.getInputStream() : call.getErrorStream()) {
      String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new HttpAnswer(status, headers, text);
    }
  }

  @Override
  public Cancel after(long ms, Runnable work) {
    ScheduledFuture<?> timer = loop.schedule(work, ms, TimeUnit.MILLISECONDS);
    return () -> timer.cancel(false);
  }

  @Override
  public long now() {
    return System.currentTimeMillis();
  }

  @Override
  public long monotonic() {
    return System.nanoTime() / 1_000_000;
  }

  @Override
  public String uuid() {
    return UUID.randomUUID().toString();
  }

  @Override
  public double random() {
    return ThreadLocalRandom.current().nextDouble();
  }

  @Override
  public String timezone() {
    return TimeZone.getDefault().getID();
  }

  @Override
  public String language() {
    return Locale.getDefault().toLanguageTag();
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public CompletableFuture<PushToken> pushToken() {
    return CompletableFuture.completedFuture(null);
  }
}
