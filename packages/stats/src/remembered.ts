// Without the annotations, bundles would keep unused results of these functions and their imports.

/** Computes each value at the first call with its key. */
/* @__NO_SIDE_EFFECTS__ */
export function remembered<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

/** Computes a value at the first call. */
/* @__NO_SIDE_EFFECTS__ */
export function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}
