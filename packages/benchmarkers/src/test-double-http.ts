import { defineTestDouble } from './test-double.ts';

export const testDoubleHttp = defineTestDouble('http');
