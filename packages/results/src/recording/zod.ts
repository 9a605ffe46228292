/** The parts of zod for all schemas of the runner and the command line, so that a session loads zod once. */
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
