import { defineTestDouble } from './test-double.ts';

export const testDoubleHttp2 = defineTestDouble('http2');
