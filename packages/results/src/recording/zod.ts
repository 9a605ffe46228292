/** What schemas of the packages of this repository are made of, so that a process loads zod once. */
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
