package dev.engage.sdk;

/** What went wrong, in the words of the server, or in ours where nobody answered. */
public final class EngageException extends RuntimeException {
  private static final long serialVersionUID = 1;
  /** A code of the server, or unreachable, no_consent, unsupported, event_dropped. */
  public final String code;
  /** Null if it is about no field. */
  public final String field;
  /** Null if the server did not answer. */
  public final String requestId;

  EngageException(String code, String message, String field, String requestId) {
    super(message);
    this.code = code;
    this.field = field;
    this.requestId = requestId;
  }

  static EngageException of(String code, String message) {
    return new EngageException(code, message, null, null);
  }

  static EngageException invalid(String field, String expected) {
    return new EngageException("invalid", field + ": " + expected, field, null);
  }
}
