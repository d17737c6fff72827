package dev.engage.sdk;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as plain values: Map, List, String, Number, Boolean and null. */
public final class Json {
  private static final int DEPTH_MAX = 64;
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** An object of names and values; a null value leaves its name out. */
  static Map<String, Object> object(Object... namesAndValues) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2)
      if (namesAndValues[i + 1] != null) all.put((String) namesAndValues[i], namesAndValues[i + 1]);
    return all;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> asObject(Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Map.of();
  }

  static List<?> asList(Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  static String asText(Object value) {
    return value instanceof String text ? text : null;
  }

  /** Throws IllegalArgumentException for what is no JSON. */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.space();
    if (json.at < text.length()) throw json.wrong();
    return value;
  }

  /** Throws IllegalArgumentException for what JSON cannot say. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out, 0);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out, int depth) {
    if (depth > DEPTH_MAX) throw new IllegalArgumentException("it is nested too deeply");
    if (value == null || value instanceof Boolean) out.append(value);
    else if (value instanceof String text) writeText(text, out);
    else if (value instanceof Number number) writeNumber(number, out);
    else if (value instanceof Map<?, ?> map) {
      String before = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        writeText((String) entry.getKey(), out.append(before));
        write(entry.getValue(), out.append(':'), depth + 1);
        before = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof Iterable<?> list) {
      String before = "[";
      for (Object one : list) {
        write(one, out.append(before), depth + 1);
        before = ",";
      }
      out.append(before.equals("[") ? "[]" : "]");
    } else throw new IllegalArgumentException("it has a " + value.getClass().getSimpleName());
  }

  private static void writeNumber(Number number, StringBuilder out) {
    double value = number.doubleValue();
    if (Double.isNaN(value) || Double.isInfinite(value))
      throw new IllegalArgumentException("a number is not finite");
    boolean isWhole = number instanceof Double && value == Math.rint(value) && Math.abs(value) < 1e15;
    out.append(isWhole ? String.valueOf((long) value) : number.toString());
  }

  private static void writeText(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }

  private Object value(int depth) {
    if (depth > DEPTH_MAX) throw wrong();
    space();
    char c = at < text.length() ? text.charAt(at) : ' ';
    if (c == '{') return members(depth);
    if (c == '[') return items(depth);
    if (c == '"') return text();
    if (text.startsWith("true", at)) return word(4, true);
    if (text.startsWith("false", at)) return word(5, false);
    if (text.startsWith("null", at)) return word(4, null);
    return number();
  }

  private Map<String, Object> members(int depth) {
    Map<String, Object> all = new LinkedHashMap<>();
    at++;
    if (isNext('}')) return all;
    do {
      space();
      String name = text();
      if (!isNext(':')) throw wrong();
      all.put(name, value(depth + 1));
    } while (isNext(','));
    if (!isNext('}')) throw wrong();
    return all;
  }

  private List<Object> items(int depth) {
    List<Object> all = new ArrayList<>();
    at++;
    if (isNext(']')) return all;
    do all.add(value(depth + 1));
    while (isNext(','));
    if (!isNext(']')) throw wrong();
    return all;
  }

  private String text() {
    if (at >= text.length() || text.charAt(at++) != '"') throw wrong();
    StringBuilder out = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') return out.toString();
      if (c != '\\') out.append(c);
      else if (at < text.length()) out.append(escaped(text.charAt(at++)));
    }
    throw wrong();
  }

  private char escaped(char c) {
    switch (c) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case 'b': return '\b';
      case 'f': return '\f';
      case 'u':
        if (at + 4 > text.length()) throw wrong();
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
      default: return c;
    }
  }

  private Number number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    String written = text.substring(from, at);
    try {
      return new BigDecimal(written).scale() <= 0 && written.matches("-?\\d{1,18}")
          ? (Number) Long.valueOf(written)
          : Double.valueOf(written);
    } catch (NumberFormatException error) {
      throw wrong();
    }
  }

  private Object word(int length, Object value) {
    at += length;
    return value;
  }

  private boolean isNext(char c) {
    space();
    boolean isIt = at < text.length() && text.charAt(at) == c;
    if (isIt) at++;
    return isIt;
  }

  private void space() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) at++;
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("no JSON at character " + at);
  }
}
