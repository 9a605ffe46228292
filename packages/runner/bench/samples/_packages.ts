/** The package of each operation, and an older version of it with the same interface. */
export const packages: Readonly<Record<string, readonly [present: string, former?: string]>> = {
  'semver.satisfies': ['semver@7.8.6', 'semver@7.3.5'],
  'yaml.parse': ['yaml@2.9.1', 'yaml@2.0.0'],
  'qs.parse': ['qs@6.17.1', 'qs@6.9.0'],
  'fast-deep-equal': ['fast-deep-equal@3.1.3', 'fast-deep-equal@2.0.1'],
  ms: ['ms@2.1.3'],
  picocolors: ['picocolors@1.1.1'],
  'lodash.merge': ['lodash.merge@4.6.2', 'lodash.merge@4.6.0'],
  'uuid.v4': ['uuid@11.1.1', 'uuid@9.0.0'],
  'ajv.validate': ['ajv@8.20.0', 'ajv@8.6.0'],
  'marked.parse': ['marked@15.0.12', 'marked@9.0.0'],
  'fast-json-stringify': ['fast-json-stringify@6.4.0', 'fast-json-stringify@5.7.0'],
  'date-fns.format': ['date-fns@4.4.0', 'date-fns@2.30.0'],
};
