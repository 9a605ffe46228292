/**
 * The types of what is recorded and received are written by hand, so that published declarations have comments and do not need zod.
 * The type checker compares them with their schemas: neither may have a field that the other does not have.
 */
import type { LoadOptions, LoadResult } from '@bench-cli/core';
import type {
  ErrorMessage,
  HeldMessage,
  KeptOpenMessage,
  LeftMessage,
  PlanMessage,
  ReportMessage,
} from '@bench-cli/core/protocol';
import type { Explanation } from '@bench-cli/report';
import type { RecordLine } from '@bench-cli/results/recording';
import type { lineSchema, z } from '@bench-cli/results/schema';
import { expectTypeOf, it } from 'vitest';
import type { ToolCheck } from '../packages/agent/src/order.ts';
import type { optionsSchema } from '../packages/benchmarkers/src/load-request.ts';
import type { reportSchema, ToolReport } from '../packages/benchmarkers/src/load-result.ts';
import type { explanationsSchema } from '../packages/cli/src/analysis/explanation-file.ts';
import type { ClientOptions, clientOptionsSchema } from '../packages/cluster-server/src/client-options.ts';
import type { ReceivedMessage } from '../packages/runner/src/process/messages.ts';
import type { Complete } from './support/complete-type.ts';

type Output<Schema extends z.ZodType> = Complete<z.infer<Schema>>;
/** The messages of one type of a union. */
type OfType<Union, Name extends string> = Complete<Extract<Union, { readonly type: Name }>>;

it('lines of results files have the fields of their schemas', () => {
  type Line = z.infer<typeof lineSchema>;
  expectTypeOf<OfType<Line, 'session'>>().toEqualTypeOf<OfType<RecordLine, 'session'>>();
  expectTypeOf<OfType<Line, 'run'>>().toEqualTypeOf<OfType<RecordLine, 'run'>>();
  expectTypeOf<Complete<Line>>().toEqualTypeOf<Complete<RecordLine>>();
});

it('messages of benchmarks have the fields of their schemas', () => {
  expectTypeOf<OfType<ReceivedMessage, 'report'>>().toEqualTypeOf<Complete<ReportMessage>>();
  expectTypeOf<OfType<ReceivedMessage, 'plan'>>().toEqualTypeOf<Complete<PlanMessage>>();
  expectTypeOf<OfType<ReceivedMessage, 'held'>>().toEqualTypeOf<Complete<HeldMessage>>();
  expectTypeOf<OfType<ReceivedMessage, 'error'>>().toEqualTypeOf<Complete<ErrorMessage>>();
  expectTypeOf<OfType<ReceivedMessage, 'kept open'>>().toEqualTypeOf<Complete<KeptOpenMessage>>();
  expectTypeOf<OfType<ReceivedMessage, 'left'>>().toEqualTypeOf<Complete<LeftMessage>>();
  expectTypeOf<OfType<ReceivedMessage, 'checks'>['checks'][number]>().toEqualTypeOf<Complete<ToolCheck>>();
});

it('loads have the fields of their schemas', () => {
  type Report = Output<typeof reportSchema>;
  expectTypeOf<Output<typeof optionsSchema>>().toEqualTypeOf<Complete<LoadOptions>>();
  expectTypeOf<Report>().toEqualTypeOf<Complete<ToolReport>>();
  expectTypeOf<Report>().toEqualTypeOf<
    Omit<
      Complete<LoadResult>,
      'benchmarker' | 'version' | 'protocol' | 'command' | 'usage' | 'beside' | 'points' | 'rate'
    >
  >();
});

it('options of HTTP clients, and explanations, have the fields of their schemas', () => {
  expectTypeOf<Output<typeof clientOptionsSchema>>().toEqualTypeOf<Complete<ClientOptions>>();
  expectTypeOf<Output<typeof explanationsSchema>>().toEqualTypeOf<Complete<readonly Explanation[]>>();
});
