package dev.engage.sdk;

import dev.engage.sdk.Platform.HttpAnswer;
import dev.engage.sdk.Platform.HttpRequest;
import dev.engage.sdk.Session.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls the server, and says what an answer means. That nobody answered is one with status 0. */
final class Http {
  private Http() {}

  /** Completes in the platform's executor. */
  static CompletableFuture<Answer> ask(
      Platform platform,
      String method,
      String url,
      Object body,
      String token,
      String key,
      String etag) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (body != null) headers.put("content-type", "application/json");
    if (token != null) headers.put("authorization", "Bearer " + token);
    if (key != null) headers.put("idempotency-key", key);
    if (etag != null) headers.put("if-none-match", etag);
    String sent = body == null ? null : Json.write(body);
    return platform
        .send(new HttpRequest(method, url, headers, sent))
        .handleAsync(
            (answer, error) -> error == null ? read(answer) : unreachable(url, error),
            platform.executor());
  }

  private static Answer unreachable(String url, Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    String message = url + ": " + cause.getMessage();
    return new Answer(0, null, null, EngageException.of("unreachable", message), null);
  }

  private static Answer read(HttpAnswer heard) {
    int status = heard.status();
    Object body = null;
    try {
      body = heard.text().isEmpty() ? null : Json.parse(heard.text());
    } catch (IllegalArgumentException ofProxy) {
      // The status says enough.
    }
    String etag = heard.headers().get("etag");
    if (status < 300 || status == 304) return new Answer(status, body, etag, null, null);
    Map<String, Object> said = Json.asObject(body);
    String code = Json.asText(said.get("code"));
    String error = Json.asText(said.get("error"));
    EngageException problem =
        new EngageException(
            code == null ? "http_" + status : code,
            error == null ? "the server answered " + status : error,
            Json.asText(said.get("field")),
            heard.headers().get("x-request-id"));
    String wait = heard.headers().get("retry-after");
    boolean isSeconds = wait != null && wait.matches("\\d{1,9}");
    Long waitMs = isSeconds ? Long.valueOf(Long.parseLong(wait) * 1_000) : null;
    return new Answer(status, body, etag, problem, waitMs);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
