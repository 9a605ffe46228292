/** What the schemas of the runner and the command line are made of, so that a session loads zod once. A further name goes into the list. */
export {
  array,
  boolean,
  enum,
  type infer,
  int,
  literal,
  null,
  number,
  object,
  record,
  strictObject,
  string,
  union,
  type ZodType,
} from 'zod';
