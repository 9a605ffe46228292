/** A type in one form, with all its fields, the optional ones too. */
export type Complete<Type, Unchanged = never> = Type extends object
  ? {
      -readonly [Field in keyof Type]-?: Field extends Unchanged
        ? Type[Field]
        : Complete<Exclude<Type[Field], undefined>, Unchanged>;
    }
  : Type;
