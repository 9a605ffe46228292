/** Computes each value at the first call with its key. */
// Without the annotation, bundles would keep unused results of the function and their imports.
/* @__NO_SIDE_EFFECTS__ */
export function remembered<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
