/** Files of Linux are missing on other systems; processes end, belong to other users, or are not shown. */
export function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
