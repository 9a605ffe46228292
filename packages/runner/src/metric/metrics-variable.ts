/** The variable with the names of the metrics that a process measures, separated by commas. */
export const metricsVariable = 'BENCH_CLI_METRICS';
