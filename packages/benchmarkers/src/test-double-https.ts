import { defineTestDouble } from './test-double.ts';

export const testDoubleHttps = defineTestDouble('https');
