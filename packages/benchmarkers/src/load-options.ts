import type { Protocol, Scheme, ToolOptions } from '@bench-cli/core';

export type ToolOption = keyof ToolOptions;

/** Options after defaults, checked: what an adapter turns into arguments. */
export interface LoadRequest extends Omit<ToolOptions, 'requests' | 'clients' | 'method'> {
  readonly protocol: Protocol;
  readonly scheme: Scheme;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly amount: Amount;
  readonly cpuSet: string | undefined;
}

/** A time to load for, or a number of requests with, if asked for, a limit of time. */
export type Amount =
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number; readonly atMostSeconds: number | undefined };
