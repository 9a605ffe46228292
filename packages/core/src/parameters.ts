/** A value of a parameter. The values of one parameter have the same type. */
export type ParameterValue = string | number | boolean;

/** The parameters of a benchmark: each a list of values, or one value. */
export type Parameters = Readonly<
  Record<string, ParameterValue | readonly string[] | readonly number[] | readonly boolean[]>
>;

/** The parameters of a benchmark with `byGroups`: a set of parameters for each group. */
export type GroupedParameters = Readonly<Record<string, Parameters>>;

/** One value of each parameter, in the order of the output. */
export type AnyConfiguration = Readonly<Record<string, ParameterValue>>;

/**
 * The values that `main` gets. Strings stay literal (`'fast' | 'slow'`); numbers become `number` and booleans
 * `boolean`, because test mode and arguments replace them.
 */
type Value<T> = T extends readonly (infer Item)[]
  ? Value<Item>
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T;

type Flat<T> = { [K in keyof T]: T[K] };

/** The configuration that `main` gets for the parameters `P`. */
export type ConfigurationOf<P extends Parameters> = Flat<{ -readonly [K in keyof P]: Value<P[K]> }>;

/** The configuration that `main` gets with `byGroups`: a union over the groups, discriminated by `group`. */
export type GroupedConfiguration<G extends GroupedParameters> = {
  [K in keyof G & string]: Flat<ConfigurationOf<G[K]> & { group: K }>;
}[keyof G & string];
